/** What a model saw in boxes, when these change: it goes with its box, moves to whom the box shows now, and comes back by undo. */
import { channels } from '../../schema/realtime.ts'
import type { Transaction } from '../database.ts'
import type { ItemOperation } from './item-edit.ts'
import type { StoredBox } from './item-parts.ts'

/** A row of `faces` that went with its box: the history keeps it, so its shape lasts. */
export interface StoredFace {
  id: number
  person_id: number
  region_id: number
  embedding: string
  model: string
  created_at: number
}

/** Somebody took back what he had said. A merge, a restored library or a file that is read again says nothing of faces. */
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

const placeOf = ({ x, y, width, height }: StoredBox) => `${x} ${y} ${width} ${height}`

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
    const twins = after.filter(other => other.id !== box.id && placeOf(other) === placeOf(box))
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

/** Puts back what had gone with boxes that are there again. */
export function putFaces(tx: Transaction, faces: readonly StoredFace[]): void {
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
    if (changes > 0) tell(tx, person_id)
  }
}
