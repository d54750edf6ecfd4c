/** Records refused requests in the audit log: who, from where, and which call, but never the address' parameters. */
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Library } from '../core/library.ts'
import { keystringCalls } from '../schema/api/keystrings.ts'
import { screensaverCalls } from '../schema/api/screensavers.ts'
import { userCalls } from '../schema/api/users.ts'
import { Failure } from '../schema/errors.ts'
import { addressOf } from './requests/transport.ts'
import { bearerOf, viewerSeen } from './requests/viewer.ts'

const statuses: readonly number[] = [401, 403, 429]

/** Core records these itself, with more detail. */
function isNotedByCore({ code, field }: Failure, path: string): boolean {
  if (path === userCalls.login.path) return code === 'unauthenticated' || code === 'tooMany'
  return path === keystringCalls.unlock.path && field === 'pin'
}

/**
 * Whether a 401 only asks to sign in, and is not recorded: the request has no token; or a session's token of this
 * server, which pages may send after its end; or a device asks for its screen savers before it is registered.
 */
async function isOrdinary(context: Context, library: Library, path: string): Promise<boolean> {
  const token = bearerOf(context)
  if (token === '' || path === screensaverCalls.list.path) return true
  return library.sessions.isOwn(token)
}

export async function noteRefusal(context: Context, library: Library, error: unknown): Promise<void> {
  if (!(error instanceof Failure) || !statuses.includes(error.status)) return
  const path = routePath(context)
  if (isNotedByCore(error, path)) return
  if (error.status === 401 && (await isOrdinary(context, library, path))) return
  const viewer = viewerSeen(context) ?? { userId: null, kind: 'anonymous', address: addressOf(context, library) }
  library.auditNotes.note('refused', viewer, { method: context.req.method, path, status: error.status })
}
