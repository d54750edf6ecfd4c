/** Records refused requests in the audit log: who, from where, and which call, but never parameters of the address. */
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Library } from '../core/library.ts'
import { keystringCalls } from '../schema/api/keystrings.ts'
import { screensaverCalls } from '../schema/api/screensavers.ts'
import { userCalls } from '../schema/api/users.ts'
import { Failure } from '../schema/errors.ts'
import { addressOf } from './requests/transport.ts'
import { bearerOf, identifiedViewer } from './requests/viewer.ts'

const statuses: readonly number[] = [401, 403, 429]

/** Core records these itself, with more detail. */
function isNotedByCore({ code, field }: Failure, path: string): boolean {
  if (path === userCalls.login.path) return code === 'unauthenticated' || code === 'tooMany'
  return path === keystringCalls.unlock.path && field === 'pin'
}

/**
 * Whether a 401 is expected, and therefore not recorded: the request has no token, or the token of a session that has
 * ended, which pages may still send, or a device requests its screen savers before it is registered.
 */
async function isOrdinary(context: Context, library: Library, path: string): Promise<boolean> {
  const token = bearerOf(context)
  if (token === '' || path === screensaverCalls.list.path) return true
  return library.sessions.wasIssuedHere(token)
}

export async function noteRefusal(context: Context, library: Library, error: unknown): Promise<void> {
  if (!(error instanceof Failure) || !statuses.includes(error.status)) return
  const path = routePath(context)
  if (isNotedByCore(error, path)) return
  if (error.status === 401 && (await isOrdinary(context, library, path))) return
  const viewer = identifiedViewer(context) ?? { userId: null, kind: 'anonymous', address: addressOf(context, library) }
  library.auditNotes.note('refused', viewer, { method: context.req.method, path, status: error.status })
}
