/** Metadata import: values of a file or its sidecar replace users' values. The history can undo it. */

import { and, eq, ne } from 'drizzle-orm'
import { regions } from '../../schema/tables/items.ts'
import type { StoredFace } from '../editing/boxes/face-matches.ts'
import { type ItemToEdit, itemToEdit } from '../editing/item-edit.ts'
import { changedParts, pickParts } from '../editing/item-parts.ts'
import type { StoredTags } from '../items/item-row.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { ItemMetadata } from '../metadata/merge.ts'
import type { SubjectBox } from './file-regions.ts'

/** The tags of which the file has a value. */
function tagsInFile(metadata: ItemMetadata, boxes: readonly SubjectBox[]): Set<keyof StoredTags> {
  const present: [keyof StoredTags, boolean][] = [
    ['DateTimeOriginal', metadata.date !== null && metadata.date.source !== 'name' && metadata.date.source !== 'file'],
    ['Description', metadata.description !== null],
    ['Category', metadata.category.length > 0],
    ['Keywords', metadata.keywords.length > 0],
    ['Author', metadata.author.length > 0],
    ['Locations', metadata.latitude !== null || metadata.placeName !== null],
    ['Rating', metadata.rating !== null || metadata.favorite === true],
    ['People', boxes.some(({ type }) => type === 'person')],
    ['Object', boxes.some(({ type }) => type === 'object')],
  ]
  return new Set(present.flatMap(([name, isPresent]) => (isPresent ? name : [])))
}

/**
 * Returns the tags after removing the mark 'set by a user' from those that the file has too, so that the file's values
 * are written; null if there are none. Also removes users' regions of such tags.
 */
export function replaceValues(
  tx: Transaction,
  itemId: number,
  tags: StoredTags,
  metadata: ItemMetadata,
  boxes: readonly SubjectBox[],
): StoredTags | null {
  const present = tagsInFile(metadata, boxes)
  const tagsOfUser = (Object.keys(tags) as (keyof StoredTags)[]).filter(
    name => present.has(name) && tags[name]?.u === 1,
  )
  if (tagsOfUser.length === 0) return null
  for (const [name, type] of [
    ['People', 'person'],
    ['Object', 'object'],
  ] as const) {
    const edited = and(eq(regions.itemId, itemId), eq(regions.type, type), ne(regions.source, 'file'))
    if (tagsOfUser.includes(name)) tx.orm.delete(regions).where(edited).run()
  }
  const freed: StoredTags = JSON.parse(JSON.stringify(tags))
  for (const name of tagsOfUser) delete freed[name]?.u
  return freed
}

/** Records in the history how an import has changed an item; `faces`: the reference faces of removed regions. */
export function recordImport(
  tx: Transaction,
  before: ItemToEdit | null,
  itemId: number,
  faces: readonly StoredFace[],
): void {
  const after = before === null ? null : itemToEdit(tx, itemId)
  if (before === null || after === null) return
  const parts = changedParts(before.parts, after.parts)
  if (Object.keys(parts).length === 0) return
  tx.history({
    operation: 'metadata.import',
    collectionId: after.collectionId,
    itemId,
    before: { ...pickParts(before.parts, parts), ...(faces.length > 0 ? { faces } : {}) },
    after: pickParts(after.parts, parts),
  })
}
