/** What a model saw in boxes, when these change: it goes with its box, moves to whom the box shows now, and comes back by undo. */
import { type Box, isNowhere, likeness } from '../../../schema/boxes.ts'
import { channels } from '../../../schema/realtime.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { ItemOperation, StoredBox } from '../item-parts.ts'
import { pairsOf, type StoredFace } from './seats.ts'

/** What was learnt from a box, and where that lay. */
interface LearntFace extends StoredFace, Box {}

/** Somebody took back what he had said: where another box says the same in its place, that has its own. */
const takingBack: ReadonlySet<ItemOperation> = new Set(['item.tag', 'item.region', 'item.bulk', 'undo'])

/** Whom this transaction has told of already: bulk work comes by the same people again and again. */
const toldOf = new WeakMap<Transaction, Set<number>>()

function tell(tx: Transaction, person: number): void {
  const told = toldOf.get(tx) ?? new Set()
  toldOf.set(tx, told)
  if (told.has(person)) return
  told.add(person)
  tx.event(channels.person(person), { action: 'update', person: { id: person } })
}

const placeOf = ({ x, y, width, height }: Box) => `${x} ${y} ${width} ${height}`

/**
 * Takes away what was learnt from boxes that are about to go, or that show nobody any more. Answers it for the history.
 * `kept` are faces that go to another box: undo has to know where they were.
 */
export function takeFaces(
  tx: Transaction,
  { before, after }: { before: readonly StoredBox[]; after: readonly StoredBox[] },
  { operation, kept }: { operation: ItemOperation; kept: readonly number[] },
): StoredFace[] {
  if (!takingBack.has(operation)) return []
  const left = before.filter(box => {
    const now = after.find(({ id }) => id === box.id)
    return now === undefined || (now.subject === null && box.subject !== null)
  })
  const faces = left.flatMap(box => {
    const isBack = (other: StoredBox) => operation === 'undo' && !before.some(({ id }) => id === other.id)
    const twins = after.filter(
      other => other.id !== box.id && (placeOf(other) === placeOf(box) || (isBack(other) && likeness(other, box) > 0)),
    )
    const seen = tx.all<StoredFace>(
      'SELECT id, person_id, region_id, embedding, model, created_at FROM faces WHERE region_id = ?',
      box.id,
    )
    // Another box says the same in the same place; a merge that is made again leaves one of two such.
    return seen.filter(({ person_id }) => {
      return !twins.some(({ subject }) => operation === 'undo' || subject === person_id)
    })
  })
  for (const { id, person_id } of faces) {
    if (kept.includes(id)) continue
    tx.run('DELETE FROM faces WHERE id = ?', id)
    tell(tx, person_id)
  }
  return faces
}

/** What a model saw in a box is the face of whom the box is said to show. */
export function moveFaces(tx: Transaction, itemId: number, operation: ItemOperation): void {
  const moved = tx.all<{ id: number; before: number; now: number }>(
    `SELECT f.id, f.person_id AS before, r.person_id AS now FROM regions AS r JOIN faces AS f ON f.region_id = r.id
     WHERE r.item_id = ? AND r.person_id IS NOT NULL AND r.person_id <> f.person_id`,
    itemId,
  )
  for (const { id, before, now } of moved) {
    tx.run('UPDATE faces SET person_id = ? WHERE id = ?', now, id)
    // A merge tells of its two itself.
    if (operation === 'person.merge') continue
    tell(tx, before)
    tell(tx, now)
  }
}

interface Seat extends Box {
  id: number
  person_id: number | null
}

/** An item's boxes of people, and what was learnt from them. */
export interface Learnt {
  boxes: readonly Seat[]
  faces: readonly LearntFace[]
}

function seatsOn(tx: Pick<Transaction, 'all'>, itemId: number): Seat[] {
  return tx.all<Seat>(
    "SELECT id, person_id, x, y, width, height FROM regions WHERE item_id = ? AND type = 'person' ORDER BY id",
    itemId,
  )
}

/** Read before boxes change, for `settleFaces`. */
export function learntOn(tx: Pick<Transaction, 'all'>, itemId: number): Learnt {
  const faces = tx.all<LearntFace>(
    `SELECT f.id, f.person_id, f.region_id, f.embedding, f.model, f.created_at, r.x, r.y, r.width, r.height
     FROM regions AS r JOIN faces AS f ON f.region_id = r.id WHERE r.item_id = ? AND r.type = 'person'`,
    itemId,
  )
  return { faces, boxes: faces.length === 0 ? [] : seatsOn(tx, itemId) }
}

