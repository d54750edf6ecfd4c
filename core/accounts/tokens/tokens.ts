/** Tokens besides sessions: of devices that show a screen saver, and of scripts that act for their user. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Failure } from '../../../schema/errors.ts'
import { channels } from '../../../schema/realtime.ts'
import { tokens } from '../../../schema/tables/screensavers.ts'
import { seconds } from '../../kernel/clock.ts'
import { notFound, requireGlobalAdmin, requireSignedIn, type Viewer } from '../access.ts'
import { userNamed, usernameKey } from '../user-rows.ts'
import { viewerOfUser } from '../viewers.ts'
import { createDevices, deviceViewer } from './device-tokens.ts'
import { revokeToken } from './revoke-tokens.ts'
import {
  insertToken,
  isOver,
  requireNoToken,
  type TokenRow,
  type TokenStore,
  tokenByHash,
  tokenHashOf,
} from './token-rows.ts'
import { issuedTokens } from './tokens.sql.ts'

/** The last use of a token is stored at most once in this many seconds. */
const usedEverySeconds = 3600
async function noteUse({ db, clock }: TokenStore, token: TokenRow): Promise<void> {
  const usedAt = seconds(clock)
  if (token.usedAt !== null && usedAt - token.usedAt < usedEverySeconds) return
  try {
    await db.transact({ userId: null }, tx => {
      tx.orm.update(tokens).set({ usedAt }).where(eq(tokens.id, token.id)).run()
    })
  } catch {
    // The database is busy or closing: the next request stores it.
  }
}

/** The viewer of a token: its user, with current rights and no session, or a device. Null for an invalid token. */
function viewerOfToken(store: TokenStore, value: string): Viewer | null {
  const token = tokenByHash(store.db, tokenHashOf(value))
  if (token === undefined || isOver(store, token)) return null
  const viewer = token.type === 'api' ? viewerOfUser(store.db, store.rights, token.userId) : deviceViewer(store, token)
  if (viewer !== null) void noteUse(store, token)
  return viewer
}

/** Issues a token for scripts, returned only once. Global admins may issue it for anybody. `expiresAt`: in seconds. */
async function issueApi(
  store: TokenStore,
  viewer: Viewer,
  { username, name, expiresAt }: { username: string; name: string; expiresAt: number | null },
): Promise<{ id: number; token: string }> {
  requireSignedIn(viewer)
  if (viewer.username === null || usernameKey(viewer.username) !== usernameKey(username)) requireGlobalAdmin(viewer)
  requireNoToken(viewer)
  if (expiresAt !== null && expiresAt <= seconds(store.clock)) {
    throw new Failure('invalid', 'The token would expire before it is issued.', { field: 'expires' })
  }
  const token = `keepsake_${randomBytes(32).toString('base64url')}`
  return store.db.transact(viewer, tx => {
    const user = userNamed(tx, username)
    const { id } = insertToken(store, tx, { userId: user.id, name, type: 'api', hash: tokenHashOf(token), expiresAt })
    tx.audit('token.issue', { token: id, name, user: user.id, username: user.username })
    tx.event(channels.sessions, { action: 'create' })
    return { id, token }
  })
}

/** `tokenKey`: the library's key, in hex; device cookies are signed with it. */
export function createTokens({ tokenKey, ...ground }: Omit<TokenStore, 'key'> & { tokenKey: string }) {
  const store: TokenStore = { ...ground, key: Buffer.from(tokenKey, 'hex') }
  const { db } = store
  return {
    ...createDevices(store),
    of: (value: string) => viewerOfToken(store, value),
    issueApi: (viewer: Viewer, request: Parameters<typeof issueApi>[2]) => issueApi(store, viewer, request),

    /** Tokens of devices and scripts: the viewer's own; all for global admins and the terminal. Times in seconds. */
    listIssued(viewer: Viewer) {
      requireSignedIn(viewer)
      return db.all(issuedTokens, viewer.globalAdmin ? 1 : 0, viewer.userId)
    },

    /** Revokes any token of a device or a script: the viewer's own, or anybody's for global admins and the terminal. */
    async revoke(viewer: Viewer, id: number): Promise<void> {
      requireSignedIn(viewer)
      await db.transact(viewer, tx => {
        const token = tx.orm.select().from(tokens).where(eq(tokens.id, id)).get()
        if (token === undefined || (!viewer.globalAdmin && token.userId !== viewer.userId)) throw notFound()
        revokeToken(tx, id)
      })
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>
