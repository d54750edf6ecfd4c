/** Unlocking a session for hidden items with the user's PIN, and locking it again. */
import { randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { sessions, users } from '../../schema/tables/users.ts'
import { seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { requireSignedIn, type Viewer } from './access.ts'
import type { AuditNotes } from './audit/audit-notes.ts'
import { lockSession } from './sessions.sql.ts'
import { type UserRow, type UserStore, userById } from './user-rows.ts'

/** Each request keeps the session unlocked for longer; the new end is stored at most once in this many seconds. */
const extendEverySeconds = 60

/** The browser session of a viewer. API tokens and devices have none, and the terminal has nothing to unlock. */
function sessionOf(viewer: Viewer): { userId: number; sessionId: string } {
  requireSignedIn(viewer)
  const { kind, userId, sessionId } = viewer
  if (kind !== 'user' || userId === null || sessionId === null) {
    throw new Failure('denied', 'Only a session that was opened with a password can be unlocked.')
  }
  return { userId, sessionId }
}

/** Extends the time for which a session in use stays unlocked. Never fails: the next request tries again. */
export async function keepUnlocked(
  db: LibraryDatabase,
  now: number,
  session: { id: string; unlockedUntil: number },
): Promise<void> {
  const until = now + limits.unlockIdleSeconds
  if (session.unlockedUntil <= now || until - session.unlockedUntil < extendEverySeconds) return
  try {
    await db.transact({ userId: null }, tx => {
      // A session that was locked meanwhile stays locked.
      const isUnlocked = and(eq(sessions.id, session.id), gt(sessions.unlockedUntil, now))
      tx.orm.update(sessions).set({ unlockedUntil: until }).where(isUnlocked).run()
    })
  } catch {
    // The database is busy or closing, and this is not essential.
  }
}

export function createUnlock({ db, clock, passwords, pins, notes }: UserStore & { notes: Pick<AuditNotes, 'note'> }) {
  function userIn(tx: Transaction, id: number): UserRow {
    const user = userById(tx, id)
    if (user === undefined) throw new Failure('unauthenticated', 'Sign in first.')
    return user
  }

  /** Counts an attempt before the PIN is checked, so that parallel requests get only five; returns the PIN's hash. */
  function countAttempt(userId: number): Promise<string> {
    return db.transact({ userId }, tx => {
      const now = seconds(clock)
      const user = userIn(tx, userId)
      if (user.pinLockedUntil > now) {
        throw new Failure('tooMany', 'Too many wrong PINs. Unlocking is locked for a while.', {
          retryAfter: user.pinLockedUntil - now,
        })
      }
      const pinFailures = (user.pinLockedUntil > 0 ? 0 : user.pinFailures) + 1
      const pinLockedUntil = pinFailures >= limits.pinFailures ? now + limits.pinLockSeconds : 0
      tx.orm.update(users).set({ pinFailures, pinLockedUntil }).where(eq(users.id, userId)).run()
      return user.pinHash
    })
  }

  return {
    /** Returns the value with which lists include hidden items. 403 for a wrong PIN; after five, 429 for 15 minutes. */
    async unlock(viewer: Viewer, pin: string): Promise<{ includeHidden: string; seconds: number }> {
      const { userId, sessionId } = sessionOf(viewer)
      // Checked before one of the five attempts is used.
      passwords.requireRoom()
      const hash = await countAttempt(userId)
      const matches = await pins.verify(pin, hash)
      if (matches === null) {
        throw new Failure('denied', 'The server lost the key of this PIN. Set a new PIN in your profile.', {
          field: 'pin',
        })
      }
      if (!matches) {
        notes.note('unlock.failed', viewer)
        throw new Failure('denied', 'Wrong PIN', { field: 'pin' })
      }
      const includeHidden = randomBytes(24).toString('base64url')
      await db.transact(viewer, tx => {
        if (userIn(tx, userId).pinHash !== hash) throw new Failure('denied', 'Wrong PIN', { field: 'pin' })
        tx.orm.update(users).set({ pinFailures: 0, pinLockedUntil: 0 }).where(eq(users.id, userId)).run()
        const unlocked = { unlockValue: includeHidden, unlockedUntil: seconds(clock) + limits.unlockIdleSeconds }
        const isOwn = and(eq(sessions.id, sessionId), eq(sessions.userId, userId))
        const { changes } = tx.orm.update(sessions).set(unlocked).where(isOwn).run()
        if (changes === 0) throw new Failure('unauthenticated', 'Sign in first.')
        tx.event(channels.sessions, { action: 'update' })
      })
      return { includeHidden, seconds: limits.unlockIdleSeconds }
    },

    /** Locks the session, and the session that it replaced at a renewal. */
    async lock(viewer: Viewer): Promise<void> {
      requireSignedIn(viewer)
      if (viewer.sessionId === null) return
      await db.transact(viewer, tx => {
        tx.run(lockSession, viewer.sessionId, viewer.sessionId)
        tx.event(channels.sessions, { action: 'update' })
      })
    },
  }
}

export type Unlock = ReturnType<typeof createUnlock>
