/** Rows of accounts: finding them by id or name, and shared helpers. */
import type { User } from '../../schema/api/users.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { users } from '../../schema/tables/users.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { findBy } from '../kernel/database/find-by.ts'
import { notFound } from './access.ts'
import type { Passwords } from './passwords.ts'
import type { Pins } from './pins.ts'
import { endOtherSessions } from './sessions.sql.ts'

export type UserRow = typeof users.$inferSelect

export interface UserStore {
  db: LibraryDatabase
  clock: Clock
  passwords: Passwords
  pins: Pins
}

type ReadAccess = Pick<LibraryDatabase, 'orm'>

const byId = findBy(users, users.id)
const byNameKey = findBy(users, users.usernameKey)

/** The form in which two user names are compared. */
export function usernameKey(username: string): string {
  return username.normalize('NFC').trim().toLowerCase()
}

export function userById(db: ReadAccess, id: number | null): UserRow | undefined {
  return id === null ? undefined : byId(db, id)
}

export function existingUser(db: ReadAccess, id: number): UserRow {
  const row = userById(db, id)
  if (row === undefined) throw notFound()
  return row
}

export function userByName(db: ReadAccess, username: string): UserRow | undefined {
  return byNameKey(db, usernameKey(username))
}

/** The account of this name; `field` is the input field that a failure names. */
export function userNamed(db: ReadAccess, username: string, field = 'username'): UserRow {
  const row = userByName(db, username)
  if (row === undefined) throw new Failure('notFound', sentence`There is no user '${username}'.`, { field })
  return row
}

export function userJson({ id, username, name, email, globalAdmin }: UserRow): User {
  return { id, username, name, email, globaladmin: globalAdmin }
}

export function publishUsers(tx: Transaction): void {
  tx.event(channels.users, { action: 'update' })
}

/** Ends all sessions of a user, except the session `except` if it is given; returns how many it ended. */
export function endSessionsOf(tx: Transaction, userId: number, except: string | null = null): number {
  const { changes } = tx.run(endOtherSessions, userId, except)
  tx.event(channels.sessions, { action: 'delete' })
  publishUsers(tx)
  return changes
}

/** Names of an account's changed fields, for the audit log. */
export function changedFields(before: UserRow, after: UserRow): ('name' | 'email')[] {
  return (['name', 'email'] as const).filter(field => before[field] !== after[field])
}
