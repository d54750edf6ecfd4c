/** Unlocking a session for hidden items with the user's PIN, and locking it again. */
import { randomBytes } from 'node:crypto'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { demandSignedIn, type Viewer } from './access.ts'
import type { AuditNotes } from './audit/audit-notes.ts'
import type { Passwords } from './passwords.ts'
import type { Pins } from './pins.ts'

/** An unlocked session is kept so while it is used, and that is written at most once in so many seconds. */
const slideEverySeconds = 60

interface PinRow {
  pin_hash: string
  pin_failures: number
  pin_locked_until: number
}

/** A session of a browser, whoever calls. API tokens and devices have none, and the terminal has nothing to unlock. */
function sessionOf(viewer: Viewer): { userId: number; sessionId: string } {
  demandSignedIn(viewer)
  const { kind, userId, sessionId } = viewer
  if (kind !== 'user' || userId === null || sessionId === null) {
    throw new Failure('denied', 'Only a session that was opened with a password can be unlocked.')
  }
  return { userId, sessionId }
}

/**
 * An unlocked session was used: it stays so for the idle time from now on. Never fails: the next request tries again.
 * `unlockedUntil` is what the session's row says (seconds).
 */
export async function keepUnlocked(
  db: LibraryDatabase,
  now: number,
  session: { id: string; unlockedUntil: number },
): Promise<void> {
  const until = now + limits.unlockIdleSeconds
  if (session.unlockedUntil <= now || until - session.unlockedUntil < slideEverySeconds) return
  try {
    await db.transact({ userId: null }, tx => {
      // Not one that was locked meanwhile.
      tx.run('UPDATE sessions SET unlocked_until = ? WHERE id = ? AND unlocked_until > ?', until, session.id, now)
    })
  } catch {
    // Busy for seconds, or closing: it was a courtesy.
  }
}

export function createUnlock({
  db,
  clock,
  passwords,
  pins,
  notes,
}: {
  db: LibraryDatabase
  clock: Clock
  passwords: Passwords
  pins: Pins
  notes: Pick<AuditNotes, 'note'>
}) {
  function pinOf(tx: Pick<Transaction, 'get'>, userId: number): PinRow {
    const row = tx.get<PinRow>('SELECT pin_hash, pin_failures, pin_locked_until FROM users WHERE id = ?', userId)
    if (row === null) throw new Failure('unauthenticated', 'Sign in first.')
    return row
  }

  /**
   * Takes one of the attempts, before the PIN is looked at: a thousand requests at once have no more than five. Answers
   * the hash to compare with.
   */
  function attempt(userId: number): Promise<string> {
    return db.transact({ userId }, tx => {
      const now = seconds(clock)
      const row = pinOf(tx, userId)
      if (row.pin_locked_until > now) {
        throw new Failure('tooMany', 'Too many wrong PINs. Unlocking is locked for a while.', {
          retryAfter: row.pin_locked_until - now,
        })
      }
      // A lock that is over leaves nothing behind.
      const failures = (row.pin_locked_until > 0 ? 0 : row.pin_failures) + 1
      const isLast = failures >= limits.pinFailures
      tx.run(
        'UPDATE users SET pin_failures = ?, pin_locked_until = ? WHERE id = ?',
        failures,
        isLast ? now + limits.pinLockSeconds : 0,
        userId,
      )
      return row.pin_hash
    })
  }

  return {
    /**
     * Unlocks the caller's session and answers the value that list calls must carry. 403 for a wrong PIN; 429 after five
     * of them, for fifteen minutes, for the right one too.
     */
    async unlock(viewer: Viewer, pin: string): Promise<{ includeHidden: string; seconds: number }> {
      const { userId, sessionId } = sessionOf(viewer)
      // Before one of the five attempts is taken.
      passwords.demandRoom()
      const hash = await attempt(userId)
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
        if (pinOf(tx, userId).pin_hash !== hash) throw new Failure('denied', 'Wrong PIN', { field: 'pin' })
        tx.run('UPDATE users SET pin_failures = 0, pin_locked_until = 0 WHERE id = ?', userId)
        const { changes } = tx.run(
          'UPDATE sessions SET unlock_value = ?, unlocked_until = ? WHERE id = ? AND user_id = ?',
          includeHidden,
          seconds(clock) + limits.unlockIdleSeconds,
          sessionId,
          userId,
        )
        if (changes === 0) throw new Failure('unauthenticated', 'Sign in first.')
        tx.event(channels.sessions, { action: 'update' })
      })
      return { includeHidden, seconds: limits.unlockIdleSeconds }
    },

    /** Hides again at once, in the session that this one replaced at a renewal too. */
    async lock(viewer: Viewer): Promise<void> {
      demandSignedIn(viewer)
      if (viewer.sessionId === null) return
      await db.transact(viewer, tx => {
        tx.run(
          `UPDATE sessions SET unlock_value = NULL, unlocked_until = 0
           WHERE id = ? OR unlock_value = (SELECT unlock_value FROM sessions WHERE id = ?)`,
          viewer.sessionId,
          viewer.sessionId,
        )
        tx.event(channels.sessions, { action: 'update' })
      })
    },
  }
}

export type Unlock = ReturnType<typeof createUnlock>
