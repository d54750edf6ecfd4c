/** Sessions: tokens, their rows, renewal, and the limits on guessing. */
import { randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Session } from '../../schema/api/users.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { anonymousWith, demandSignedIn, type Viewer } from './access.ts'
import type { AuditNotes } from './audit/audit-notes.ts'
import type { LoginLimits } from './login-limits.ts'
import type { RightsTable } from './rights.ts'
import type { Tokens } from './tokens/tokens.ts'
import { keepUnlocked } from './unlock.ts'
import { tellUsers, type UserRow, type Users, userJson } from './users.ts'

/** What a token says; `globaladmin` is a hint for the screen, the users row decides. */
const claims = z.object({
  sub: z.string().regex(/^\d+$/),
  sid: z.string().regex(/^[0-9a-f]{32}$/),
  typ: z.literal('session'),
  globaladmin: z.boolean(),
  iat: z.number(),
  exp: z.number(),
})
type Claims = z.output<typeof claims>

interface SessionRow {
  id: string
  user_id: number
  expires_at: number
  grace_until: number | null
  csrf: string
  unlock_value: string | null
  unlocked_until: number
  username: string
  global_admin: number
  disabled: number
}

/** A session as a request finds it: who asks, and what a request by cookie alone must send along to change anything. */
export interface OpenSession {
  viewer: Viewer
  csrf: string
}

/** Where a login comes from: '' where there is no network between; and what the browser says of itself. */
interface From {
  address: string
  agent: string
}

