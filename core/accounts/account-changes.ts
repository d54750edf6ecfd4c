/** Changes to accounts: users change their own profile, administrators change other accounts. */
import { and, asc, count, eq, gt, isNull, ne } from 'drizzle-orm'
import type { Account, Profile, User } from '../../schema/api/users.ts'
import { Failure, type Sentence, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { sessions, users } from '../../schema/tables/users.ts'
import { seconds } from '../kernel/clock.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { createRateLimit } from '../kernel/rate-limit.ts'
import { requireAdminSomewhere, requireGlobalAdmin, requireSignedIn, type Viewer } from './access.ts'
import { revokeTokensOf } from './tokens/revoke-tokens.ts'
import {
  changedFields,
  endSessionsOf,
  existingUser,
  publishUsers,
  type UserRow,
  type UserStore,
  userById,
  userJson,
} from './user-rows.ts'

interface UserChanges {
  id: number
  name?: string | undefined
  email?: string | undefined
  globaladmin?: boolean | undefined
  language?: string | undefined
}

/** Throws if the user is the last enabled global admin: without one nobody could grant rights any more. */
function requireAnotherAdmin(tx: Transaction, { id, globalAdmin, disabled }: UserRow, refusal: Sentence) {
  if (!globalAdmin || disabled) return
  const isOther = and(eq(users.globalAdmin, true), eq(users.disabled, false), ne(users.id, id))
  if (tx.orm.select().from(users).where(isOther).limit(1).get() !== undefined) return
  throw new Failure('conflict', refusal)
}

/** Records a changed profile; a new password is a separate entry. */
function auditProfile(tx: Transaction, before: UserRow, after: UserRow, profile: Profile) {
  const about = { user: before.id, username: before.username }
  const fields = [...changedFields(before, after), ...(profile.unlockPin ? ['pin'] : [])]
  if (fields.length > 0) tx.audit('user.update', { ...about, fields })
  if (profile.newPassword) tx.audit('user.password', about)
}

export function createProfiles({ db, clock, passwords, pins }: UserStore) {
  const passwordFailures = createRateLimit(clock, limits.ownPasswordFailuresAMinute)

  /** Requires the password: an open or stolen session must not be enough to take over the account. */
  async function requireOwnPassword({ id, passwordHash }: UserRow, password: string): Promise<void> {
    const key = `user ${id}`
    const wait = passwordFailures.secondsToWait(key)
    if (wait > 0) throw new Failure('tooMany', 'Too many attempts. Wait a minute and try again.', { retryAfter: wait })
    const undo = passwordFailures.count(key)
    const isRight = await passwords.matches(password, passwordHash).catch((error: unknown) => {
      undo()
      throw error
    })
    if (!isRight) throw new Failure('denied', 'Incorrect password', { field: 'password' })
    passwordFailures.clear(key)
  }

  return {
    /**
     * Changes the viewer's own profile. Requires the current password (403 otherwise). If the PIN or the new password
     * is empty, the old one stays. A new password ends the user's other sessions, a new PIN locks them. Devices and
     * scripts stay signed in unless `signOutTokens` is set.
     */
    async updateProfile(viewer: Viewer, profile: Profile): Promise<User> {
      requireSignedIn(viewer)
      const row = userById(db, viewer.userId)
      if (row === undefined) throw new Failure('denied', 'Only an account has a profile.')
      await requireOwnPassword(row, profile.password)
      const [passwordHash, pinHash] = await Promise.all([
        profile.newPassword ? passwords.hash(profile.newPassword) : row.passwordHash,
        profile.unlockPin ? pins.hash(profile.unlockPin) : undefined,
      ])
      return db.transact(viewer, tx => {
        const before = existingUser(tx, row.id)
        // The password was changed meanwhile, so the checked one is not the current one any more.
        if (before.passwordHash !== row.passwordHash) {
          throw new Failure('denied', 'Incorrect password', { field: 'password' })
        }
        const { name, email } = profile
        const pin = pinHash === undefined ? {} : { pinHash, pinFailures: 0, pinLockedUntil: 0 }
        const changes = { name, email, passwordHash, ...pin }
        const after = tx.orm.update(users).set(changes).where(eq(users.id, row.id)).returning().get()
        if (pinHash !== undefined) {
          const others = and(eq(sessions.userId, row.id), ne(sessions.id, viewer.sessionId ?? ''))
          tx.orm.update(sessions).set({ unlockValue: null, unlockedUntil: 0 }).where(others).run()
        }
        if (profile.newPassword) endSessionsOf(tx, row.id, viewer.sessionId)
        else tx.event(channels.sessions, { action: 'update' })
        auditProfile(tx, before, after, profile)
        if (profile.signOutTokens === true) revokeTokensOf(tx, row.id)
        publishUsers(tx)
        return userJson(after)
      })
    },

    /** Changes name, e-mail, role and language of an account. Only global admins may change a role, or another user's account. */
    put(viewer: Viewer, { id, name, email, globaladmin, language }: UserChanges): Promise<User> {
      requireSignedIn(viewer)
      if (viewer.userId !== id) requireGlobalAdmin(viewer)
      return db.transact(viewer, tx => {
        const before = existingUser(tx, id)
        const globalAdmin = globaladmin ?? before.globalAdmin
        const isRoleChanged = globalAdmin !== before.globalAdmin
        if (isRoleChanged) requireGlobalAdmin(viewer)
        if (isRoleChanged && !globalAdmin)
          requireAnotherAdmin(
            tx,
            before,
            sentence`${before.username} is the last global admin. Make another user a global admin first.`,
          )
        const after = tx.orm
          .update(users)
          .set({ name, email, globalAdmin, language })
          .where(eq(users.id, id))
          .returning()
          .get()
        const about = { user: id, username: before.username }
        const fields = changedFields(before, after)
        if (fields.length > 0) tx.audit('user.update', { ...about, fields })
        if (isRoleChanged) {
          tx.audit('user.role', { ...about, globaladmin: globalAdmin })
          const role = (row: UserRow) => ({ user: id, globaladmin: row.globalAdmin })
          tx.history({ operation: 'user.role', before: role(before), after: role(after) })
        }
        tx.event(channels.rights, { action: 'update' })
        publishUsers(tx)
        return userJson(after)
      })
    },
  }
}

export function createAccountAdmin({ db, clock, passwords, pins }: UserStore) {
  const all = () => db.orm.select().from(users).orderBy(asc(users.usernameKey)).all()

  function accountJson(row: UserRow): Account {
    const isOpen = and(eq(sessions.userId, row.id), gt(sessions.expiresAt, seconds(clock)), isNull(sessions.graceUntil))
    const open = db.orm.select({ n: count() }).from(sessions).where(isOpen).get()
    return { ...userJson(row), disabled: row.disabled, sessions: open?.n ?? 0, created: row.createdAt }
  }

  return {
    all,

    /** Lists accounts: all data for global admins; for other administrators only what adding members requires. */
    list(viewer: Viewer): Account[] {
      requireAdminSomewhere(viewer)
      return all().map(row =>
        viewer.globalAdmin ? accountJson(row) : { id: row.id, username: row.username, name: row.name },
      )
    },

    /** Disables an account, with its sessions, shares, devices and tokens, or enables it again. */
    async disable(viewer: Viewer, id: number, disabled: boolean): Promise<Account> {
      requireGlobalAdmin(viewer)
      await db.transact(viewer, tx => {
        const row = existingUser(tx, id)
        if (disabled)
          requireAnotherAdmin(
            tx,
            row,
            sentence`${row.username} is the last global admin and cannot be disabled. Make another user a global admin first.`,
          )
        tx.orm.update(users).set({ disabled }).where(eq(users.id, id)).run()
        if (disabled) endSessionsOf(tx, id)
        if (disabled !== row.disabled) {
          tx.audit(disabled ? 'user.disable' : 'user.enable', { user: id, username: row.username })
        }
        tx.event(channels.rights, { action: 'update' })
        publishUsers(tx)
        const before = { user: id, disabled: row.disabled }
        tx.history({ operation: 'user.disable', before, after: { user: id, disabled } })
      })
      return accountJson(existingUser(db, id))
    },

    /**
     * Sets a new password or PIN for a user who forgot it; all their sessions end. A new password also revokes their
     * tokens, since somebody else may have used the account. Throws `conflict` for the viewer's own account: otherwise
     * an open session would be enough to take it over.
     */
    async reset(
      viewer: Viewer,
      id: number,
      { password, unlockPin }: { password?: string | undefined; unlockPin?: string | undefined },
    ): Promise<void> {
      requireGlobalAdmin(viewer)
      existingUser(db, id)
      if (viewer.userId === id) {
        throw new Failure('conflict', 'Change your own password and PIN in your profile.')
      }
      if (password === undefined && unlockPin === undefined) {
        throw new Failure('invalid', 'Give a new password, or a new PIN.', { field: 'password' })
      }
      const [passwordHash, pinHash] = await Promise.all([
        password === undefined ? undefined : passwords.hash(password),
        unlockPin === undefined ? undefined : pins.hash(unlockPin),
      ])
      await db.transact(viewer, tx => {
        const { username } = existingUser(tx, id)
        const changes = { passwordHash, pinHash, pinFailures: 0, pinLockedUntil: 0 }
        tx.orm.update(users).set(changes).where(eq(users.id, id)).run()
        const fields = [...(passwordHash === undefined ? [] : ['password']), ...(pinHash === undefined ? [] : ['pin'])]
        tx.audit('user.reset', { user: id, username, fields })
        endSessionsOf(tx, id)
        if (passwordHash !== undefined) revokeTokensOf(tx, id)
      })
    },

    /** Ends all sessions of an account, and signs out its devices and scripts; returns the numbers of both. */
    async endSessions(viewer: Viewer, id: number): Promise<{ ended: number; tokens: number }> {
      requireGlobalAdmin(viewer)
      return db.transact(viewer, tx => {
        const { username } = existingUser(tx, id)
        tx.audit('user.sessions', { user: id, username })
        return { ended: endSessionsOf(tx, id), tokens: revokeTokensOf(tx, id) }
      })
    },
  }
}
