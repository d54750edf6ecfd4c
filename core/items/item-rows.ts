/** The one writer of item rows: it keeps the search text and the hiding count in step with the row. */
import { type KeyedTag, keyOf, markedRatings, marks, tagBits } from '../../schema/keys.ts'
import type { Bindings, Transaction } from '../kernel/database/database.ts'
import type { ItemDetailsColumn, ItemRow, StoredTags } from './item-row.ts'
import { textOfItem } from './item-text.ts'

/** A camera's row, made when it is not there; null where the file names none. */
function cameraId(tx: Transaction, camera: ItemDetailsColumn['camera']): number | null {
  const name = [camera?.make, camera?.model, camera?.lens].filter(part => part !== undefined && part !== '').join(' ')
  if (name === '') return null
  const known = tx.get<{ id: number }>('SELECT id FROM cameras WHERE name = ?', name)
  return known?.id ?? tx.run('INSERT INTO cameras (name) VALUES (?)', name).lastInsertRowid
}

/**
 * What `keyed` shall hold of an item: one entry a keystring, person or object, with the tag sets it stands in, and one a
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

/** Counts the hiding keystrings among the keys of parameter `$keys`; nothing is looked at while none hides. */
const hiddenBy = `CASE WHEN $keys = '[]' OR NOT EXISTS (SELECT 1 FROM keystrings WHERE is_associated_items_hidden = 1) THEN 0
  ELSE (SELECT count(*) FROM json_each($keys) AS j JOIN keystrings AS k ON k.id = (j.value ->> 0) >> 2
        WHERE (j.value ->> 0) & 3 = 0 AND k.is_associated_items_hidden = 1) END`

const columns = [
  'collection_id',
  'dir_id',
  'name',
  'type',
  'taken',
  'taken_offset',
  'taken_source',
  'latitude',
  'longitude',
  'rating',
  'width',
  'height',
  'duration',
  'mime',
  'size',
  'content',
  'thumbhash',
  'phash',
  'renditions',
  'problem',
  'motion',
  'tags',
  'keys',
  'details',
] as const

const insert = `INSERT INTO items (${columns.join(', ')}, added, hidden_by)
  VALUES (${columns.map(column => `$${column}`).join(', ')}, $added, ${hiddenBy})`
const update = `UPDATE items SET ${columns.map(column => `${column} = $${column}`).join(', ')},
  hidden_by = ${hiddenBy}, version = version + 1 WHERE id = $id`

type Named = Record<string, string | number | null>

function bind(tx: Transaction, item: ItemRow): Named {
  return {
    collection_id: item.collectionId,
    dir_id: item.dirId,
    name: item.name,
    type: item.type,
    taken: item.taken,
    taken_offset: item.takenOffset,
    taken_source: item.takenSource,
    latitude: item.latitude,
    longitude: item.longitude,
    rating: item.rating,
    width: item.width,
    height: item.height,
    duration: item.duration,
    mime: item.mime,
    size: item.size,
    content: item.content,
    thumbhash: item.thumbhash,
    phash: item.phash,
    renditions: item.renditions,
    problem: item.problem,
    motion: item.motion ? 1 : 0,
    tags: JSON.stringify(item.tags),
    keys: JSON.stringify(keysOf(item, cameraId(tx, item.details.camera))),
    details: JSON.stringify(item.details),
  }
}

/** Writes a new item; `added` in seconds. Answers its id. */
export function insertItem(tx: Transaction, item: ItemRow, added: number): number {
  const { lastInsertRowid: id } = tx.run(insert, ...named({ ...bind(tx, item), added }))
  writeText(tx, id, item)
  notePlaceDue(tx, id, item)
  return id
}

/** Writes everything of an item that is there already. Whether it is missing or recycled stays as it is. */
export function updateItem(tx: Transaction, id: number, item: ItemRow): void {
  removeText(tx, id)
  tx.run(update, ...named({ ...bind(tx, item), id }))
  writeText(tx, id, item)
  notePlaceDue(tx, id, item)
}

/** A position that nobody has named: a job finds out which city is near. */
function notePlaceDue(tx: Transaction, id: number, { tags: { Locations } }: ItemRow): void {
  const place = Locations?.d
  if (place === undefined || place.latitude === null || place.placeName !== '' || place.auto === 1) return
  tx.run('INSERT OR IGNORE INTO place_due (item_id) VALUES (?)', id)
}

/**
 * Writes the name that the library found for an item's position. It is nobody's edit: neither the item's version, which
 * is part of its pictures' addresses, nor the tag's grows.
 */
export function writeFoundPlace(tx: Transaction, id: number, item: ItemRow, placeName: string): void {
  const { Locations } = item.tags
  if (Locations?.d === undefined) return
  const tags: StoredTags = { ...item.tags, Locations: { ...Locations, d: { ...Locations.d, placeName, auto: 1 } } }
  tx.run('UPDATE items SET tags = ? WHERE id = ?', JSON.stringify(tags), id)
  removeText(tx, id)
  writeText(tx, id, { ...item, tags })
}

/** bun:sqlite takes named values as one object; the wrapper's type speaks of a list. */
function named(values: Named): Bindings {
  return [values]
}

/** Takes an item's words out of the search index. Before the row changes: the index is keyed by the old date. */
export function removeText(tx: Transaction, id: number): void {
  tx.run('DELETE FROM item_text WHERE rowid = (SELECT taken * 268435456 + id FROM items WHERE id = ?)', id)
}

/** Puts an item's words into the search index, where it has none. */
export function writeText(tx: Transaction, id: number, item: ItemRow): void {
  const text = textOfItem(tx, item)
  tx.run(
    `INSERT INTO item_text (rowid, keywords, category, people, objects, author, description, place, file)
     VALUES (? * 268435456 + ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    item.taken,
    id,
    text.keywords,
    text.category,
    text.people,
    text.objects,
    text.author,
    text.description,
    text.place,
    text.file,
  )
}

/** Removes an item for good, with its regions. Its files' rows are the caller's. */
export function deleteItem(tx: Transaction, id: number): void {
  tx.run('DELETE FROM items WHERE id = ?', id)
}
