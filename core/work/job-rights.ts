/** Rights of whoever a job works for, as of this moment: they may have changed since he started it. */
import { eq } from 'drizzle-orm'
import type { Right } from '../../schema/api/contract.ts'
import { users } from '../../schema/tables/users.ts'
import { rightsOf } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

/** Has this user (null: the machine's own terminal) the right on a collection? Nobody who is no more has any. */
export function rightsOfUser(
  db: LibraryDatabase,
  userId: number | null,
): (collectionId: number, right: Right) => boolean {
  if (userId === null) return () => true
  const user = db.orm.select().from(users).where(eq(users.id, userId)).get()
  if (user === undefined || user.disabled) return () => false
  if (user.globalAdmin) return () => true
  const rights = rightsOf(db, userId)
  return (collectionId, right) => rights.get(collectionId)?.[right] === true
}
