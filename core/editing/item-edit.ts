/** Changes what people may change of an item, in one way for every door: row, regions, search text, history, message. */
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { markDue } from '../items/due-items.ts'
import { type ItemRow, parseTags, type StoredTag, type StoredTags } from '../items/item-row.ts'
import { updateItem } from '../items/item-rows.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { learntOn, moveFaces, putFaces, settleFaces, takeFaces } from './boxes/box-faces.ts'
import { type StoredFace, seatFaces } from './boxes/seats.ts'
import {
  differing,
  type ItemOperation,
  type ItemParts,
  orderedBox,
  picked,
  rowTags,
  type StoredBox,
  type TagWord,
  wordOf,
} from './item-parts.ts'

export interface ItemToEdit {
  id: number
  collectionId: number
  /** Some keystring of its hides it. */
  isHidden: boolean
  stored: StoredTags
  /** Every part as it is now. */
  parts: Required<ItemParts>
  /** Upright, before Rotation. */
  width: number
  height: number
  row: ItemRow
}

type Reader = Pick<Transaction, 'all' | 'get'>

interface FullRow {
  id: number
  collection_id: number
  dir_id: number
  name: string
  type: 'image' | 'video'
  taken: number
  taken_offset: number | null
  taken_source: string
  latitude: number | null
  longitude: number | null
  rating: number | null
  width: number
  height: number
  duration: number | null
  mime: string
  size: number
  content: string
  thumbhash: string | null
  phash: string | null
  renditions: number
  problem: string | null
  motion: number
  tags: string
  details: string
  rotation: number
  deleted: number | null
  hidden_by: number
}

interface BoxRow {
  id: number
  type: 'person' | 'object'
  person_id: number | null
  object_id: number | null
  x: number
  y: number
  width: number
  height: number
  source: 'file' | 'user' | 'face'
}

function boxesOf(tx: Reader, id: number): { people: StoredBox[]; objects: StoredBox[] } {
  const rows = tx.all<BoxRow>(
    'SELECT id, type, person_id, object_id, x, y, width, height, source FROM regions WHERE item_id = ? ORDER BY id',
    id,
  )
  const box = (row: BoxRow) => orderedBox({ ...row, subject: row.person_id ?? row.object_id })
  return {
    people: rows.filter(({ type }) => type === 'person').map(box),
    objects: rows.filter(({ type }) => type === 'object').map(box),
  }
}

function subjectsOf(boxes: readonly StoredBox[]): number[] {
  return [...new Set(boxes.map(({ subject }) => subject).filter(subject => subject !== null))]
}

/** An item with everything that can be changed of it; null when there is none, whatever its state. */
export function itemToEdit(tx: Reader, id: number): ItemToEdit | null {
  const full = tx.get<FullRow>('SELECT * FROM items WHERE id = ?', id)
  if (full === null) return null
  const stored = parseTags(full.tags)
  const { people, objects } = boxesOf(tx, id)
  const words = Object.fromEntries(rowTags.map(name => [name, wordOf<unknown>(stored[name])]))
  return {
    id,
    collectionId: full.collection_id,
    isHidden: full.hidden_by > 0,
    stored,
    width: full.width,
    height: full.height,
    parts: {
      // Each name's data is of its own type: they were taken from `StoredTags` one by one.
      tags: words as Required<ItemParts>['tags'],
      date: { taken: full.taken, offset: full.taken_offset, source: full.taken_source },
      people,
      objects,
      peopleEdited: stored.People?.u === 1,
      objectsEdited: stored.Object?.u === 1,
      rating: full.rating,
      rotation: full.rotation,
      deleted: full.deleted,
    },
    row: {
      collectionId: full.collection_id,
      dirId: full.dir_id,
      name: full.name,
      type: full.type,
      taken: full.taken,
      takenOffset: full.taken_offset,
      takenSource: full.taken_source,
      latitude: full.latitude,
      longitude: full.longitude,
      rating: full.rating,
      width: full.width,
      height: full.height,
      duration: full.duration,
      mime: full.mime,
      size: full.size,
      content: full.content,
      thumbhash: full.thumbhash,
      phash: full.phash,
      renditions: full.renditions,
      problem: full.problem,
      motion: full.motion === 1,
      tags: stored,
      details: JSON.parse(full.details),
      people: subjectsOf(people),
      objects: subjectsOf(objects),
    },
  }
}

