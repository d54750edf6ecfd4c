/** Matches detected faces to named boxes: a face in such a box becomes a reference face of the person. */
import { type Box, boxSimilarity, hasNoBox } from '../../../schema/boxes.ts'
import { channels } from '../../../schema/realtime.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import {
  current,
  deleteFace,
  faceOfBox,
  foundOnItem,
  insertReference,
  namedBoxes,
  setFaceRegion,
  vectorOfFound,
} from './boxes.sql.ts'
import { isAlike, roundedVector, vectorOfBytes } from './vectors.ts'

/** A row of `faces` that was removed with its box. The history stores it, so its format is permanent. */
export type StoredFace = RowOfQuery<typeof faceOfBox>

const currentOnItem = foundOnItem(current)
type FoundRow = RowOfQuery<typeof currentOnItem>
type RegionRow = RowOfQuery<typeof namedBoxes>

/** Pairs of boxes that count as the same, the most similar first; each box is in at most one pair. */
export function pairsOf<A extends Box, B extends Box>(some: readonly A[], others: readonly B[]): [A, B][] {
  const alike = some
    .flatMap(a => others.map(b => ({ a, b, likeness: boxSimilarity(a, b) })))
    .filter(pair => pair.likeness > 0)
    .sort((one, two) => two.likeness - one.likeness)
  const pairs: [A, B][] = []
  for (const { a, b } of alike) {
    if (!pairs.some(pair => pair[0] === a || pair[1] === b)) pairs.push([a, b])
  }
  return pairs
}

function referenceOf(tx: Transaction, regionId: number, model: string): { face: StoredFace; vector: number[] } | null {
  const face = tx.get(faceOfBox, regionId, model)
  // Only the library writes this column.
  return face === null ? null : { face, vector: JSON.parse(face.embedding) }
}

interface Matching {
  /** Ids of reference faces that were just restored: they are kept, even if another face was detected in their box. */
  kept: readonly number[]
  learnt: number
  /** Removed reference faces, for the history. */
  gone: StoredFace[]
}

function forget(tx: Transaction, face: StoredFace, { gone }: Matching): void {
  tx.run(deleteFace, face.id)
  gone.push(face)
}

/** Makes a detected face a reference of its box's person. Replaces another reference only if the face is new in the box. */
function setReference(tx: Transaction, face: FoundRow, region: RegionRow, isNew: boolean, matching: Matching): void {
  const before = referenceOf(tx, region.id, face.model)
  if (before !== null && (!isNew || matching.kept.includes(before.face.id))) return
  const row = tx.get(vectorOfFound, face.id)
  if (row === null) return
  const vector = vectorOfBytes(row.vector)
  if (before !== null) {
    if (isAlike(vector, before.vector)) return
    forget(tx, before.face, matching)
  }
  tx.run(insertReference, region.person_id, region.id, JSON.stringify(roundedVector(vector)), face.model)
  tx.event(channels.person(region.person_id), { action: 'update', person: { id: region.person_id } })
  matching.learnt++
}

/** Removes a box's reference to a face that is no longer in the box. */
function removeReference(tx: Transaction, face: FoundRow, region: RegionRow, matching: Matching): void {
  const before = referenceOf(tx, region.id, face.model)
  const row = tx.get(vectorOfFound, face.id)
  if (before === null || row === null || matching.kept.includes(before.face.id)) return
  if (!isAlike(vectorOfBytes(row.vector), before.vector)) return
  forget(tx, before.face, matching)
  tx.event(channels.person(region.person_id), { action: 'update', person: { id: region.person_id } })
}

/**
 * Updates which named box each detected face of an item is in. Returns how many became references, and which references
 * were removed. `kept`: ids of references that are never removed.
 */
export function matchFaces(tx: Transaction, itemId: number, kept: readonly number[] = []): Omit<Matching, 'kept'> {
  const matching: Matching = { kept, learnt: 0, gone: [] }
  const found = tx.all(currentOnItem, itemId)
  if (found.length === 0) return matching
  const regions = tx.all(namedBoxes, itemId).filter(region => !hasNoBox(region))
  for (const model of new Set(found.map(face => face.model))) {
    const faces = found.filter(face => face.model === model)
    const pairs = pairsOf(faces, regions)
    const matches = faces.map(face => ({ face, region: pairs.find(([one]) => one === face)?.[1] }))
    const moved = matches.filter(({ face, region }) => face.region_id !== (region?.id ?? null))
    for (const { face, region } of moved) {
      const former = regions.find(({ id }) => id === face.region_id)
      if (former !== undefined) removeReference(tx, face, former, matching)
      tx.run(setFaceRegion, region?.id ?? null, face.id)
    }
    for (const { face, region } of matches) {
      const isNew = moved.some(one => one.face === face)
      if (region !== undefined) setReference(tx, face, region, isNew, matching)
    }
  }
  return matching
}
