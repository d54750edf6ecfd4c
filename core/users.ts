/** Accounts: registering, checking passwords, what the terminal does with them. */

import type { Registration, User } from '../schema/api/users.ts'
import { Failure } from '../schema/errors.ts'
import { channels } from '../schema/realtime.ts'
import { type Clock, seconds } from './clock.ts'
import type { Actor, LibraryDatabase } from './database.ts'

/** A users row as this module reads it. */
export interface UserRow {
  id: number
  username: string
  name: string
  email: string
  password_hash: string
  pin_hash: string
  global_admin: number
  disabled: number
}

/** argon2id as the OWASP sheet has it for little memory: 19 MiB, two passes; about 20 ms. */
const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** The form in which two user names are compared. */
export function usernameKey(username: string): string {
  return username.normalize('NFC').trim().toLowerCase()
}

export function userJson(row: UserRow): User {
  return { id: row.id, username: row.username, name: row.name, email: row.email, globaladmin: row.global_admin === 1 }
}

const userColumns = 'id, username, name, email, password_hash, pin_hash, global_admin, disabled'

export interface NewUser extends Registration {
  globalAdmin: boolean
}

export function createUsers({ db, clock }: { db: LibraryDatabase; clock: Clock }) {
  function byName(username: string): UserRow | null {
    return db.get<UserRow>(`SELECT ${userColumns} FROM users WHERE username_key = ?`, usernameKey(username))
  }

  /** A hash that no password has: checking it takes as long as checking a real one. */
  let decoy: Promise<string> | null = null

  async function create(actor: Actor, user: NewUser, onlyAsFirst = false): Promise<UserRow> {
    const [passwordHash, pinHash] = await Promise.all([
      Bun.password.hash(user.password, argon),
      Bun.password.hash(user.unlockPin, argon),
    ])
    return db.transact(actor, tx => {
      const taken = tx.get('SELECT 1 FROM users WHERE username_key = ?', usernameKey(user.username))
      if (taken !== null) throw new Failure('conflict', 'That username is not available.', { field: 'username' })
      const isFirst = tx.get('SELECT 1 FROM users LIMIT 1') === null
      // Two first registrations at once: the second is an ordinary one, or is refused if it counted on being first.
      if (onlyAsFirst && !isFirst)
        throw new Failure('conflict', 'The first account has been made meanwhile. Sign in instead.')
      const { lastInsertRowid } = tx.run(
        `INSERT INTO users (username, username_key, name, email, password_hash, pin_hash, global_admin, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        user.username.normalize('NFC').trim(),
        usernameKey(user.username),
        user.name,
        user.email,
        passwordHash,
        pinHash,
        user.globalAdmin ? 1 : 0,
        seconds(clock),
      )
      tx.event(channels.rights, { action: 'create' })
      const row = tx.get<UserRow>(`SELECT ${userColumns} FROM users WHERE id = ?`, lastInsertRowid)
      if (row === null) throw new Error('the new user is not there')
      return row
    })
  }

  return {
    any: (): boolean => db.get('SELECT 1 FROM users LIMIT 1') !== null,
    byName,
    byId: (id: number): UserRow | null => db.get<UserRow>(`SELECT ${userColumns} FROM users WHERE id = ?`, id),
    all: (): UserRow[] => db.all<UserRow>(`SELECT ${userColumns} FROM users ORDER BY username_key`),
    create,

    /** The user, if the password is his and he is not disabled. Takes as long for a name that nobody has. */
    async checkPassword(username: string, password: string): Promise<UserRow | null> {
      const row = byName(username)
      decoy ??= Bun.password.hash(crypto.randomUUID(), argon)
      const matches = await Bun.password.verify(password, row?.password_hash ?? (await decoy))
      return matches && row !== null && row.disabled === 0 ? row : null
    },

    /** Sets a password and ends every session of the user. */
    async setPassword(actor: Actor, username: string, password: string): Promise<void> {
      const hash = await Bun.password.hash(password, argon)
      await db.transact(actor, tx => {
        const { changes } = tx.run(
          'UPDATE users SET password_hash = ? WHERE username_key = ?',
          hash,
          usernameKey(username),
        )
        if (changes === 0) throw new Failure('notFound', `There is no user '${username}'. See: keepsake user list`)
        tx.run(
          'DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE username_key = ?)',
          usernameKey(username),
        )
        tx.event(channels.sessions, { action: 'delete' })
      })
    },
  }
}

export type Users = ReturnType<typeof createUsers>