function writeBoxes(tx: Transaction, itemId: number, type: 'person' | 'object', boxes: readonly StoredBox[]): void {
  const kept = boxes.map(({ id }) => id).filter(id => id !== null)
  tx.run(
    'DELETE FROM regions WHERE item_id = ? AND type = ? AND id NOT IN (SELECT value FROM json_each(?))',
    itemId,
    type,
    JSON.stringify(kept),
  )
  for (const box of boxes) {
    const [person, object] = type === 'person' ? [box.subject, null] : [null, box.subject]
    tx.run(
      `INSERT INTO regions (id, item_id, type, person_id, object_id, x, y, width, height, source)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET person_id = excluded.person_id, object_id = excluded.object_id, x = excluded.x,
         y = excluded.y, width = excluded.width, height = excluded.height, source = excluded.source, version = version + 1
       WHERE item_id = excluded.item_id`,
      box.id,
      itemId,
      type,
      person,
      object,
      box.x,
      box.y,
      box.width,
      box.height,
      box.source,
    )
  }
}

/** Do all that these boxes show still exist? */
function subjectsExist(tx: Transaction, table: 'people' | 'objects', boxes: readonly StoredBox[] | undefined): boolean {
  const ids = subjectsOf(boxes ?? [])
  if (ids.length === 0) return true
  const found = tx.get<{ n: number }>(
    `SELECT count(*) AS n FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
  return found?.n === ids.length
}

function storedTags(stored: StoredTags, parts: ItemParts): StoredTags {
  const tags: Record<string, StoredTag<unknown>> = { ...stored }
  const write = (name: keyof StoredTags, word: TagWord<unknown> | null) => {
    // A version is never used twice, or an editor's If-Match would take a later tag for his own.
    const version = (stored[name]?.v ?? 0) + 1
    tags[name] = word === null ? { v: version } : { v: version, ...word }
  }
  for (const name of rowTags) if (parts.tags !== undefined && name in parts.tags) write(name, parts.tags[name] ?? null)
  const boxes = (list: readonly StoredBox[], edited: boolean | undefined): TagWord<true> => ({
    ...(list.length > 0 ? { d: true } : {}),
    ...(edited === false ? {} : { u: 1 }),
  })
  if (parts.people !== undefined) write('People', boxes(parts.people, parts.peopleEdited))
  if (parts.objects !== undefined) write('Object', boxes(parts.objects, parts.objectsEdited))
  return tags
}

export interface ItemChange {
  operation: ItemOperation
  /** Bulk work tells its collections once a batch itself. */
  quiet?: boolean
  /** Faces that are given to a box afterwards. */
  faces?: readonly number[]
}

/** Parts as the history keeps them, with what had been learnt from boxes that went. */
export interface KeptParts extends ItemParts {
  faces?: StoredFace[]
}

/** Writes who is on the item. Answers what was learnt from boxes that are no more, or lie on other faces now. */
function writePeople(
  tx: Transaction,
  { id, parts }: ItemToEdit,
  { people, faces = [] }: Pick<KeptParts, 'faces'> & { people: StoredBox[] },
  { operation, faces: kept = [] }: ItemChange,
): StoredFace[] {
  // A merge of two people moves what was learnt of them itself, as a whole.
  const learnt = operation === 'person.merge' ? null : learntOn(tx, id)
  const gone = takeFaces(tx, { before: parts.people, after: people }, { operation, kept })
  writeBoxes(tx, id, 'person', people)
  moveFaces(tx, id, operation)
  const replaced = putFaces(tx, faces)
  // Two boxes in one place of which one goes: a merge that is made again.
  const left =
    learnt === null ? [] : settleFaces(tx, id, learnt, { kept, merged: operation === 'undo' ? parts.people : [] })
  const { gone: unseated } = seatFaces(
    tx,
    id,
    faces.map(face => face.id),
  )
  // Whose it was before the box showed somebody else.
  const whose = new Map(learnt?.faces.map(face => [face.id, face.person_id]))
  const lost = unseated.map(face => ({ ...face, person_id: whose.get(face.id) ?? face.person_id }))
  return [...gone, ...left, ...replaced, ...lost]
}

/**
 * Makes the wanted parts so; parts that are so already are skipped. Answers the item as it is then, and whether anything
 * changed. Rights are the caller's business.
 */
export function changeItem(
  tx: Transaction,
  item: ItemToEdit,
  wanted: KeptParts,
  change: ItemChange,
): { item: ItemToEdit; changed: boolean } {
  const parts = differing(item.parts, wanted)
  if (Object.keys(parts).length === 0) return { item, changed: false }
  const faces = parts.people === undefined ? [] : writePeople(tx, item, { ...wanted, people: parts.people }, change)
  if (parts.objects !== undefined) writeBoxes(tx, item.id, 'object', parts.objects)
  const tags = storedTags(item.stored, parts)
  const place = tags.Locations?.d
  const touchesRow = parts.tags !== undefined || parts.date !== undefined || parts.rating !== undefined
  if (touchesRow || parts.people !== undefined || parts.objects !== undefined) {
    updateItem(tx, item.id, {
      ...item.row,
      tags,
      taken: parts.date?.taken ?? item.row.taken,
      takenOffset: parts.date === undefined ? item.row.takenOffset : parts.date.offset,
      takenSource: parts.date?.source ?? item.row.takenSource,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      rating: parts.rating === undefined ? item.row.rating : parts.rating,
      people: parts.people === undefined ? item.row.people : subjectsOf(parts.people),
      objects: parts.objects === undefined ? item.row.objects : subjectsOf(parts.objects),
    })
  }
  markDue(tx, item.id)
  if (parts.rotation !== undefined) {
    tx.run('UPDATE items SET rotation = ?, version = version + 1 WHERE id = ?', parts.rotation, item.id)
  }
  if (parts.deleted !== undefined) {
    tx.run('UPDATE items SET deleted = ?, version = version + 1 WHERE id = ?', parts.deleted, item.id)
  }
  const after = itemToEdit(tx, item.id)
  if (after === null) throw new Error('the item that was just changed is not there')
  tx.history({
    operation: change.operation,
    collectionId: item.collectionId,
    itemId: item.id,
    before: { ...picked(item.parts, parts), ...(faces.length > 0 ? { faces } : {}) },
    after: picked(after.parts, parts),
  })
  if (change.quiet !== true) tellItem(tx, item, after, parts.deleted)
  return { item: after, changed: true }
}

/**
 * A recycled item is gone for those who look at the gallery, a restored one is new to them; one that the change hides has
 * left the lists of all who do not see hidden ones.
 */
function tellItem(
  tx: Transaction,
  { id, collectionId, isHidden }: ItemToEdit,
  after: ItemToEdit,
  deleted: number | null | undefined,
): void {
  const action = deleted === undefined ? 'update' : deleted === null ? 'create' : 'delete'
  const left = after.isHidden && !isHidden ? { left: true } : {}
  tx.event(channels.collection(collectionId), { action, item: { id, collection_id: collectionId, ...left } })
}

/** An item that must be there. */
export function demandItemToEdit(tx: Transaction, id: number): ItemToEdit {
  const item = itemToEdit(tx, id)
  if (item === null) throw new Failure('notFound', 'Not found')
  return item
}

/**
 * Takes a change back, as the history has it: 'undone', or 'changed' when a part of it is no longer as that change had
 * left it, 'gone' when the item is.
 */
export function revertItem(
  tx: Transaction,
  id: number,
  before: KeptParts,
  after: ItemParts,
  change: ItemChange,
): 'undone' | 'changed' | 'gone' {
  const item = itemToEdit(tx, id)
  if (item === null) return 'gone'
  if (Object.keys(differing(item.parts, after)).length > 0) return 'changed'
  // Somebody has been deleted since: a box can't show him again.
  if (!subjectsExist(tx, 'people', before.people) || !subjectsExist(tx, 'objects', before.objects)) return 'changed'
  changeItem(tx, item, before, change)
  return 'undone'
}
