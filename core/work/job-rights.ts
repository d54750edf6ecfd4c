/** Current rights of the user a job works for: they may have changed since it was started. */
import type { Right } from '../../schema/api/contract.ts'
import { rightsOf, rightsOn, terminalViewer } from '../accounts/access.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

/** Returns a check of a user's rights on collections (null: the terminal). A deleted or disabled user has none. */
export function rightsCheckFor(db: LibraryDatabase, userId: number | null) {
  const viewer = userId === null ? terminalViewer : viewerOfUser(db, { of: id => rightsOf(db, id) }, userId)
  return (collectionId: number, right: Right): boolean => viewer !== null && rightsOn(viewer, collectionId)[right]
}
