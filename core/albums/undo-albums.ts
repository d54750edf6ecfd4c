/** Undoes changes of albums. Each undo can itself be undone. */
import { z } from 'zod'
import { albumRoles } from '../../schema/api/albums.ts'
import { albumSorts } from '../../schema/limits.ts'
import { now } from '../editing/editing.sql.ts'
import type { Undo, UndoTable } from '../editing/undo.ts'
import { addAlbumItem, removeAlbumItem, setAlbumPositions } from '../items/albums/album-items.ts'
import { isTooDeep, writeMember } from './album-changes.ts'
import { albumById, publishAlbums, setDeleted, writeFields } from './album-rows.ts'
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
  if (row.deletedAt === null) return 'changed'
  setDeleted(tx, row.id, null)
  return 'undone'
}

const undoUpdate: Undo = (tx, entry) => {
  const [before, after] = [fields.parse(entry.before), fields.parse(entry.after)]
  const row = albumById(tx, after.id)
  if (row === undefined || row.deletedAt !== null) return 'gone'
  const { id, ...written } = after
  const isAsWritten = Object.entries(written).every(([name, value]) => row[name as keyof typeof written] === value)
  if (!isAsWritten) return 'changed'
  // Since the change, the folder to which it returns may have been put into another one, or into this one.
  const folder = row.kind === 'folder' && before.parent != null ? albumById(tx, before.parent) : undefined
  if (folder !== undefined && isTooDeep(tx, folder, row.id)) return 'changed'
  writeFields(tx, row, before)
  return 'undone'
}

const entry = z.object({
  itemId: z.int(),
  position: z.number(),
  addedAt: z.int(),
  addedBy: z.int().nullable(),
})

const undoItems: Undo = (tx, { before, after }) => {
  const { id, removed } = withId.extend({ removed: z.array(entry) }).parse(before)
  const { added } = z.object({ added: z.array(z.int()) }).parse(after)
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
  const was = tx.get(roleOfMember, after.id, after.userId)?.role ?? null
  if (was !== after.role) return 'changed'
  writeMember(tx, { ...before, was })
  return 'undone'
}

export const albumUndos: UndoTable = {
  'album.create': undoCreation,
  'album.update': undoUpdate,
  'album.remove': undoRemoval,
  'album.items': undoItems,
  'album.order': undoOrder,
  'album.member': undoMember,
}
