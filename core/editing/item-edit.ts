/** Changes an item, in the same way for every caller: row, regions, search text, history, event. */
import { channels } from '../../schema/realtime.ts'
import { itemState } from '../../schema/tables/items.ts'
import { notFound } from '../accounts/access.ts'
import { markDue } from '../items/due-items.ts'
import { type ItemRow, parseTags, type StoredTag, type StoredTags } from '../items/item-row.ts'
import { updateItem } from '../items/item-rows.ts'
import type { Transaction } from '../kernel/database/database.ts'
import {
  alignFacesWithBoxes,
  insertFaces,
  reconcileFaces,
  referenceFacesOf,
  removeWithdrawnFaces,
} from './boxes/box-faces.ts'
import { replaceBoxes, storedBoxesOf } from './boxes/box-rows.ts'
import { existingObjects, existingPeople } from './boxes/boxes.sql.ts'
import { matchFaces, type StoredFace } from './boxes/face-matches.ts'
import { itemById, setDeleted, setRotation } from './editing.sql.ts'
import {
  changedParts,
  type ItemOperation,
  type ItemParts,
  pickParts,
  rowTags,
  type StoredBox,
  type TagValue,
  valueOfTag,
} from './item-parts.ts'

export interface ItemToEdit {
  id: number
  collectionId: number
  /** Whether at least one of its keystrings hides it. */
  isHidden: boolean
  /** Whether it is neither recycled nor missing. */
  isInGallery: boolean
  stored: StoredTags
  parts: Required<ItemParts>
  /** Width of the upright picture, before Rotation. */
  width: number
  height: number
  row: ItemRow
}

type Reader = Pick<Transaction, 'all' | 'get'>

function subjectsOf(boxes: readonly StoredBox[]): number[] {
  return [...new Set(boxes.map(({ subject }) => subject).filter(subject => subject !== null))]
}

/** An item in any state with everything that can be changed; null if it does not exist. */
export function itemToEdit(tx: Reader, id: number): ItemToEdit | null {
  const full = tx.get(itemById, id)
  if (full === null) return null
  const tags = parseTags(full.tags)
  const { people, objects } = storedBoxesOf(tx, id)
  const values = Object.fromEntries(rowTags.map(name => [name, valueOfTag<unknown>(tags[name])]))
  const { collectionId, state, width, height, rating, rotation, deleted } = full
  return {
    id,
    collectionId,
    isHidden: full.hiddenBy > 0,
    isInGallery: state === itemState.shown || state === itemState.hidden,
    stored: tags,
    width,
    height,
    parts: {
      // The type of a tag's data depends on its name; each was taken from `StoredTags` under the same name.
      tags: values as Required<ItemParts>['tags'],
      date: { taken: full.taken, offset: full.takenOffset, source: full.takenSource },
      people,
      objects,
      peopleEdited: tags.People?.u === 1,
      objectsEdited: tags.Object?.u === 1,
      rating,
      rotation,
      deleted,
    },
    row: {
      ...full,
      motion: full.motion === 1,
      tags,
      details: JSON.parse(full.details),
      people: subjectsOf(people),
      objects: subjectsOf(objects),
    },
  }
}

function subjectsExist(
  tx: Transaction,
  there: typeof existingPeople,
  boxes: readonly StoredBox[] | undefined,
): boolean {
  const ids = subjectsOf(boxes ?? [])
  return ids.length === 0 || tx.get(there, JSON.stringify(ids))?.n === ids.length
}

function storedTags(stored: StoredTags, parts: ItemParts): StoredTags {
  const tags: Record<string, StoredTag<unknown>> = { ...stored }
  const write = (name: keyof StoredTags, value: TagValue<unknown> | null) => {
    // A version is never used twice: otherwise the If-Match of an editor could match a later tag.
    const version = (stored[name]?.v ?? 0) + 1
    tags[name] = value === null ? { v: version } : { v: version, ...value }
  }
  for (const name of rowTags) if (parts.tags !== undefined && name in parts.tags) write(name, parts.tags[name] ?? null)
  const boxes = (list: readonly StoredBox[], edited: boolean | undefined): TagValue<true> => ({
    ...(list.length > 0 ? { d: true } : {}),
    ...(edited === false ? {} : { u: 1 }),
  })
  if (parts.people !== undefined) write('People', boxes(parts.people, parts.peopleEdited))
  if (parts.objects !== undefined) write('Object', boxes(parts.objects, parts.objectsEdited))
  return tags
}

export interface ItemChange {
  operation: ItemOperation
  /** Publishes no event, because the caller publishes its collections once for each batch. */
  quiet?: boolean
  /** Faces that will be given to a box afterwards. */
  faces?: readonly number[]
}

/** Parts for the history, with the reference faces of deleted boxes. */
export interface PartsWithFaces extends ItemParts {
  faces?: StoredFace[]
}

