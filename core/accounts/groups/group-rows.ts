/** Rows of access groups: who may read and change them, and the rules of their order. */
import { eq } from 'drizzle-orm'
import type { ShownGroup } from '../../../schema/api/access.ts'
import { Failure, sentence } from '../../../schema/errors.ts'
import { channels } from '../../../schema/realtime.ts'
import { accessGroups, collectionAccess } from '../../../schema/tables/access.ts'
import { collections } from '../../../schema/tables/collections.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { mayAdministerSomewhere, notFound, requireSignedIn, rightsOn, type Viewer } from '../access.ts'
import { groupMembers, otherAdminGroup } from './groups.sql.ts'

/**
 * A change of a group changes rights in every collection that uses it, so the caller must administer them all. An
 * unused group belongs to its creator until it is first attached. Later it has no owner: without collections, only
 * global admins may use it. Otherwise somebody could fill a group with members, detach it, and wait until somebody else
 * attaches it.
 */

export const flags = ['admin', 'public', 'view', 'create', 'update'] as const

export type GroupRow = typeof accessGroups.$inferSelect
type Use = typeof collectionAccess.$inferSelect
type ReadAccess = Pick<LibraryDatabase, 'all' | 'orm'>

/** Positions that have a meaning in a collection's access list. */
export const adminPosition = 0
const publicPosition = 1

/** Checks the specified rules about the first and the second group of a list, for a group at these positions. */
export function requireAllowedPositions(group: GroupRow, positions: readonly number[]) {
  if (group.public && positions.includes(adminPosition)) {
    throw new Failure('conflict', 'Public cannot be set on the first group of a collection.', { field: 'public' })
  }
  if (group.admin && positions.includes(publicPosition)) {
    throw new Failure('conflict', 'Admin cannot be set on the second group of a collection.', { field: 'admin' })
  }
}

/** Refuses to remove the right to administer from the last group that has it. */
export function requireAnotherAdminGroup(tx: Transaction, collectionId: number, groupId: number) {
  if (tx.get(otherAdminGroup, collectionId, groupId) !== null) return
  const name = tx.orm.select().from(collections).where(eq(collections.id, collectionId)).get()?.name ?? ''
  throw new Failure('conflict', sentence`This is the last admin group of the collection '${name}', which needs one.`)
}

export function usesOf({ orm }: ReadAccess, groupId: number): Use[] {
  return orm.select().from(collectionAccess).where(eq(collectionAccess.groupId, groupId)).all()
}

export function existingGroup({ orm }: ReadAccess, id: number): GroupRow {
  const row = orm.select().from(accessGroups).where(eq(accessGroups.id, id)).get()
  if (row === undefined) throw notFound()
  return row
}

/**
 * Returns the uses of a group. 403 if the viewer administers only some of the collections that use it; 404 if they
 * administer none of them, or do not own the unused group.
 */
export function requireOnGroup(viewer: Viewer, tx: ReadAccess, groupId: number): Use[] {
  requireSignedIn(viewer)
  if (!mayAdministerSomewhere(viewer)) throw notFound()
  const { ownerId } = existingGroup(tx, groupId)
  const uses = usesOf(tx, groupId)
  if (viewer.globalAdmin) return uses
  if (uses.length === 0 && ownerId !== null && ownerId === viewer.userId) return uses
  const administered = uses.filter(use => rightsOn(viewer, use.collectionId).admin).length
  if (administered === 0) throw notFound()
  if (administered < uses.length)
    throw new Failure('denied', 'A collection that you do not administer also uses this group.')
  return uses
}

/** Refuses a group that has changed since the caller saw it: somebody may have joined it. */
export function requireAsShown(tx: Transaction, group: GroupRow, shown: ShownGroup) {
  const members = tx.all(groupMembers, group.id).map(({ username }) => username)
  const allows = flags.filter(flag => group[flag])
  const isSame = (now: readonly string[], then: readonly string[]) =>
    now.length === then.length && now.every(one => then.includes(one))
  if (isSame(members, shown.members) && isSame(allows, shown.allows)) return
  throw new Failure('conflict', sentence`The group '${group.name}' has changed meanwhile. Check its members again.`)
}

/** Notifies everybody whose rights, or list of collections, have changed. */
export function publishRights(tx: Transaction, collectionIds: readonly number[]) {
  tx.event(channels.rights, { action: 'update' })
  for (const id of collectionIds) tx.event(channels.collection(id), { action: 'update', collection: { id } })
}