/** Which box each of those that are gone is now: of boxes that were there before nobody takes the place. */
function successors(before: readonly Seat[], now: readonly Seat[]): Map<number, Seat> {
  const gone = before.filter(({ id }) => !now.some(box => box.id === id))
  const come = now.filter(({ id }) => !before.some(box => box.id === id))
  const nowhere = gone.filter(isNowhere).flatMap(box => {
    const same = come.find(other => isNowhere(other) && other.person_id === box.person_id)
    return same === undefined ? [] : [[box, same] as const]
  })
  return new Map([...pairsOf(gone, come), ...nowhere].map(([box, seat]) => [box.id, seat]))
}

/**
 * What was learnt from boxes that are gone belongs to the box that is in their place now, and to whom that shows; it goes
 * where there is none, or where that has learnt of it already. Answers what went, for the history. `kept` are faces that
 * somebody else gives to a box; where one of `merged` lies in exactly its place, a face stays without one.
 */
export function settleFaces(
  tx: Transaction,
  itemId: number,
  learnt: Learnt,
  { kept = [], merged = [] }: { kept?: readonly number[]; merged?: readonly StoredBox[] } = {},
): StoredFace[] {
  if (learnt.faces.length === 0) return []
  const now = seatsOn(tx, itemId)
  const places = new Set(merged.filter(box => now.some(({ id }) => id === box.id)).map(placeOf))
  const seats = successors(learnt.boxes, now)
  const gone: StoredFace[] = []
  for (const face of learnt.faces) {
    const isLoose = tx.get('SELECT 1 FROM faces WHERE id = ? AND region_id IS NULL', face.id) !== null
    if (!isLoose || kept.includes(face.id) || places.has(placeOf(face))) continue
    // Two browsers may have left two boxes of somebody in one place: the other one has it then.
    const twin = now.find(box => box.person_id === face.person_id && placeOf(box) === placeOf(face))
    const seat = seats.get(face.region_id) ?? twin ?? null
    const person = seat?.person_id ?? null
    const taken = tx.get('SELECT 1 FROM faces WHERE region_id = ? AND model = ?', seat?.id ?? null, face.model)
    if (seat !== null && person !== null && taken === null) {
      tx.run('UPDATE faces SET region_id = ?, person_id = ? WHERE id = ?', seat.id, person, face.id)
      if (person === face.person_id) continue
      tell(tx, person)
    } else {
      tx.run('DELETE FROM faces WHERE id = ?', face.id)
      const { id, person_id, region_id, embedding, model, created_at } = face
      gone.push({ id, person_id, region_id, embedding, model, created_at })
    }
    tell(tx, face.person_id)
  }
  return gone
}

/**
 * Puts back what had gone with boxes that are there again, or are where they were. Answers what these have learnt in
 * another place since, which goes.
 */
export function putFaces(tx: Transaction, faces: readonly StoredFace[]): StoredFace[] {
  const gone: StoredFace[] = []
  for (const { id, person_id, region_id, embedding, model, created_at } of faces) {
    const { changes } = tx.run(
      `INSERT INTO faces (id, person_id, region_id, embedding, model, created_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM regions AS r
       WHERE r.id = ?3 AND (r.person_id = ?2 OR (r.person_id IS NULL AND EXISTS (SELECT 1 FROM people WHERE id = ?2)))
       ON CONFLICT (id) DO NOTHING`,
      id,
      person_id,
      region_id,
      embedding,
      model,
      created_at,
    )
    if (changes === 0) continue
    tell(tx, person_id)
    const since = tx.all<StoredFace>(
      `SELECT id, person_id, region_id, embedding, model, created_at FROM faces
       WHERE region_id = ? AND model = ? AND id NOT IN (SELECT value FROM json_each(?))`,
      region_id,
      model,
      JSON.stringify(faces.map(face => face.id)),
    )
    for (const face of since) {
      tx.run('DELETE FROM faces WHERE id = ?', face.id)
      gone.push(face)
    }
  }
  return gone
}
