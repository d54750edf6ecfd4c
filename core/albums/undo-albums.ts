/**
 * Undoes changes of albums. Each undo can itself be undone. A user who undoes a change must be allowed to make
 * it now: their role may have ended since, and global admins see the history of albums that they do not see.
 */
import { z } from 'zod'
import { albumRoles } from '../../schema/api/albums.ts'
import { albumSorts } from '../../schema/limits.ts'
import { mayAdministerSomewhere, type Viewer } from '../accounts/access.ts'
import { userById } from '../accounts/user-rows.ts'
import { now } from '../editing/editing.sql.ts'
import type { GuardedUndo, Undo, UndoEntry, UndoTable } from '../editing/undo.ts'
import { addAlbumItem, removeAlbumItem, setAlbumPositions } from '../items/albums/album-items.ts'
import { collectionOfItem } from '../items/item-files.sql.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { mayDeleteAlbum, roleInAlbum } from '../words/seen-albums.ts'
import { writeMember } from './album-changes.ts'
import { wasAddedByOthers } from './album-item-changes.ts'
import { albumById, isTooDeep, publishAlbums, setDeleted, writeFields } from './album-rows.ts'
import { roleOfMember } from './albums.sql.ts'

const withId = z.object({ id: z.int() })

const fields = withId.extend({
  parent: z.int().nullable().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  sort: z.enum(albumSorts).optional(),
  query: z.string().nullable().optional(),
  cover: z.int().nullable().optional(),
  isPublic: z.boolean().optional(),
  isPrivate: z.boolean().optional(),
})

const undoCreation: Undo = (tx, entry) => {
  const row = albumById(tx, withId.parse(entry.after).id)
  if (row === undefined || row.deletedAt !== null) return 'gone'
  setDeleted(tx, row.id, tx.get(now)?.now ?? row.createdAt)
  return 'undone'
}

const undoRemoval: Undo = (tx, entry) => {
  const row = albumById(tx, withId.parse(entry.before).id)
  if (row === undefined) return 'gone'
  if (row.deletedAt === null || isTooDeep(tx, row)) return 'changed'
  setDeleted(tx, row.id, null)
  return 'undone'
}

const undoUpdate: Undo = (tx, entry) => {
  const [before, after] = [fields.parse(entry.before), fields.parse(entry.after)]
  const { id, ...written } = after
  const row = albumById(tx, id)
  if (row === undefined || row.deletedAt !== null) return 'gone'
  const isAsWritten = Object.entries(written).every(([name, value]) => row[name as keyof typeof written] === value)
  if (!isAsWritten) return 'changed'
  if (before.parent != null && isTooDeep(tx, { id, parent: before.parent })) return 'changed'
  const isCoverGone = before.cover != null && tx.get(collectionOfItem, before.cover) === null
  writeFields(tx, row, isCoverGone ? { ...before, cover: null } : before)
  return 'undone'
}

const entry = z.object({
  itemId: z.int(),
  position: z.number(),
  addedAt: z.int(),
  addedBy: z.int().nullable(),
})

function itemsOf({ before, after }: UndoEntry) {
  const { id, removed } = withId.extend({ removed: z.array(entry) }).parse(before)
  const { added } = z.object({ added: z.array(z.int()) }).parse(after)
  return { id, removed, added }
}

const undoItems: Undo = (tx, change) => {
  const { id, removed, added } = itemsOf(change)
  const row = albumById(tx, id)
  if (row === undefined || row.deletedAt !== null) return 'gone'
  const taken = added.flatMap(itemId => removeAlbumItem(tx, id, itemId) ?? [])
  const returned = removed.filter(one => addAlbumItem(tx, id, one)).map(({ itemId }) => itemId)
  if (taken.length + returned.length === 0) return 'changed'
  tx.history({ operation: 'album.items', before: { id, removed: taken }, after: { id, added: returned } })
  publishAlbums(tx)
  return 'undone'
}

const undoOrder: Undo = (tx, entry) => {
  const { id, positions } = withId
    .extend({ positions: z.array(z.object({ itemId: z.int(), position: z.number() })) })
    .parse(entry.before)
  const row = albumById(tx, id)
  if (row === undefined || row.deletedAt !== null) return 'gone'
  const replaced = setAlbumPositions(tx, id, positions)
  if (replaced.length === 0) return 'changed'
  tx.history({ operation: 'album.order', before: { id, positions: replaced } })
  publishAlbums(tx)
  return 'undone'
}

const membership = withId.extend({ userId: z.int(), role: z.enum(albumRoles).nullable() })

const undoMember: Undo = (tx, entry) => {
  const [before, after] = [membership.parse(entry.before), membership.parse(entry.after)]
  if (userById(tx, after.userId) === undefined) return 'gone'
  const was = tx.get(roleOfMember, after.id, after.userId)?.role ?? null
  if (was !== after.role) return 'changed'
  writeMember(tx, { ...before, was })
  return 'undone'
}

const manages = (tx: Transaction, viewer: Viewer, id: number) => roleInAlbum(tx, viewer, id) === 'manage'

const isManager: GuardedUndo['isAllowed'] = (tx, viewer, { before, after }) =>
  manages(tx, viewer, withId.parse(before ?? after).id)

export const albumUndos: UndoTable = {
  'album.create': {
    undo: undoCreation,
    isAllowed: (tx, viewer, { after }) => mayDeleteAlbum(tx, viewer, withId.parse(after).id),
  },
  'album.update': {
    undo: undoUpdate,
    isAllowed: (tx, viewer, { before }) =>
      manages(tx, viewer, withId.parse(before).id) &&
      (fields.parse(before).isPublic !== true || mayAdministerSomewhere(viewer)),
  },
  'album.remove': { undo: undoRemoval, isAllowed: isManager },
  'album.items': {
    undo: undoItems,
    isAllowed(tx, viewer, change) {
      const { id, removed, added } = itemsOf(change)
      if (manages(tx, viewer, id)) return true
      const isOwn =
        removed.every(({ addedBy }) => addedBy === viewer.userId) &&
        !added.some(itemId => wasAddedByOthers(tx, viewer, id, itemId))
      return isOwn && roleInAlbum(tx, viewer, id) === 'add'
    },
  },
  'album.order': { undo: undoOrder, isAllowed: isManager },
  'album.member': {
    undo: undoMember,
    isAllowed(tx, viewer, { before }) {
      const { id, userId, role } = membership.parse(before)
      return manages(tx, viewer, id) || (role === null && userId === viewer.userId)
    },
  },
}
