/** Reads and writes the rows of an item's boxes. */
import type { Transaction } from '../../kernel/database/database.ts'
import { orderedBox, type StoredBox } from '../item-parts.ts'
import { boxesOfItem, deleteOtherBoxes, writeBox } from './boxes.sql.ts'

export function storedBoxesOf(
  tx: Pick<Transaction, 'all'>,
  itemId: number,
): { people: StoredBox[]; objects: StoredBox[] } {
  const rows = tx.all(boxesOfItem, itemId)
  return {
    people: rows.filter(({ type }) => type === 'person').map(orderedBox),
    objects: rows.filter(({ type }) => type === 'object').map(orderedBox),
  }
}

/** Adds boxes; updates a box if its id exists. */
export function addBoxes(
  tx: Transaction,
  itemId: number,
  type: 'person' | 'object',
  boxes: readonly StoredBox[],
): void {
  for (const { subject, ...box } of boxes) {
    const [person, object] = type === 'person' ? [subject, null] : [null, subject]
    tx.run(writeBox, { ...box, itemId, type, person, object })
  }
}

export function replaceBoxes(
  tx: Transaction,
  itemId: number,
  type: 'person' | 'object',
  boxes: readonly StoredBox[],
): void {
  tx.run(deleteOtherBoxes, itemId, type, JSON.stringify(boxes.map(({ id }) => id).filter(id => id !== null)))
  addBoxes(tx, itemId, type, boxes)
}
