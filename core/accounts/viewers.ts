/** A user as a viewer: of a session, or without one for shares, screen savers, API tokens and users' jobs. */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Rights, Viewer } from './access.ts'
import type { RightsTable } from './rights.ts'
import { type UserRow, userById } from './user-rows.ts'

/** A user with these rights; without a session if none is passed. */
export function viewerOfRow(
  { id, username, globalAdmin }: Pick<UserRow, 'id' | 'username' | 'globalAdmin'>,
  rights: ReadonlyMap<number, Rights>,
  sessionId: string | null = null,
  unlockValue: string | null = null,
): Viewer {
  return { kind: 'user', userId: id, username, sessionId, globalAdmin, unlockValue, rights }
}

/** The user with their current rights, never unlocked; null if the account is deleted or disabled. */
export function viewerOfUser(db: LibraryDatabase, rights: RightsTable, userId: number): Viewer | null {
  const user = userById(db, userId)
  return user === undefined || user.disabled ? null : viewerOfRow(user, rights.of(userId))
}
