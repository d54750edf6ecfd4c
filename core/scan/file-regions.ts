/** Regions from files: resolves their names, keeps them apart from users' regions, and writes them. */
import { addBoxes } from '../editing/boxes/box-rows.ts'
import { boxesOfItem, dropBoxesOfFile } from '../editing/boxes/boxes.sql.ts'
import { orderedBox } from '../editing/item-parts.ts'
import type { StoredTags } from '../items/item-row.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import type { ItemMetadata } from '../metadata/merge.ts'
import { findOrCreatePerson } from '../people/people.ts'
import { findOrCreateObject } from '../vocabulary/objects.ts'

/** A box with its person or object. Lengths in thousandths of the longer edge; all 0 when the position is unknown. */
export type SubjectBox = Omit<RowOfQuery<typeof boxesOfItem>, 'id' | 'source'>

/** The regions from the file, with their people and objects found or created. */
export function boxesOfFile(tx: Transaction, { regions, people, objects }: ItemMetadata): SubjectBox[] {
  const withoutPosition = [
    ...people.map(name => ({ kind: 'person' as const, name, x: 0, y: 0, width: 0, height: 0 })),
    ...objects.map(name => ({ kind: 'object' as const, name, x: 0, y: 0, width: 0, height: 0 })),
  ]
  return [...regions, ...withoutPosition].flatMap(({ kind, name, x, y, width, height }) => {
    const subject = kind === 'person' ? findOrCreatePerson(tx, name) : findOrCreateObject(tx, name, { ofFile: true })
    // An object without a name is useless; a face without one waits for its name.
    return subject === null && kind === 'object' ? [] : [{ type: kind, subject, x, y, width, height }]
  })
}

/** Regions that the file must not change: those of users and faces, and all of a type that a user edited. */
export function protectedBoxes(tx: Transaction, itemId: number, tags: StoredTags): SubjectBox[] {
  return tx.all(boxesOfItem, itemId).filter(box => box.source !== 'file' || isEdited(tags, box.type))
}

/** Whether a user edited the regions of this type. Then the file does not change them. */
export function isEdited(tags: StoredTags, type: SubjectBox['type']): boolean {
  return (type === 'person' ? tags.People : tags.Object)?.u === 1
}

/** Replaces the regions that came from the file, unless a user edited them. */
export function writeBoxesOfFile(
  tx: Transaction,
  itemId: number,
  tags: StoredTags,
  boxes: readonly SubjectBox[],
): void {
  for (const type of ['person', 'object'] as const) {
    if (isEdited(tags, type)) continue
    tx.run(dropBoxesOfFile, itemId, type)
    const ofType = boxes.filter(box => box.type === type)
    addBoxes(
      tx,
      itemId,
      type,
      ofType.map(box => orderedBox({ ...box, id: null, source: 'file' })),
    )
  }
}

/** Ids of the people, or of the objects, in boxes. */
export function subjectIds(boxes: readonly SubjectBox[], type: SubjectBox['type']): number[] {
  const ids = boxes.filter(box => box.type === type).map(box => box.subject)
  return [...new Set(ids.filter(id => id !== null))]
}