/** Writes the people of the item. Returns the removed reference faces: their boxes are deleted or show other faces. */
function writePeople(
  tx: Transaction,
  { id, parts }: ItemToEdit,
  { people, faces = [] }: Pick<PartsWithFaces, 'faces'> & { people: StoredBox[] },
  { operation, faces: kept = [] }: ItemChange,
): StoredFace[] {
  // A merge of two people moves their references itself, as a whole.
  const references = operation === 'person.merge' ? null : referenceFacesOf(tx, id)
  const gone = removeWithdrawnFaces(tx, { before: parts.people, after: people }, { operation, kept })
  replaceBoxes(tx, id, 'person', people)
  alignFacesWithBoxes(tx, id, operation)
  const replaced = insertFaces(tx, faces)
  // Redoing a merge deletes one of two boxes in the same place, but not its face.
  const unplaced =
    references === null
      ? []
      : reconcileFaces(tx, id, references, { kept, merged: operation === 'undo' ? parts.people : [] })
  const { gone: removedReferences } = matchFaces(
    tx,
    id,
    faces.map(face => face.id),
  )
  // Each face's person before the box was renamed.
  const personByFace = new Map(references?.faces.map(face => [face.id, face.person_id]))
  const lost = removedReferences.map(face => ({ ...face, person_id: personByFace.get(face.id) ?? face.person_id }))
  return [...gone, ...unplaced, ...replaced, ...lost]
}

/** Applies the changed parts; returns the resulting item. The caller checks rights. */
export function changeItem(
  tx: Transaction,
  item: ItemToEdit,
  wanted: PartsWithFaces,
  change: ItemChange,
): { item: ItemToEdit; changed: boolean } {
  const parts = changedParts(item.parts, wanted)
  if (Object.keys(parts).length === 0) return { item, changed: false }
  const faces = parts.people === undefined ? [] : writePeople(tx, item, { ...wanted, people: parts.people }, change)
  if (parts.objects !== undefined) replaceBoxes(tx, item.id, 'object', parts.objects)
  const tags = storedTags(item.stored, parts)
  const place = tags.Locations?.d
  const { date = item.parts.date, rating = item.parts.rating, people, objects, rotation, deleted } = parts
  if ([parts.tags, parts.date, parts.rating, people, objects].some(part => part !== undefined)) {
    updateItem(tx, item.id, {
      ...item.row,
      tags,
      taken: date.taken,
      takenOffset: date.offset,
      takenSource: date.source,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      rating,
      people: people === undefined ? item.row.people : subjectsOf(people),
      objects: objects === undefined ? item.row.objects : subjectsOf(objects),
    })
  }
  markDue(tx, item.id)
  if (rotation !== undefined) tx.run(setRotation, rotation, item.id)
  if (deleted !== undefined) tx.run(setDeleted, deleted, item.id)
  const after = itemToEdit(tx, item.id)
  if (after === null) throw new Error('the item that was just changed is not there')
  tx.history({
    operation: change.operation,
    collectionId: item.collectionId,
    itemId: item.id,
    before: { ...pickParts(item.parts, parts), ...(faces.length > 0 ? { faces } : {}) },
    after: pickParts(after.parts, parts),
  })
  if (change.quiet !== true) publishItem(tx, item, after, parts.deleted)
  return { item: after, changed: true }
}

/** Publishes the change: recycling and restoring change all lists, hiding changes the lists of locked sessions. */
function publishItem(
  tx: Transaction,
  { id, collectionId, isHidden }: ItemToEdit,
  after: ItemToEdit,
  deleted: number | null | undefined,
): void {
  const action = deleted === undefined ? 'update' : deleted === null ? 'create' : 'delete'
  const left = after.isHidden && !isHidden ? { left: true } : {}
  tx.event(channels.collection(collectionId), { action, item: { id, collection_id: collectionId, ...left } })
}

export function requireItemToEdit(tx: Transaction, id: number): ItemToEdit {
  const item = itemToEdit(tx, id)
  if (item === null) throw notFound()
  return item
}

/** Undoes a change: 'changed' if a part of it was changed since, 'gone' if the item no longer exists. */
export function revertItem(
  tx: Transaction,
  id: number,
  before: PartsWithFaces,
  after: ItemParts,
  change: ItemChange,
): 'undone' | 'changed' | 'gone' {
  const item = itemToEdit(tx, id)
  if (item === null) return 'gone'
  if (Object.keys(changedParts(item.parts, after)).length > 0) return 'changed'
  // A person or object was deleted since, so no box can show it.
  if (!subjectsExist(tx, existingPeople, before.people) || !subjectsExist(tx, existingObjects, before.objects))
    return 'changed'
  changeItem(tx, item, before, change)
  return 'undone'
}
