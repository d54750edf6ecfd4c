/** Limits failed logins. Others cannot lock a user out at an address from which the user has signed in. */
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { signInPlaces } from '../../schema/tables/users.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { createRateLimit } from '../kernel/rate-limit.ts'
import type { AuditNotes } from './audit/audit-notes.ts'
import { addressKey } from './client-address.ts'
import { forgetPlaces, placeOfName } from './sessions.sql.ts'
import { userByName, usernameKey } from './user-rows.ts'

/** Addresses kept per user; the least recently used is removed. */
const maxPlaces = 20
const placeSeconds = 400 * 86_400

interface Dependencies {
  db: LibraryDatabase
  clock: Clock
  notes: Pick<AuditNotes, 'note'>
}

export function createLoginLimits({ db, clock, notes }: Dependencies) {
  const { pair, address: ofAddress, name: ofName, all } = limits.loginFailuresAMinute
  const counters = {
    pair: createRateLimit(clock, pair),
    address: createRateLimit(clock, ofAddress),
    name: createRateLimit(clock, ofName),
    all: createRateLimit(clock, all),
  }

  function hasSignedIn(name: string, place: string): boolean {
    return db.get(placeOfName, name, place, seconds(clock) - placeSeconds) !== null
  }

  return {
    /** Counts a failure before the password is checked, even for an unknown name. Throws `tooMany` above a limit. */
    begin(username: string, address: string) {
      const [name, place] = [usernameKey(username), addressKey(address)]
      const ofPair = { counter: counters.pair, key: JSON.stringify([name, place]), limit: 'pair' }
      const counted = hasSignedIn(name, place)
        ? [ofPair]
        : [
            ofPair,
            { counter: counters.address, key: place, limit: 'address' },
            { counter: counters.name, key: name, limit: 'name' },
            { counter: counters.all, key: '', limit: 'all' },
          ]
      const [longest] = counted
        .map(({ counter, key, limit }) => ({ limit, wait: counter.secondsToWait(key) }))
        .sort((a, b) => b.wait - a.wait)
      if (longest !== undefined && longest.wait > 0) {
        const actor = { userId: userByName(db, username)?.id ?? null, kind: 'anonymous', address }
        notes.note('login.limited', actor, { limit: longest.limit })
        throw new Failure('tooMany', 'Too many attempts. Wait a minute and try again.', { retryAfter: longest.wait })
      }
      const added = counted.map(({ counter, key }) => counter.count(key))
      const undo = () => {
        for (const undoCount of added) undoCount()
      }
      return {
        undo,
        /** Called when the password was right: forgets earlier failures of this name at this address. */
        succeed() {
          undo()
          ofPair.counter.clear(ofPair.key)
        },
      }
    },

    rememberAddress(tx: Transaction, userId: number, address: string): void {
      if (address === '') return
      const lastAt = seconds(clock)
      tx.orm
        .insert(signInPlaces)
        .values({ userId, address: addressKey(address), lastAt })
        .onConflictDoUpdate({ target: [signInPlaces.userId, signInPlaces.address], set: { lastAt } })
        .run()
      tx.run(forgetPlaces, lastAt - placeSeconds, userId, userId, maxPlaces)
    },
  }
}

export type LoginLimits = ReturnType<typeof createLoginLimits>
