/** Sessions: signing in and out, renewal, and identifying requests. */
import { randomBytes } from 'node:crypto'
import { eq, lt, or } from 'drizzle-orm'
import type { Session } from '../../schema/api/users.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { sessions } from '../../schema/tables/users.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { anonymousWith, requireSignedIn, type Viewer } from './access.ts'
import type { AuditNotes } from './audit/audit-notes.ts'
import type { Caller } from './caller.ts'
import type { LoginLimits } from './login-limits.ts'
import type { RightsTable } from './rights.ts'
import { createSessionTokens } from './session-tokens.ts'
import { endSession, sessionById } from './sessions.sql.ts'
import type { Tokens } from './tokens/tokens.ts'
import { keepUnlocked } from './unlock.ts'
import { publishUsers, type UserRow, userById, userJson } from './user-rows.ts'
import type { Users } from './users.ts'
import { viewerOfRow } from './viewers.ts'

/** `csrf`: the value that a request must send to change anything if only its cookie identifies the viewer. */
export interface OpenSession {
  viewer: Viewer
  csrf: string
}

interface SessionStore {
  db: LibraryDatabase
  clock: Clock
  users: Pick<Users, 'checkPassword'>
  rights: RightsTable
  notes: Pick<AuditNotes, 'note'>
  loginLimits: LoginLimits
  tokens: Pick<Tokens, 'of'>
  sessionTokens: ReturnType<typeof createSessionTokens>
}

function freshSession(now: number, agent: string) {
  const id = randomBytes(16).toString('hex')
  return { id, createdAt: now, expiresAt: now + limits.tokenSeconds, agent: agent.slice(0, 300) }
}

/** `also` runs in the same transaction. */
async function open(
  { db, clock, sessionTokens }: SessionStore,
  user: UserRow,
  agent: string,
  also: (tx: Transaction) => void = () => {},
): Promise<Session> {
  const now = seconds(clock)
  const csrf = randomBytes(16).toString('hex')
  const session = { ...freshSession(now, agent), userId: user.id, csrf }
  await db.transact({ userId: user.id }, tx => {
    const isOver = or(lt(sessions.expiresAt, now), lt(sessions.graceUntil, now))
    tx.orm.delete(sessions).where(isOver).run()
    tx.orm.insert(sessions).values(session).run()
    also(tx)
    publishUsers(tx)
  })
  return {
    token: await sessionTokens.sign(user, session.id, now),
    user: { ...userJson(user), language: user.language },
    csrf,
  }
}

async function sessionOf(
  { db, clock, rights, sessionTokens }: SessionStore,
  token: string,
): Promise<OpenSession | null> {
  const claim = await sessionTokens.claimsOf(token)
  if (claim === null) return null
  const now = seconds(clock)
  const { row, userRights } = db.reading(() => {
    const row = db.get(sessionById, claim.sid)
    return { row, userRights: row === null ? null : rights.of(row.userId) }
  })
  if (row === null || userRights === null || String(row.userId) !== claim.sub || row.disabled === 1) return null
  if (row.expiresAt <= now || (row.graceUntil !== null && row.graceUntil <= now)) return null
  // Not awaited: the request uses the current row.
  void keepUnlocked(db, now, row)
  const user = { id: row.userId, username: row.username, globalAdmin: row.globalAdmin === 1 }
  const unlockValue = row.unlockedUntil > now ? row.unlockValue : null
  return { csrf: row.csrf, viewer: viewerOfRow(user, userRights, row.id, unlockValue) }
}

/** Creates a new token and session id. The old id stays valid for a minute; an unlocked session stays unlocked. */
async function renew({ db, clock, loginLimits, sessionTokens }: SessionStore, viewer: Viewer, agent: string) {
  requireSignedIn(viewer)
  const user = userById(db, viewer.userId)
  const { sessionId } = viewer
  if (user === undefined || sessionId === null) throw new Failure('unauthenticated', 'Failed to renew session')
  const now = seconds(clock)
  const fresh = freshSession(now, agent)
  const csrf = await db.transact(viewer, tx => {
    const isOld = eq(sessions.id, sessionId)
    const old = tx.orm.select().from(sessions).where(isOld).get()
    if (old === undefined) throw new Failure('unauthenticated', 'Failed to renew session')
    const grace = now + limits.renewGraceSeconds
    const graceUntil = Math.min(old.graceUntil ?? grace, grace)
    tx.orm
      .insert(sessions)
      .values({ ...old, ...fresh, graceUntil: null })
      .run()
    tx.orm.update(sessions).set({ graceUntil }).where(isOld).run()
    loginLimits.rememberAddress(tx, user.id, viewer.address ?? '')
    tx.event(channels.sessions, { action: 'update' })
    return old.csrf
  })
  return {
    token: await sessionTokens.sign(user, fresh.id, now),
    user: { ...userJson(user), language: user.language },
    csrf,
  }
}

/** `tokenKey`: the library's key, in hex. */
export function createSessions({ tokenKey, ...ground }: Omit<SessionStore, 'sessionTokens'> & { tokenKey: string }) {
  const store: SessionStore = { ...ground, sessionTokens: createSessionTokens(ground.clock, tokenKey) }
  const { db, users, rights, notes, loginLimits, sessionTokens, tokens } = store
  return {
    /**
     * The viewer and CSRF value that belong to a token: of a session (sent as Bearer token or cookie), or of a script or
     * device (tokens/tokens.ts), which has no session, so that `csrf` is ''. Null if the token, its session or its user
     * is no longer valid.
     */
    async of(token: string): Promise<OpenSession | null> {
      // A JWT has dots, other tokens never do.
      if (token.includes('.')) return sessionOf(store, token)
      const viewer = tokens.of(token)
      return viewer === null ? null : { viewer, csrf: '' }
    },

    wasIssuedHere: sessionTokens.wasIssuedHere,

    anonymous: (): Viewer => anonymousWith(rights.of(null)),

    /** Signs in. An unknown user and a wrong password get the same response after the same time. */
    async login(
      username: string,
      password: string,
      { address, agent }: Pick<Caller, 'address' | 'agent'>,
    ): Promise<Session> {
      const attempt = loginLimits.begin(username, address)
      const { isRight, row } = await users.checkPassword(username, password).catch((error: unknown) => {
        attempt.undo()
        throw error
      })
      if (!isRight) {
        notes.note('login.failed', { userId: row?.id ?? null, kind: 'anonymous', address })
        throw new Failure('unauthenticated', 'Login Failed')
      }
      attempt.succeed()
      return open(store, row, agent, tx => {
        loginLimits.rememberAddress(tx, row.id, address)
        tx.audit('login', {}, { userId: row.id, kind: 'user', address })
      })
    },

    /** Opens a session without a password, for tests. */
    open: (user: UserRow, agent: string): Promise<Session> => open(store, user, agent),

    /** Ends the session, and the one that it replaced at a renewal. A script's token has no session. */
    async logout(viewer: Viewer): Promise<void> {
      requireSignedIn(viewer)
      if (viewer.sessionId === null) throw new Failure('unauthenticated', 'There is no session to end.')
      await db.transact(viewer, tx => {
        tx.run(endSession, viewer.userId, viewer.sessionId)
        tx.audit('logout', {})
        publishUsers(tx)
        tx.event(channels.sessions, { action: 'delete' })
      })
    },

    renew: (viewer: Viewer, agent: string): Promise<Session> => renew(store, viewer, agent),
  }
}

export type Sessions = ReturnType<typeof createSessions>
