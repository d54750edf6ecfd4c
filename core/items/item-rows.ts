/** The one writer of item rows: it keeps the search text and the hiding count in step with the row. */
import { type KeyedTag, keyOf, markedRatings, marks, tagBits } from '../../schema/keys.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { type ItemDetailsColumn, type ItemRow, type StoredTags, toldColumns } from './item-row.ts'
import * as rows from './item-rows.sql.ts'
import { textOfItem } from './item-text.ts'

/** A camera's row, made when it is not there; null where the file names none. */
function cameraId(tx: Transaction, camera: ItemDetailsColumn['camera']): number | null {
  const name = [camera?.make, camera?.model, camera?.lens].filter(part => part !== undefined && part !== '').join(' ')
  if (name === '') return null
  return tx.get(rows.cameraNamed, name)?.id ?? tx.run(rows.insertCamera, name).lastInsertRowid
}

/**
 * What `keyed` should hold of an item: one entry a keystring, person or object, with the tag sets it is in, and one a
 * mark. `camera` is a row of `cameras`.
 */
function keysOf(
  item: Pick<ItemRow, 'tags' | 'people' | 'objects' | 'type' | 'rating'>,
  camera: number | null,
): [number, number][] {
  const bits = new Map<number, number>()
  const add = (key: number, tag: KeyedTag) => bits.set(key, (bits.get(key) ?? 0) | tagBits[tag])
  for (const tag of ['Keywords', 'Category', 'Author'] as const) {
    for (const id of item.tags[tag]?.d ?? []) add(keyOf('keystring', id), tag)
  }
  for (const id of item.people) add(keyOf('person', id), 'People')
  for (const id of item.objects) add(keyOf('object', id), 'Object')
  if (item.type === 'video') add(keyOf('mark', marks.video), 'Mark')
  const rating = markedRatings.find(marked => marked === item.rating)
  if (rating !== undefined) add(keyOf('mark', marks.rating(rating)), 'Mark')
  if (camera !== null) add(keyOf('mark', marks.camera(camera)), 'Mark')
  return [...bits].sort(([a], [b]) => a - b)
}

/** The written columns by their names; bun:sqlite takes named values as one object. */
function valuesOf(tx: Transaction, item: ItemRow): Record<string, string | number | boolean | null> {
  return {
    ...Object.fromEntries(toldColumns.map(key => [key, item[key]])),
    tags: JSON.stringify(item.tags),
    keys: JSON.stringify(keysOf(item, cameraId(tx, item.details.camera))),
    details: JSON.stringify(item.details),
  }
}

/** Writes a new item; `added` in seconds. Returns its id. */
export function insertItem(tx: Transaction, item: ItemRow, added: number): number {
  const { lastInsertRowid: id } = tx.run(rows.insertRow, { ...valuesOf(tx, item), added })
  writeText(tx, id, item)
  notePlaceDue(tx, id, item)
  return id
}

/** Writes everything of an item that is there already. Whether it is missing or recycled stays as it is. */
export function updateItem(tx: Transaction, id: number, item: ItemRow): void {
  removeText(tx, id)
  tx.run(rows.updateRow, { ...valuesOf(tx, item), id })
  writeText(tx, id, item)
  notePlaceDue(tx, id, item)
}

/** A position that nobody has named: a job finds out which city is near. */
function notePlaceDue(tx: Transaction, id: number, { tags: { Locations } }: ItemRow): void {
  const place = Locations?.d
  if (place === undefined || place.latitude === null || place.placeName !== '' || place.auto === 1) return
  tx.run(rows.noteNoPlace, id)
}

/**
 * Writes the name that the library found for an item's position. It is nobody's edit: neither the item's version, which
 * is part of its pictures' addresses, nor the tag's grows.
 */
export function writeFoundPlace(tx: Transaction, id: number, item: ItemRow, placeName: string): void {
  const { Locations } = item.tags
  if (Locations?.d === undefined) return
  const tags: StoredTags = { ...item.tags, Locations: { ...Locations, d: { ...Locations.d, placeName, auto: 1 } } }
  tx.run(rows.updateTags, JSON.stringify(tags), id)
  removeText(tx, id)
  writeText(tx, id, { ...item, tags })
}

/** Takes an item's words out of the search index. Before the row changes: the index is keyed by the old date. */
export function removeText(tx: Transaction, id: number): void {
  tx.run(rows.deleteText, id)
}

/** Puts an item's words into the search index, where it has none. */
export function writeText(tx: Transaction, id: number, item: ItemRow): void {
  tx.run(rows.insertText, { ...textOfItem(tx, item), taken: item.taken, id })
}

/** Removes an item for good, with its regions. Its files' rows are the caller's. */
export function deleteItem(tx: Transaction, id: number): void {
  tx.run(rows.deleteRow, id)
}
