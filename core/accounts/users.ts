/** Accounts: registering, checking passwords, profiles, and what administrators do with other people's. */
import type { Account, Profile, Registration, User } from '../../schema/api/users.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { createFailureCounter } from '../kernel/failure-counter.ts'
import { demandAdminSomewhere, demandGlobalAdmin, demandSignedIn, notFound, type Viewer } from './access.ts'
import { addressKey } from './client-address.ts'
import type { Passwords } from './passwords.ts'
import type { Pins } from './pins.ts'
import { revokeTokensOf } from './tokens/revoke-tokens.ts'

/** A users row as this module reads it. */
export interface UserRow {
  id: number
  username: string
  name: string
  email: string
  password_hash: string
  /** Sealed: see core/accounts/pins.ts. */
  pin_hash: string
  global_admin: number
  disabled: number
  created_at: number
}

/** The form in which two user names are compared. */
export function usernameKey(username: string): string {
  return username.normalize('NFC').trim().toLowerCase()
}

export function userJson(row: UserRow): User {
  return { id: row.id, username: row.username, name: row.name, email: row.email, globaladmin: row.global_admin === 1 }
}

const userColumns = 'id, username, name, email, password_hash, pin_hash, global_admin, disabled, created_at'
const selectById = `SELECT ${userColumns} FROM users WHERE id = ?`

/** `row` is the account of that name, if there is one. */
export type CheckedPassword = { isRight: true; row: UserRow } | { isRight: false; row: UserRow | null }

export interface NewUser extends Registration {
  globalAdmin: boolean
}

/** What a PUT of an account may change. */
export interface UserChanges {
  id: number
  name?: string | undefined
  email?: string | undefined
  globaladmin?: boolean | undefined
}

/** Without one nobody could let anybody in any more. */
function demandAnotherAdmin(tx: Transaction, row: UserRow, what: string) {
  if (row.global_admin === 0 || row.disabled === 1) return
  const other = tx.get('SELECT 1 FROM users WHERE global_admin = 1 AND disabled = 0 AND id <> ? LIMIT 1', row.id)
  if (other !== null) return
  throw new Failure('conflict', `${row.username} is the last global admin and ${what}. Make somebody else one first.`)
}

/** The list of accounts is another one now: for those who look at it. */
export function tellUsers(tx: Pick<Transaction, 'event'>): void {
  tx.event(channels.users, { action: 'update' })
}

function existing(tx: Pick<Transaction, 'get'>, id: number): UserRow {
  const row = tx.get<UserRow>(selectById, id)
  if (row === null) throw notFound()
  return row
}

/** Which fields of an account are other ones now, as the audit log says it. */
function changedFields(row: UserRow, { name = row.name, email = row.email }: { name?: string; email?: string }) {
  return [...(name === row.name ? [] : ['name']), ...(email === row.email ? [] : ['email'])]
}

/** A changed profile; a new password is an entry of its own. */
function auditProfile(tx: Transaction, row: UserRow, profile: Profile) {
  const about = { user: row.id, username: row.username }
  const fields = [...changedFields(row, profile), ...(profile.unlockPin ? ['pin'] : [])]
  if (fields.length > 0) tx.audit('user.update', { ...about, fields })
  if (profile.newPassword) tx.audit('user.password', about)
}

