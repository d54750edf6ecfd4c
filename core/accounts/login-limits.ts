/** Limits failed logins, and remembers the addresses each user has signed in from, where others cannot lock them out. */
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { createFailureCounter } from '../kernel/failure-counter.ts'
import type { AuditNotes } from './audit/audit-notes.ts'
import { addressKey } from './client-address.ts'
import { usernameKey } from './users.ts'

/** Addresses kept per user; the least recently used is removed. */
const placesMost = 20
const placeSeconds = 400 * 86_400

/** A login attempt, counted as a failure before the password is checked. */
interface LoginAttempt {
  /** Takes the failure back. */
  takeBack(): void
  /** The password was right: forgets earlier failures of this name at this address. */
  succeed(): void
}

export interface LoginLimits {
  /**
   * Counts an attempt; throws `tooMany` above the limit. An unknown name is counted and refused like a known one from an
   * address it has not signed in from.
   */
  begin(username: string, address: string): LoginAttempt
  /** Remembers that the user has signed in from this address. */
  remember(tx: Transaction, userId: number, address: string): void
}

export function createLoginLimits({
  db,
  clock,
  notes,
}: {
  db: LibraryDatabase
  clock: Clock
  notes: Pick<AuditNotes, 'note'>
}): LoginLimits {
  const { pair, address: ofAddress, name: ofName, all } = limits.loginFailuresAMinute
  const counters = {
    pair: createFailureCounter(clock, pair),
    address: createFailureCounter(clock, ofAddress),
    name: createFailureCounter(clock, ofName),
    all: createFailureCounter(clock, all),
  }

  function hasSignedIn(name: string, place: string): boolean {
    const row = db.get(
      `SELECT 1 FROM users AS u JOIN sign_in_places AS p ON p.user_id = u.id
       WHERE u.username_key = ? AND p.address = ? AND p.last_at > ?`,
      name,
      place,
      seconds(clock) - placeSeconds,
    )
    return row !== null
  }

  return {
    begin(username, address) {
      const [name, place] = [usernameKey(username), addressKey(address)]
      const own = { counter: counters.pair, key: JSON.stringify([name, place]), limit: 'pair' }
      const counted = hasSignedIn(name, place)
        ? [own]
        : [
            own,
            { counter: counters.address, key: place, limit: 'address' },
            { counter: counters.name, key: name, limit: 'name' },
            { counter: counters.all, key: '', limit: 'all' },
          ]
      const [longest] = counted
        .map(({ counter, key, limit }) => ({ limit, wait: counter.wait(key) }))
        .sort((a, b) => b.wait - a.wait)
      if (longest !== undefined && longest.wait > 0) {
        const user = db.get<{ id: number }>('SELECT id FROM users WHERE username_key = ?', name)
        const actor = { userId: user?.id ?? null, kind: 'anonymous', address }
        notes.note('login.limited', actor, { limit: longest.limit })
        throw new Failure('tooMany', 'Too many attempts. Wait a minute and try again.', { retryAfter: longest.wait })
      }
      const added = counted.map(({ counter, key }) => counter.add(key))
      const takeBack = () => {
        for (const take of added) take()
      }
      return {
        takeBack,
        succeed() {
          takeBack()
          own.counter.clear(own.key)
        },
      }
    },

    remember(tx, userId, address) {
      if (address === '') return
      const now = seconds(clock)
      tx.run(
        `INSERT INTO sign_in_places (user_id, address, last_at) VALUES (?, ?, ?)
         ON CONFLICT (user_id, address) DO UPDATE SET last_at = excluded.last_at`,
        userId,
        addressKey(address),
        now,
      )
      tx.run(
        `DELETE FROM sign_in_places WHERE last_at <= ? OR (user_id = ? AND address NOT IN
           (SELECT address FROM sign_in_places WHERE user_id = ? ORDER BY last_at DESC, rowid DESC LIMIT ?))`,
        now - placeSeconds,
        userId,
        userId,
        placesMost,
      )
    },
  }
}
