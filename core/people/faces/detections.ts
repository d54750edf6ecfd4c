/** Records of detection: which pictures are due, and the rows of a processed picture. */
import { and, eq } from 'drizzle-orm'
import { faceSearches, faces as facesTable, foundFaces } from '../../../schema/tables/faces.ts'
import { items } from '../../../schema/tables/items.ts'
import { referenceFacesOf } from '../../editing/boxes/box-faces.ts'
import { matchFaces, pairsOf } from '../../editing/boxes/face-matches.ts'
import { bytesOfVector, isAlike, vectorOfBytes } from '../../editing/boxes/vectors.ts'
import { insideBox, shownSides, uprightBox } from '../../items/region-geometry.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { publishPerson } from '../people.ts'
import { countDueByCollection, countDueItems, pageOfDue } from './faces.sql.ts'
import type { DetectedFace } from './workers/worker-messages.ts'

export type DueItem = RowOfQuery<typeof pageOfDue>

/** The pictures to process, of a collection (0: all). Those processed before `since` (milliseconds) are due again. */
export interface Due {
  model: string
  collectionId: number
  since: number
}

export function countDue(db: LibraryDatabase, { model, collectionId, since }: Due): number {
  return db.get(countDueItems, collectionId, model, since)?.n ?? 0
}

/** The number of due pictures of each collection that has some, by its directory. */
export function countDueByRoot(db: LibraryDatabase, { model, collectionId, since }: Due) {
  return db.all(countDueByCollection, collectionId, model, since)
}

/** The message for an unavailable collection, with the reason. */
export function notInspected(reason: string): string {
  return `${reason} Its pictures were not looked at.`
}

export function dueItems(db: LibraryDatabase, { model, collectionId, since }: Due, after: number): DueItem[] {
  return db.all(pageOfDue, collectionId, model, since, after)
}

interface Detection {
  item: Pick<DueItem, 'id' | 'content' | 'rotation' | 'width' | 'height'>
  model: string
  confidence: number
  /** Milliseconds since the epoch. */
  at: number
}

function hasChanged({ orm }: Transaction, { id, content, rotation }: Detection['item']): boolean {
  const same = and(eq(items.id, id), eq(items.content, content), eq(items.rotation, rotation))
  return orm.select({ id: items.id }).from(items).where(same).get() === undefined
}

export function lastDetection({ orm }: Pick<Transaction, 'orm'>, itemId: number, model: string) {
  return orm
    .select()
    .from(faceSearches)
    .where(and(eq(faceSearches.itemId, itemId), eq(faceSearches.model, model)))
    .get()
}

function recordDetection(tx: Transaction, { item, model, confidence, at }: Detection, fault: string | null): void {
  const { id: itemId, content, rotation } = item
  const detection = { itemId, model, content, rotation, confidence, fault, lookedAt: at }
  const target = [faceSearches.itemId, faceSearches.model]
  tx.orm.insert(faceSearches).values(detection).onConflictDoUpdate({ target, set: detection }).run()
}

/** Removes a picture's earlier detected faces, and returns them. */
function removeDetectedFaces(tx: Transaction, { item, model }: Detection) {
  return tx.orm
    .delete(foundFaces)
    .where(and(eq(foundFaces.itemId, item.id), eq(foundFaces.model, model)))
    .returning()
    .all()
}

/** Deletes faces learned from a picture's regions that a new picture in its place does not show. */
function deleteLearnedFaces(
  tx: Transaction,
  { item, model }: Detection,
  before: readonly { vector: Uint8Array }[],
  now: readonly DetectedFace[],
): void {
  const gone = before
    .map(face => vectorOfBytes(face.vector))
    .filter(vector => !now.some(face => isAlike(face.vector, vector)))
  for (const { id, person_id, embedding } of referenceFacesOf(tx, item.id).faces.filter(face => face.model === model)) {
    const vector = Float32Array.from(JSON.parse(embedding))
    if (!gone.some(other => isAlike(other, vector))) continue
    tx.orm.delete(facesTable).where(eq(facesTable.id, id)).run()
    publishPerson(tx, 'update', person_id)
  }
}

/** Records that a picture could not be processed. Faces of an earlier picture in its place are deleted. */
export function storeFault(tx: Transaction, inspected: Detection, fault: string): void {
  if (hasChanged(tx, inspected.item)) return
  if (lastDetection(tx, inspected.item.id, inspected.model)?.content !== inspected.item.content) {
    deleteLearnedFaces(tx, inspected, removeDetectedFaces(tx, inspected), [])
  }
  recordDetection(tx, inspected, fault)
}

/** Replaces detected faces; a face that was there before keeps its id. Null if the item has changed meanwhile. */
export function storeDetections(
  tx: Transaction,
  inspected: Detection,
  faces: readonly DetectedFace[],
): { faces: number; learnt: number } | null {
  const { item, model } = inspected
  if (hasChanged(tx, item)) return null
  const last = lastDetection(tx, item.id, model)
  const before = removeDetectedFaces(tx, inspected)
  const placed = faces.flatMap(face => {
    const inside = insideBox(face, shownSides(item, item.rotation))
    return inside === null ? [] : { ...face, ...uprightBox(inside, item.rotation, item) }
  })
  const pairs = pairsOf(placed, before)
  // The earlier faces were detected on another content.
  if (last !== undefined && last.content !== item.content) deleteLearnedFaces(tx, inspected, before, placed)
  for (const face of placed) {
    const former = pairs.find(([one]) => one === face)?.[1]
    // Another picture may have another person in the same place.
    const isSame = former !== undefined && isAlike(face.vector, vectorOfBytes(former.vector))
    const { x, y, width, height, score } = face
    tx.orm
      .insert(foundFaces)
      .values({
        // Groups and the history refer to the face by its id.
        ...(isSame ? { id: former.id, groupId: former.groupId } : {}),
        ...{ itemId: item.id, model, x, y, width, height, score },
        vector: Buffer.from(bytesOfVector(face.vector)),
      })
      .run()
  }
  recordDetection(tx, inspected, null)
  return { faces: placed.length, learnt: matchFaces(tx, item.id).learnt }
}