export function createUsers({
  db,
  clock,
  passwords,
  pins,
}: {
  db: LibraryDatabase
  clock: Clock
  passwords: Passwords
  pins: Pins
}) {
  /** Wrong passwords of people who are signed in already, and accounts made, by address and in all. */
  const wrong = createFailureCounter(clock, limits.ownPasswordFailuresAMinute)
  const registered = createFailureCounter(clock, limits.registrationsAMinute)
  const registeredInAll = createFailureCounter(clock, limits.registrationsOfAllAMinute)

  function byName(username: string): UserRow | null {
    return db.get<UserRow>(`SELECT ${userColumns} FROM users WHERE username_key = ?`, usernameKey(username))
  }

  function insert(tx: Transaction, user: NewUser, hashes: { password: string; pin: string }): UserRow {
    const { lastInsertRowid } = tx.run(
      `INSERT INTO users (username, username_key, name, email, password_hash, pin_hash, global_admin, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      user.username.normalize('NFC').trim(),
      usernameKey(user.username),
      user.name,
      user.email,
      hashes.password,
      hashes.pin,
      user.globalAdmin ? 1 : 0,
      seconds(clock),
    )
    const row = existing(tx, lastInsertRowid)
    tx.audit('user.create', { user: row.id, username: row.username, globaladmin: user.globalAdmin })
    tx.event(channels.rights, { action: 'create' })
    tellUsers(tx)
    return row
  }

  async function create(actor: Actor, user: NewUser, onlyAsFirst = false): Promise<UserRow> {
    const [password, pin] = await Promise.all([passwords.hash(user.password), pins.hash(user.unlockPin)])
    return db.transact(actor, tx => {
      const taken = tx.get('SELECT 1 FROM users WHERE username_key = ?', usernameKey(user.username))
      if (taken !== null) throw new Failure('conflict', 'That username is not available.', { field: 'username' })
      const isFirst = tx.get('SELECT 1 FROM users LIMIT 1') === null
      // Two first registrations at once: the second is an ordinary one, or is refused if it counted on being first.
      if (onlyAsFirst && !isFirst)
        throw new Failure('conflict', 'The first account has been made meanwhile. Sign in instead.')
      return insert(tx, user, { password, pin })
    })
  }

  /** Ends the sessions of a user, all of them or all but the one that `except` belongs to; answers how many. */
  function endSessionsOf(tx: Transaction, userId: number, except: string | null = null): number {
    const { changes } = tx.run(
      // Renewed sessions share their CSRF value: the one that is just being replaced is the same person's.
      'DELETE FROM sessions WHERE user_id = ? AND csrf IS NOT (SELECT csrf FROM sessions WHERE id = ?)',
      userId,
      except,
    )
    tx.event(channels.sessions, { action: 'delete' })
    tellUsers(tx)
    return changes
  }

  function accountJson(row: UserRow): Account {
    const now = seconds(clock)
    const open = db.get<{ n: number }>(
      'SELECT count(*) AS n FROM sessions WHERE user_id = ? AND expires_at > ? AND grace_until IS NULL',
      row.id,
      now,
    )
    return { ...userJson(row), disabled: row.disabled === 1, sessions: open?.n ?? 0, created: row.created_at }
  }

  /** Who sits there knows the password: a session that was left open, or stolen, must not be enough to take the account. */
  async function demandOwnPassword(row: UserRow, password: string): Promise<void> {
    const key = `user ${row.id}`
    const wait = wrong.wait(key)
    if (wait > 0) throw new Failure('tooMany', 'Too many attempts. Wait a minute and try again.', { retryAfter: wait })
    const takeBack = wrong.add(key)
    const isRight = await passwords.matches(password, row.password_hash).catch((error: unknown) => {
      takeBack()
      throw error
    })
    if (!isRight) {
      throw new Failure('denied', 'Incorrect password', { field: 'password' })
    }
    wrong.clear(key)
  }

  return {
    any: (): boolean => db.get('SELECT 1 FROM users LIMIT 1') !== null,
    byName,
    byId: (id: number): UserRow | null => db.get<UserRow>(selectById, id),
    all: (): UserRow[] => db.all<UserRow>(`SELECT ${userColumns} FROM users ORDER BY username_key`),
    create,

    /** Counts an account that somebody at this address is about to make; '' where there is no network between. */
    countRegistration(address: string): void {
      if (address === '') return
      const place = addressKey(address)
      const wait = Math.max(registered.wait(place), registeredInAll.wait(''))
      if (wait > 0) throw new Failure('tooMany', 'Too many new accounts. Wait a minute.', { retryAfter: wait })
      registered.add(place)
      registeredInAll.add('')
    },

    /** Whether this is the password of the account, and the account may sign in. Takes as long for a name that nobody has. */
    async checkPassword(username: string, password: string): Promise<CheckedPassword> {
      const row = byName(username)
      const matches = await passwords.matches(password, row?.password_hash ?? null)
      return matches && row !== null && row.disabled === 0 ? { isRight: true, row } : { isRight: false, row }
    },

    /** Sets a password, ends every session of the user, and signs out their devices and scripts. */
    async setPassword(actor: Actor, username: string, password: string): Promise<void> {
      const hash = await passwords.hash(password)
      await db.transact(actor, tx => {
        const row = tx.get<UserRow>(`SELECT ${userColumns} FROM users WHERE username_key = ?`, usernameKey(username))
        if (row === null) throw new Failure('notFound', `There is no user '${username}'. See: keepsake user list`)
        tx.run('UPDATE users SET password_hash = ? WHERE id = ?', hash, row.id)
        tx.audit('user.reset', { user: row.id, username: row.username, fields: ['password'] })
        endSessionsOf(tx, row.id)
        revokeTokensOf(tx, row.id)
      })
    },

    /** Accounts with everything for global admins; whoever administers a collection gets what adding to groups needs. */
    list(viewer: Viewer): Account[] {
      demandAdminSomewhere(viewer)
      const rows = db.all<UserRow>(`SELECT ${userColumns} FROM users ORDER BY username_key`)
      if (!viewer.globalAdmin) return rows.map(({ id, username, name }) => ({ id, username, name }))
      return rows.map(accountJson)
    },

    /**
     * The own profile. The password is that of now (403 when it is not); an empty PIN or new password leaves it as it is,
     * a new password ends the user's other sessions, a new PIN locks them again. Devices and scripts stay signed in
     * unless `signOutTokens` says otherwise.
     */
    async updateProfile(viewer: Viewer, profile: Profile): Promise<User> {
      demandSignedIn(viewer)
      const row = viewer.userId === null ? null : db.get<UserRow>(selectById, viewer.userId)
      if (row === null) throw new Failure('denied', 'Only an account has a profile.')
      await demandOwnPassword(row, profile.password)
      const [password, pin] = await Promise.all([
        profile.newPassword ? passwords.hash(profile.newPassword) : null,
        profile.unlockPin ? pins.hash(profile.unlockPin) : null,
      ])
      return db.transact(viewer, tx => {
        const now = existing(tx, row.id)
        // Changed in between: what was checked is not the password any more.
        if (now.password_hash !== row.password_hash) {
          throw new Failure('denied', 'Incorrect password', { field: 'password' })
        }
        tx.run(
          `UPDATE users SET name = ?, email = ?, password_hash = coalesce(?, password_hash),
             pin_hash = coalesce(?, pin_hash) WHERE id = ?`,
          profile.name,
          profile.email,
          password,
          pin,
          row.id,
        )
        if (pin !== null) {
          tx.run('UPDATE users SET pin_failures = 0, pin_locked_until = 0 WHERE id = ?', row.id)
          tx.run(
            'UPDATE sessions SET unlock_value = NULL, unlocked_until = 0 WHERE user_id = ? AND id IS NOT ?',
            row.id,
            viewer.sessionId,
          )
        }
        if (password !== null) endSessionsOf(tx, row.id, viewer.sessionId)
        else tx.event(channels.sessions, { action: 'update' })
        auditProfile(tx, now, profile)
        if (profile.signOutTokens === true) revokeTokensOf(tx, row.id)
        tellUsers(tx)
        return userJson(existing(tx, row.id))
      })
    },

    /** Name and e-mail of an account, and the role. Others' accounts, and any role, are for global admins. */
    put(viewer: Viewer, { id, name, email, globaladmin }: UserChanges): Promise<User> {
      demandSignedIn(viewer)
      if (viewer.userId !== id) demandGlobalAdmin(viewer)
      return db.transact(viewer, tx => {
        const row = existing(tx, id)
        const role = globaladmin === undefined ? row.global_admin : Number(globaladmin)
        if (role !== row.global_admin) {
          demandGlobalAdmin(viewer)
          if (role === 0) demandAnotherAdmin(tx, row, 'has to stay one')
        }
        tx.run(
          'UPDATE users SET name = coalesce(?, name), email = coalesce(?, email), global_admin = ? WHERE id = ?',
          name ?? null,
          email ?? null,
          role,
          id,
        )
        const about = { user: id, username: row.username }
        const fields = changedFields(row, {
          ...(name === undefined ? {} : { name }),
          ...(email === undefined ? {} : { email }),
        })
        if (fields.length > 0) tx.audit('user.update', { ...about, fields })
        if (role !== row.global_admin) {
          tx.audit('user.role', { ...about, globaladmin: role === 1 })
          tx.history({
            operation: 'user.role',
            before: { user: id, globaladmin: row.global_admin === 1 },
            after: { user: id, globaladmin: role === 1 },
          })
        }
        tx.event(channels.rights, { action: 'update' })
        tellUsers(tx)
        return userJson(existing(tx, id))
      })
    },

    /** Shuts an account out, with its sessions, shares, devices and tokens, or lets it in again. */
    async disable(viewer: Viewer, id: number, disabled: boolean): Promise<Account> {
      demandGlobalAdmin(viewer)
      await db.transact(viewer, tx => {
        const row = existing(tx, id)
        if (disabled) demandAnotherAdmin(tx, row, 'can’t be shut out')
        tx.run('UPDATE users SET disabled = ? WHERE id = ?', disabled ? 1 : 0, id)
        if (disabled) endSessionsOf(tx, id)
        if (disabled !== (row.disabled === 1)) {
          tx.audit(disabled ? 'user.disable' : 'user.enable', { user: id, username: row.username })
        }
        tx.event(channels.rights, { action: 'update' })
        tellUsers(tx)
        tx.history({
          operation: 'user.disable',
          before: { user: id, disabled: row.disabled === 1 },
          after: { user: id, disabled },
        })
      })
      return accountJson(existing(db, id))
    },

    /**
     * A new password, a new PIN, or both, for somebody who has forgotten; all their sessions end. A new password signs out
     * their devices and scripts, too: whoever had the account must be out of it. A PIN alone does not, as neither ever
     * sees what it opens. `conflict` for one's own account: a session that was left open would be enough to take it.
     */
    async reset(
      viewer: Viewer,
      id: number,
      { password, unlockPin }: { password?: string | undefined; unlockPin?: string | undefined },
    ): Promise<void> {
      demandGlobalAdmin(viewer)
      existing(db, id)
      if (viewer.userId === id) {
        throw new Failure('conflict', 'Change your own password and PIN in your profile, which asks for the password.')
      }
      if (password === undefined && unlockPin === undefined) {
        throw new Failure('invalid', 'Give a new password, or a new PIN.', { field: 'password' })
      }
      const [passwordHash, pinHash] = await Promise.all([
        password === undefined ? null : passwords.hash(password),
        unlockPin === undefined ? null : pins.hash(unlockPin),
      ])
      await db.transact(viewer, tx => {
        const { username } = existing(tx, id)
        tx.run(
          `UPDATE users SET password_hash = coalesce(?, password_hash), pin_hash = coalesce(?, pin_hash),
             pin_failures = 0, pin_locked_until = 0 WHERE id = ?`,
          passwordHash,
          pinHash,
          id,
        )
        const fields = [...(passwordHash === null ? [] : ['password']), ...(pinHash === null ? [] : ['pin'])]
        tx.audit('user.reset', { user: id, username, fields })
        endSessionsOf(tx, id)
        if (passwordHash !== null) revokeTokensOf(tx, id)
      })
    },

    /** Ends every session of an account, and signs out its devices and scripts; returns how many there were. */
    async endSessions(viewer: Viewer, id: number): Promise<{ ended: number; tokens: number }> {
      demandGlobalAdmin(viewer)
      return db.transact(viewer, tx => {
        const { username } = existing(tx, id)
        tx.audit('user.sessions', { user: id, username })
        return { ended: endSessionsOf(tx, id), tokens: revokeTokensOf(tx, id) }
      })
    },
  }
}

export type Users = ReturnType<typeof createUsers>
