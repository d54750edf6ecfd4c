/** The only writer of items' tags and keys: keeps the search text and the hiding count consistent with them. */
import { type KeyedTag, keyOf, markedRatings, marks, tagBits } from '../../schema/keys.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { type ItemDetailsColumn, type ItemRow, type StoredTags, writtenColumns } from './item-row.ts'
import * as rows from './item-rows.sql.ts'
import { textOfItem, textToReplace } from './item-text.ts'

/** The id of a camera's row, created if missing; null if the file names no camera. */
function cameraId(tx: Transaction, camera: ItemDetailsColumn['camera']): number | null {
  const name = [camera?.make, camera?.model, camera?.lens].filter(part => part !== undefined && part !== '').join(' ')
  if (name === '') return null
  return tx.get(rows.cameraNamed, name)?.id ?? tx.run(rows.insertCamera, name).lastInsertRowid
}

/**
 * An item's keys (keystrings, people, objects, marks), each with the bits of its tags. `camera`: id in `cameras`;
 * `otherMarks`: of favourites and albums.
 */
function keysOf(
  item: Pick<ItemRow, 'tags' | 'people' | 'objects' | 'type' | 'rating'>,
  camera: number | null,
  otherMarks: readonly number[],
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
  for (const mark of otherMarks) add(keyOf('mark', mark), 'Mark')
  return [...bits].sort(([a], [b]) => a - b)
}

/** The values of the columns by name; bun:sqlite takes named values as one object. */
function valuesOf(
  tx: Transaction,
  item: ItemRow,
  otherMarks: readonly number[],
): Record<string, string | number | boolean | null> {
  return {
    ...Object.fromEntries(writtenColumns.map(key => [key, item[key]])),
    tags: JSON.stringify(item.tags),
    keys: JSON.stringify(keysOf(item, cameraId(tx, item.details.camera), otherMarks)),
    details: JSON.stringify(item.details),
  }
}

/** Inserts an item; `added` in seconds. Returns its id. */
export function insertItem(tx: Transaction, item: ItemRow, added: number): number {
  const { lastInsertRowid: id } = tx.run(rows.insertRow, { ...valuesOf(tx, item, []), added })
  writeSearchText(tx, id, item)
  notePlaceDue(tx, id, item)
  return id
}

/** Writes an existing item's row, except its rotation, when it was added, and whether it is missing or recycled. */
export function updateItem(tx: Transaction, id: number, item: ItemRow): void {
  removeSearchText(tx, id)
  const otherMarks = tx.all(rows.favouriteAndAlbumMarks, { id }).map(({ mark }) => mark)
  tx.run(rows.updateRow, { ...valuesOf(tx, item, otherMarks), id })
  writeSearchText(tx, id, item)
  notePlaceDue(tx, id, item)
}

/** Marks an item that has a position without a name: a job looks up the nearest city. */
function notePlaceDue(tx: Transaction, id: number, { tags: { Locations } }: ItemRow): void {
  const place = Locations?.d
  if (place === undefined || place.latitude === null || place.placeName !== '' || place.auto === 1) return
  tx.run(rows.addPlaceDue, id)
}

/** Writes the looked-up name of an item's position, without a new version: it is not an edit. */
export function writeFoundPlace(tx: Transaction, id: number, item: ItemRow, placeName: string): void {
  const { Locations } = item.tags
  if (Locations?.d === undefined) return
  const tags: StoredTags = { ...item.tags, Locations: { ...Locations, d: { ...Locations.d, placeName, auto: 1 } } }
  tx.run(rows.updateTags, JSON.stringify(tags), id)
  removeSearchText(tx, id)
  writeSearchText(tx, id, { ...item, tags })
}

/** Removes an item's words from the search index, before its row changes: the index is keyed by the old date. */
export function removeSearchText(tx: Transaction, id: number): void {
  tx.run(rows.deleteText, id)
}

/** Adds an item's words to the search index, which must not contain the item yet. */
export function writeSearchText(tx: Transaction, id: number, item: ItemRow): void {
  tx.run(rows.insertText, { ...textOfItem(tx, item), taken: item.taken, id })
}

/** Indexes an item again that may be indexed in the former form, if that differs. */
export function replaceFormerText(tx: Transaction, id: number, item: ItemRow): void {
  const text = textToReplace(tx, item)
  if (text === null) return
  removeSearchText(tx, id)
  tx.run(rows.insertText, { ...text, taken: item.taken, id })
}

/** Removes an item permanently, with its regions. The caller removes its files' rows. */
export function deleteItem(tx: Transaction, id: number): void {
  tx.run(rows.deleteRow, id)
}
