/** Sessions with their users, ending or locking sessions, and where users have signed in from. */
import { sessions, signInPlaces, users } from '../../schema/tables/users.ts'
import { columns } from '../kernel/database/columns.ts'
import { select } from '../kernel/database/statement.ts'

export const sessionById = select(
  {
    ...columns(sessions, 'id', 'userId', 'expiresAt', 'graceUntil', 'csrf', 'unlockValue', 'unlockedUntil'),
    ...columns(users, 'username', 'globalAdmin', 'disabled'),
  },
  'FROM sessions JOIN users ON users.id = sessions.user_id WHERE sessions.id = ?',
)

/** Ends all sessions of a user except one and the session that it replaced at a renewal (with the same CSRF value). */
export const endOtherSessions =
  'DELETE FROM sessions WHERE user_id = ? AND csrf IS NOT (SELECT csrf FROM sessions WHERE id = ?)'

/** Ends a session and the one that it replaced at a renewal. Binds the user and the session. */
export const endSession = 'DELETE FROM sessions WHERE user_id = ? AND csrf = (SELECT csrf FROM sessions WHERE id = ?)'

/** Binds the session twice, because the one that it replaced at a renewal is locked too. */
export const lockSession = `UPDATE sessions SET unlock_value = NULL, unlocked_until = 0
  WHERE id = ? OR unlock_value = (SELECT unlock_value FROM sessions WHERE id = ?)`

/** Binds the name's key, the address, and the earliest time. */
export const placeOfName = select(
  { lastAt: signInPlaces.lastAt },
  `FROM sign_in_places JOIN users ON users.id = sign_in_places.user_id
   WHERE users.username_key = ? AND sign_in_places.address = ? AND sign_in_places.last_at > ?`,
)

/** Removes places not used since a time, and a user's oldest. Binds that time, the user twice, and how many stay. */
export const forgetPlaces = `DELETE FROM sign_in_places WHERE last_at <= ? OR (user_id = ? AND address NOT IN
  (SELECT address FROM sign_in_places WHERE user_id = ? ORDER BY last_at DESC, rowid DESC LIMIT ?))`