export function createSessions({
  db,
  clock,
  users,
  rights,
  notes,
  loginLimits,
  tokenKey,
  tokens = null,
}: {
  db: LibraryDatabase
  clock: Clock
  users: Users
  rights: RightsTable
  notes: Pick<AuditNotes, 'note'>
  loginLimits: LoginLimits
  tokenKey: string
  /** Tokens besides sessions: devices and scripts. */
  tokens?: Pick<Tokens, 'of'> | null
}) {
  const key = Buffer.from(tokenKey, 'hex')
  /** Tokens whose signature was found right, by hash: the row is looked up at every request all the same. */
  const verified = new Map<string, Claims>()

  function tokenOf(row: UserRow, sid: string, now: number): Promise<string> {
    return new SignJWT({ sid, typ: 'session', globaladmin: row.global_admin === 1 })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(String(row.id))
      .setIssuedAt(now)
      .setExpirationTime(now + limits.tokenSeconds)
      .sign(key)
  }

  async function claimsOf(token: string): Promise<Claims | null> {
    const hash = Bun.CryptoHasher.hash('sha256', token, 'base64')
    const known = verified.get(hash)
    if (known !== undefined) return known.exp > seconds(clock) ? known : null
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        requiredClaims: ['exp', 'iat', 'sub', 'sid', 'typ'],
        currentDate: new Date(clock.now()),
      })
      const checked = claims.safeParse(payload)
      if (!checked.success) return null
      verified.set(hash, checked.data)
      if (verified.size > 1000) {
        const [oldest] = verified.keys()
        if (oldest !== undefined) verified.delete(oldest)
      }
      return checked.data
    } catch {
      // Wrong signature, wrong algorithm, expired, no token at all: it is not one of ours, and that is all to know.
      return null
    }
  }

  /** `also` is done in the same transaction. */
  async function open(row: UserRow, agent: string, also: (tx: Transaction) => void = () => {}): Promise<Session> {
    const now = seconds(clock)
    const sid = randomBytes(16).toString('hex')
    const csrf = randomBytes(16).toString('hex')
    await db.transact({ userId: row.id }, tx => {
      tx.run('DELETE FROM sessions WHERE expires_at < ? OR grace_until < ?', now, now)
      tx.run(
        'INSERT INTO sessions (id, user_id, created_at, expires_at, csrf, agent) VALUES (?, ?, ?, ?, ?, ?)',
        sid,
        row.id,
        now,
        now + limits.tokenSeconds,
        csrf,
        agent.slice(0, 300),
      )
      also(tx)
      tellUsers(tx)
    })
    return { token: await tokenOf(row, sid, now), user: userJson(row), csrf }
  }

  function find(sid: string): SessionRow | null {
    return db.get<SessionRow>(
      `SELECT s.id, s.user_id, s.expires_at, s.grace_until, s.csrf, s.unlock_value, s.unlocked_until,
              u.username, u.global_admin, u.disabled
       FROM sessions AS s JOIN users AS u ON u.id = s.user_id WHERE s.id = ?`,
      sid,
    )
  }

  return {
    /**
     * Whose Bearer token this is: a session's, a script's or a device's (core/accounts/tokens/tokens.ts), which have no session. Null when
     * the token, its session or its user is not good any more.
     */
    async of(token: string): Promise<OpenSession | null> {
      // A JWT has dots, the others never have.
      if (tokens !== null && !token.includes('.')) {
        const viewer = tokens.of(token)
        return viewer === null ? null : { viewer, csrf: '' }
      }
      const claim = await claimsOf(token)
      if (claim === null) return null
      const now = seconds(clock)
      const { row, allowed } = db.reading(() => {
        const row = find(claim.sid)
        return { row, allowed: row === null ? null : rights.of(row.user_id) }
      })
      if (row === null || allowed === null || String(row.user_id) !== claim.sub || row.disabled === 1) return null
      if (row.expires_at <= now || (row.grace_until !== null && row.grace_until <= now)) return null
      // Nobody waits for it: the request goes by what the row says now.
      void keepUnlocked(db, now, { id: row.id, unlockedUntil: row.unlocked_until })
      return {
        csrf: row.csrf,
        viewer: {
          kind: 'user',
          userId: row.user_id,
          username: row.username,
          sessionId: row.id,
          globalAdmin: row.global_admin === 1,
          unlockValue: row.unlocked_until > now ? row.unlock_value : null,
          rights: allowed,
        },
      }
    },

    /** Did this server make the session token? Also true where it has expired, or its session has ended. */
    async isOwn(token: string): Promise<boolean> {
      try {
        // As of the epoch nothing has expired.
        await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: new Date(0) })
        return true
      } catch {
        return false
      }
    },

    anonymous: (): Viewer => anonymousWith(rights.of(null)),

    /**
     * Signs in. An unknown user and a wrong password get the same answer after the same time. `address` is where the
     * request came from: what counts as too many failures there is decided by core/accounts/login-limits.ts.
     */
    async login(username: string, password: string, { address, agent }: From): Promise<Session> {
      const attempt = loginLimits.begin(username, address)
      const checked = await users.checkPassword(username, password).catch((error: unknown) => {
        attempt.takeBack()
        throw error
      })
      if (!checked.isRight) {
        notes.note('login.failed', { userId: checked.row?.id ?? null, kind: 'anonymous', address })
        throw new Failure('unauthenticated', 'Login Failed')
      }
      attempt.succeed()
      const { row } = checked
      return open(row, agent, tx => {
        loginLimits.remember(tx, row.id, address)
        tx.audit('login', {}, { userId: row.id, kind: 'user', address })
      })
    },

    /** Opens a session without a password: for whoever has just registered, and for the terminal. */
    open: (row: UserRow, agent: string): Promise<Session> => open(row, agent),

    /** Ends the session, and the one that it replaced at a renewal. A script's token has none that could end. */
    async logout(viewer: Viewer): Promise<void> {
      demandSignedIn(viewer)
      if (viewer.sessionId === null) throw new Failure('unauthenticated', 'There is no session to end.')
      await db.transact(viewer, tx => {
        tx.run(
          'DELETE FROM sessions WHERE user_id = ? AND csrf = (SELECT csrf FROM sessions WHERE id = ?)',
          viewer.userId,
          viewer.sessionId,
        )
        tx.audit('logout', {})
        tellUsers(tx)
        tx.event(channels.sessions, { action: 'delete' })
      })
    },

    /** A new token with a new session id; the old id stays good for a minute, and what was unlocked stays unlocked. */
    async renew(viewer: Viewer, agent: string): Promise<Session> {
      demandSignedIn(viewer)
      const row = viewer.userId === null ? null : users.byId(viewer.userId)
      if (row === null || viewer.sessionId === null) throw new Failure('unauthenticated', 'Failed to renew session')
      const now = seconds(clock)
      const sid = randomBytes(16).toString('hex')
      const csrf = await db.transact(viewer, tx => {
        const old = tx.get<{ csrf: string }>('SELECT csrf FROM sessions WHERE id = ?', viewer.sessionId)
        if (old === null) throw new Failure('unauthenticated', 'Failed to renew session')
        tx.run(
          `INSERT INTO sessions (id, user_id, created_at, expires_at, csrf, unlock_value, unlocked_until, agent)
           SELECT ?, user_id, ?, ?, csrf, unlock_value, unlocked_until, ? FROM sessions WHERE id = ?`,
          sid,
          now,
          now + limits.tokenSeconds,
          agent.slice(0, 300),
          viewer.sessionId,
        )
        tx.run(
          'UPDATE sessions SET grace_until = min(coalesce(grace_until, ?), ?) WHERE id = ?',
          now + limits.renewGraceSeconds,
          now + limits.renewGraceSeconds,
          viewer.sessionId,
        )
        loginLimits.remember(tx, row.id, viewer.address ?? '')
        tx.event(channels.sessions, { action: 'update' })
        return old.csrf
      })
      return { token: await tokenOf(row, sid, now), user: userJson(row), csrf }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
