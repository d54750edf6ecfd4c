/** Removes the boxes of an item whose picture was replaced, because they may be in the wrong places. */
import type { Transaction } from '../../kernel/database/database.ts'
import { memorySource } from '../../metadata/byte-source.ts'
import { readMetadataOf } from '../../metadata/read.ts'
import { changeItem, itemToEdit } from '../item-edit.ts'
import type { StoredBox } from '../item-parts.ts'

/** Removes an item's boxes, and keeps the names without a box. Does nothing if there is no box. */
export function removeBoxes(tx: Transaction, itemId: number): void {
  const item = itemToEdit(tx, itemId)
  if (item === null) return
  const withoutBoxes = (boxes: readonly StoredBox[]) => {
    const named = boxes.filter(({ subject }) => subject !== null)
    const first = named.filter((box, n) => named.findIndex(({ subject }) => subject === box.subject) === n)
    return first.map(box => ({ ...box, x: 0, y: 0, width: 0, height: 0 }))
  }
  const { people, objects } = item.parts
  if (![...people, ...objects].some(box => box.width > 0)) return
  changeItem(tx, item, { people: withoutBoxes(people), objects: withoutBoxes(objects) }, { operation: 'item.region' })
}

/** Whether the picture's sides differ from the item's, even swapped: then the item's boxes do not apply to it. */
export function isOtherShape(bytes: Uint8Array, name: string, item: { width: number; height: number }): boolean {
  const { width, height } = readMetadataOf(memorySource(bytes), name)
  return ![
    [item.width, item.height],
    [item.height, item.width],
  ].some(([w, h]) => w === width && h === height)
}
