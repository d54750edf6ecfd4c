/** Determines which found faces are in named boxes: those become reference faces. */
import { type Box, hasNoPlace, likeness } from '../../../schema/boxes.ts'
import { channels } from '../../../schema/realtime.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { RowIn } from '../../kernel/database/statement.ts'
import {
  current,
  dropFace,
  faceOfBox,
  foundOnItem,
  learnFace,
  namedSeats,
  seatFound,
  vectorOfFound,
} from './boxes.sql.ts'
import { isAlike, roundedVector, vectorOfBytes } from './vectors.ts'

/** A row of `faces` that was removed with its box. The history stores it, so its format is permanent. */
export type StoredFace = RowIn<typeof faceOfBox>

const currentOnItem = foundOnItem(current)
type FoundRow = RowIn<typeof currentOnItem>
type RegionRow = RowIn<typeof namedSeats>

/** Pairs in the same place, the most similar first; each element is in at most one pair. */
export function pairsOf<A extends Box, B extends Box>(some: readonly A[], others: readonly B[]): [A, B][] {
  const alike = some
    .flatMap(a => others.map(b => ({ a, b, likeness: likeness(a, b) })))
    .filter(pair => pair.likeness > 0)
    .sort((one, two) => two.likeness - one.likeness)
  const pairs: [A, B][] = []
  for (const { a, b } of alike) {
    if (!pairs.some(pair => pair[0] === a || pair[1] === b)) pairs.push([a, b])
  }
  return pairs
}

function learntFace(tx: Transaction, regionId: number, model: string): { face: StoredFace; vector: number[] } | null {
  const face = tx.get(faceOfBox, regionId, model)
  // Only the library writes this column.
  return face === null ? null : { face, vector: JSON.parse(face.embedding) }
}

interface Seating {
  /** Faces that boxes keep, whatever was found there: they were just restored. */
  kept: readonly number[]
  learnt: number
  /** Reference faces that boxes lost, for the history. */
  gone: StoredFace[]
}

function forget(tx: Transaction, face: StoredFace, { gone }: Seating): void {
  tx.run(dropFace, face.id)
  gone.push(face)
}

/** Makes a found face the reference of its box's person. It replaces another one only if it is new in the box. */
function teach(tx: Transaction, face: FoundRow, region: RegionRow, isNew: boolean, seating: Seating): void {
  const before = learntFace(tx, region.id, face.model)
  if (before !== null && (!isNew || seating.kept.includes(before.face.id))) return
  const row = tx.get(vectorOfFound, face.id)
  if (row === null) return
  const vector = vectorOfBytes(row.vector)
  if (before !== null) {
    if (isAlike(vector, before.vector)) return
    forget(tx, before.face, seating)
  }
  tx.run(learnFace, region.person_id, region.id, JSON.stringify(roundedVector(vector)), face.model)
  tx.event(channels.person(region.person_id), { action: 'update', person: { id: region.person_id } })
  seating.learnt++
}

/** Removes a box's reference to a face that is no longer in the box. */
function unteach(tx: Transaction, face: FoundRow, region: RegionRow, seating: Seating): void {
  const before = learntFace(tx, region.id, face.model)
  const row = tx.get(vectorOfFound, face.id)
  if (before === null || row === null || seating.kept.includes(before.face.id)) return
  if (!isAlike(vectorOfBytes(row.vector), before.vector)) return
  forget(tx, before.face, seating)
  tx.event(channels.person(region.person_id), { action: 'update', person: { id: region.person_id } })
}

/**
 * Updates which named box each found face of an item is in; returns how many became references, and the references that
 * boxes lost. `kept` are references that stay in any case.
 */
export function seatFaces(tx: Transaction, itemId: number, kept: readonly number[] = []): Omit<Seating, 'kept'> {
  const seating: Seating = { kept, learnt: 0, gone: [] }
  const found = tx.all(currentOnItem, itemId)
  if (found.length === 0) return seating
  const regions = tx.all(namedSeats, itemId).filter(region => !hasNoPlace(region))
  for (const model of new Set(found.map(face => face.model))) {
    const faces = found.filter(face => face.model === model)
    const pairs = pairsOf(faces, regions)
    const seats = faces.map(face => ({ face, region: pairs.find(([one]) => one === face)?.[1] }))
    const moved = seats.filter(({ face, region }) => face.region_id !== (region?.id ?? null))
    for (const { face, region } of moved) {
      const former = regions.find(({ id }) => id === face.region_id)
      if (former !== undefined) unteach(tx, face, former, seating)
      tx.run(seatFound, region?.id ?? null, face.id)
    }
    for (const { face, region } of seats) {
      const isNew = moved.some(one => one.face === face)
      if (region !== undefined) teach(tx, face, region, isNew, seating)
    }
  }
  return seating
}
