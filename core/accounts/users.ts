/** Accounts: creating them and checking passwords, with the functions for profiles and administrators. */
import { eq } from 'drizzle-orm'
import type { Registration } from '../../schema/api/users.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { users } from '../../schema/tables/users.ts'
import { seconds } from '../kernel/clock.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { createRateLimit } from '../kernel/rate-limit.ts'
import { createAccountAdmin, createProfiles } from './account-changes.ts'
import { addressKey } from './client-address.ts'
import { revokeTokensOf } from './tokens/revoke-tokens.ts'
import { endSessionsOf, publishUsers, type UserRow, type UserStore, userByName, usernameKey } from './user-rows.ts'

/** `row` is the account of that name, if there is one. */
type CheckedPassword = { isRight: true; row: UserRow } | { isRight: false; row: UserRow | undefined }

function hasUsers({ orm }: Pick<LibraryDatabase, 'orm'>): boolean {
  return orm.select().from(users).limit(1).get() !== undefined
}

function insert(tx: Transaction, row: typeof users.$inferInsert): UserRow {
  const user = tx.orm.insert(users).values(row).returning().get()
  tx.audit('user.create', { user: user.id, username: user.username, globaladmin: user.globalAdmin })
  tx.event(channels.rights, { action: 'create' })
  publishUsers(tx)
  return user
}

export function createUsers(store: UserStore) {
  const { db, clock, passwords, pins } = store
  const registered = createRateLimit(clock, limits.registrationsAMinute)
  const registeredInAll = createRateLimit(clock, limits.registrationsOfAllAMinute)

  return {
    ...createProfiles(store),
    ...createAccountAdmin(store),
    hasAny: (): boolean => hasUsers(db),
    byName: (username: string): UserRow | null => userByName(db, username) ?? null,

    async create(actor: Actor, user: Registration & { globalAdmin: boolean }, onlyAsFirst = false): Promise<UserRow> {
      const [passwordHash, pinHash] = await Promise.all([passwords.hash(user.password), pins.hash(user.unlockPin)])
      return db.transact(actor, tx => {
        if (userByName(tx, user.username) !== undefined)
          throw new Failure('conflict', 'That username is not available.', { field: 'username' })
        // Of two concurrent first registrations, the second is refused: it must not create another global admin.
        if (onlyAsFirst && hasUsers(tx))
          throw new Failure('conflict', 'The first account was created meanwhile. Sign in instead.')
        const { name, email, globalAdmin } = user
        const username = user.username.normalize('NFC').trim()
        const names = { username, usernameKey: usernameKey(username), name, email }
        return insert(tx, { ...names, passwordHash, pinHash, globalAdmin, createdAt: seconds(clock) })
      })
    },

    /** Counts an account that is about to be created from this address; '' for local calls. */
    countRegistration(address: string): void {
      if (address === '') return
      const place = addressKey(address)
      const wait = Math.max(registered.secondsToWait(place), registeredInAll.secondsToWait(''))
      if (wait > 0) throw new Failure('tooMany', 'Too many new accounts. Wait a minute.', { retryAfter: wait })
      registered.count(place)
      registeredInAll.count('')
    },

    /** Whether this is the password of an enabled account. Takes the same time for an unknown name. */
    async checkPassword(username: string, password: string): Promise<CheckedPassword> {
      const row = userByName(db, username)
      const matches = await passwords.matches(password, row?.passwordHash ?? null)
      return matches && row?.disabled === false ? { isRight: true, row } : { isRight: false, row }
    },

    /** Sets a password, ends every session of the user, and signs out their devices and scripts. */
    async setPassword(actor: Actor, username: string, password: string): Promise<void> {
      const passwordHash = await passwords.hash(password)
      await db.transact(actor, tx => {
        const user = userByName(tx, username)
        if (user === undefined)
          throw new Failure('notFound', sentence`There is no user '${username}'. See: keepsake user list`)
        tx.orm.update(users).set({ passwordHash }).where(eq(users.id, user.id)).run()
        tx.audit('user.reset', { user: user.id, username: user.username, fields: ['password'] })
        endSessionsOf(tx, user.id)
        revokeTokensOf(tx, user.id)
      })
    },
  }
}

export type Users = ReturnType<typeof createUsers>
