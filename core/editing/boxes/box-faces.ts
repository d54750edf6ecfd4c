/** Keeps reference faces with their boxes: a face is deleted with its box, follows its person, and is restored by undo. */
import { type Box, boxSimilarity, hasNoBox } from '../../../schema/boxes.ts'
import { channels } from '../../../schema/realtime.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import type { ItemOperation, StoredBox } from '../item-parts.ts'
import * as rows from './boxes.sql.ts'
import { pairsOf, type StoredFace } from './face-matches.ts'

/** Operations by which users withdraw the name of a box: its reference faces are then removed. */
const withdrawingOperations: ReadonlySet<ItemOperation> = new Set(['item.tag', 'item.region', 'item.bulk', 'undo'])

/** People whose faces this transaction has published already: bulk work changes the same people repeatedly. */
const publishedPeople = new WeakMap<Transaction, Set<number>>()

function publishPerson(tx: Transaction, person: number): void {
  const published = publishedPeople.get(tx) ?? new Set()
  publishedPeople.set(tx, published)
  if (published.has(person)) return
  published.add(person)
  tx.event(channels.person(person), { action: 'update', person: { id: person } })
}

/** A face in the history, without derived values. */
function storedFace({ id, person_id, region_id, embedding, model, created_at }: StoredFace): StoredFace {
  return { id, person_id, region_id, embedding, model, created_at }
}

const placeOf = ({ x, y, width, height }: Box) => `${x} ${y} ${width} ${height}`

/**
 * Removes the reference faces of boxes that `after` deletes or unnames, and returns them for the history. The faces in
 * `kept` are returned but not removed, because the caller will give them to another box.
 */
export function removeWithdrawnFaces(
  tx: Transaction,
  { before, after }: { before: readonly StoredBox[]; after: readonly StoredBox[] },
  { operation, kept }: { operation: ItemOperation; kept: readonly number[] },
): StoredFace[] {
  if (!withdrawingOperations.has(operation)) return []
  const withdrawn = before.filter(box => {
    const now = after.find(({ id }) => id === box.id)
    return now === undefined || (now.subject === null && box.subject !== null)
  })
  const faces = withdrawn.flatMap(box => {
    const isBack = (other: StoredBox) => operation === 'undo' && !before.some(({ id }) => id === other.id)
    const twins = after.filter(
      other =>
        other.id !== box.id && (placeOf(other) === placeOf(box) || (isBack(other) && boxSimilarity(other, box) > 0)),
    )
    // A face stays if another box in its place shows the same person (in an undo: anybody).
    const hasTwin = (person: number) => twins.some(({ subject }) => operation === 'undo' || subject === person)
    return tx.all(rows.facesOfBox, box.id).filter(face => !hasTwin(face.person_id))
  })
  for (const { id, person_id } of faces) {
    if (kept.includes(id)) continue
    tx.run(rows.deleteFace, id)
    publishPerson(tx, person_id)
  }
  return faces
}

/** Assigns the reference faces of boxes to the people whom the boxes show. */
export function alignFacesWithBoxes(tx: Transaction, itemId: number, operation: ItemOperation): void {
  for (const { id, before, now } of tx.all(rows.facesOfOthers, itemId)) {
    tx.run(rows.moveFace, now, id)
    // A merge publishes its two people itself.
    if (operation === 'person.merge') continue
    publishPerson(tx, before)
    publishPerson(tx, now)
  }
}

type PersonBox = RowOfQuery<typeof rows.personBoxes>

export interface ReferenceFaces {
  boxes: readonly PersonBox[]
  faces: readonly RowOfQuery<typeof rows.facesOfItem>[]
}

export function referenceFacesOf(tx: Pick<Transaction, 'all'>, itemId: number): ReferenceFaces {
  const faces = tx.all(rows.facesOfItem, itemId)
  return { faces, boxes: faces.length === 0 ? [] : tx.all(rows.personBoxes, itemId) }
}

/** The replacement of each deleted box; only new boxes are replacements. */
function replacementsOf(before: readonly PersonBox[], now: readonly PersonBox[]): Map<number, PersonBox> {
  const deleted = before.filter(({ id }) => !now.some(box => box.id === id))
  const added = now.filter(({ id }) => !before.some(box => box.id === id))
  const withoutBox = deleted.filter(hasNoBox).flatMap(box => {
    const same = added.find(other => hasNoBox(other) && other.person_id === box.person_id)
    return same === undefined ? [] : [[box, same] as const]
  })
  return new Map([...pairsOf(deleted, added), ...withoutBox].map(([box, newBox]) => [box.id, newBox]))
}

/**
 * Assigns each reference face of a deleted box to the box's replacement. Removes and returns the face if there is no
 * replacement, or if the replacement has a face already. Does not change the faces in `kept`, which the caller links, and
 * faces whose box equals one in `merged`, which remain without a region.
 */
export function reconcileFaces(
  tx: Transaction,
  itemId: number,
  references: ReferenceFaces,
  { kept = [], merged = [] }: { kept?: readonly number[]; merged?: readonly StoredBox[] } = {},
): StoredFace[] {
  if (references.faces.length === 0) return []
  const now = tx.all(rows.personBoxes, itemId)
  const places = new Set(merged.filter(box => now.some(({ id }) => id === box.id)).map(placeOf))
  const replacements = replacementsOf(references.boxes, now)
  const gone: StoredFace[] = []
  for (const face of references.faces) {
    const isLoose = tx.get(rows.faceWithoutRegion, face.id) !== null
    if (!isLoose || kept.includes(face.id) || places.has(placeOf(face))) continue
    // Two browsers may have created equal boxes of one person: the other box gets the face.
    const twin = now.find(box => box.person_id === face.person_id && placeOf(box) === placeOf(face))
    const newBox = replacements.get(face.region_id) ?? twin ?? null
    const person = newBox?.person_id ?? null
    const taken = tx.get(rows.faceOfBox, newBox?.id ?? null, face.model)
    if (newBox !== null && person !== null && taken === null) {
      tx.run(rows.assignFace, newBox.id, person, face.id)
      if (person === face.person_id) continue
      publishPerson(tx, person)
    } else {
      tx.run(rows.deleteFace, face.id)
      gone.push(storedFace(face))
    }
    publishPerson(tx, face.person_id)
  }
  return gone
}

/** Restores the faces of restored boxes. Removes and returns the faces that these boxes have received since. */
export function insertFaces(tx: Transaction, faces: readonly StoredFace[]): StoredFace[] {
  const gone: StoredFace[] = []
  const insertedIds = JSON.stringify(faces.map(({ id }) => id))
  for (const face of faces.map(storedFace)) {
    if (tx.run(rows.restoreFace, face).changes === 0) continue
    publishPerson(tx, face.person_id)
    for (const since of tx.all(rows.otherFacesOfBox, face.region_id, face.model, insertedIds)) {
      tx.run(rows.deleteFace, since.id)
      gone.push(since)
    }
  }
  return gone
}
