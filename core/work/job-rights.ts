/** Rights of whoever a job works for, as of this moment: they may have changed since he started it. */
import type { Right } from '../../schema/api/contract.ts'
import { rightsOf } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

/** Has this user (null: the machine's own terminal) the right on a collection? Nobody who is no more has any. */
export function rightsOfUser(
  db: LibraryDatabase,
  userId: number | null,
): (collectionId: number, right: Right) => boolean {
  if (userId === null) return () => true
  const user = db.get<{ global_admin: number }>('SELECT global_admin FROM users WHERE id = ? AND disabled = 0', userId)
  if (user === null) return () => false
  if (user.global_admin === 1) return () => true
  const rights = rightsOf(db, userId)
  return (collectionId, right) => rights.get(collectionId)?.[right] === true
}
