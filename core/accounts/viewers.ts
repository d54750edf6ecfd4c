/** A user as a viewer without a session: for shares, screen savers, API tokens and jobs that act for somebody. */

import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Viewer } from './access.ts'
import type { RightsTable } from './rights.ts'

/** The user with the rights of this moment, never unlocked; null when he is gone or disabled. */
export function viewerOfUser(db: LibraryDatabase, rights: RightsTable, userId: number): Viewer | null {
  const row = db.get<{ username: string; global_admin: number }>(
    'SELECT username, global_admin FROM users WHERE id = ? AND disabled = 0',
    userId,
  )
  if (row === null) return null
  return {
    kind: 'user',
    userId,
    username: row.username,
    sessionId: null,
    globalAdmin: row.global_admin === 1,
    unlockValue: null,
    rights: rights.of(userId),
  }
}
