/** Two people who are one: everything of the other becomes the first's; and how that is taken back. */
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { keyOf } from '../../schema/keys.ts'
import type { Transaction } from '../database.ts'
import { changeItem, demandItemToEdit } from '../editing/item-edit.ts'
import type { StoredBox } from '../editing/item-parts.ts'
import type { Undo } from '../editing/undo.ts'
import { isNowhere } from '../region-geometry.ts'
import { keystringKey } from './keystrings.ts'
import type { Merge } from './merge-jobs.ts'
import { type PersonRow, personRow, tellPerson } from './people.ts'
import { isSameName, namesOf, writeName } from './person-names.ts'
import { nameChanged } from './text-job.ts'

const personShape = z.object({ id: z.int(), birthdate: z.string().nullable() })

/** What the step began with: undone last, when the items are back. */
const beginning = z.object({
  part: z.literal('begin'),
  into: personShape,
  other: personShape,
  /** Faces of the other, with the regions that they were seen in. */
  faces: z.array(z.object({ id: z.int(), region_id: z.int().nullable() })),
})
/** Names that the first got, and its birthdate then. */
const begun = z.object({ names: z.array(z.int()), birthdate: z.string().nullable() })

/** What the step ended with: undone first, so that there is somebody again for the items' boxes to show. */
const ending = z.object({
  part: z.literal('end'),
  person: personShape,
  names: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      active_from: z.int().nullable(),
      active_to: z.int().nullable(),
    }),
  ),
})

function demandBoth(tx: Transaction, id: number, otherId: number): { into: PersonRow; other: PersonRow } {
  const into = personRow(tx, id)
  const other = personRow(tx, otherId)
  if (into === null || other === null) throw new Failure('notFound', 'One of the two people is not there any more.')
  return { into, other }
}

/** Gives the first those names of the other that it has not. Answers the ids of the new rows. */
function copyNames(tx: Transaction, id: number, otherId: number): number[] {
  const own = namesOf(tx, id)
  const missing = namesOf(tx, otherId).filter(name => !own.some(other => isSameName(name, other)))
  return missing.map(
    ({ name, active_from, active_to }) => writeName(tx, id, { name, start: active_from, finish: active_to }).id,
  )
}

/**
 * The boxes with the first in the place of the other. Where both were on the item, one box in the same place is enough,
 * and somebody who has a place is not somewhere besides.
 */
export function mergedBoxes(boxes: readonly StoredBox[], id: number, otherId: number): StoredBox[] {
  const moved = boxes.map(box => (box.subject === otherId ? { ...box, subject: id } : box))
  if (!boxes.some(box => box.subject === id)) return moved
  const own = moved.filter(box => box.subject === id)
  const hasPlace = own.some(box => !isNowhere(box))
  const place = ({ x, y, width, height }: StoredBox) => `${x} ${y} ${width} ${height}`
  return moved.filter(box => {
    if (box.subject !== id) return true
    if (isNowhere(box)) return !hasPlace && own[0] === box
    return own.find(other => place(other) === place(box)) === box
  })
}

export const peopleMerge: Merge = {
  kind: 'person',
  operation: 'person.merge',

  begin(tx, { id, otherId }) {
    const { into, other } = demandBoth(tx, id, otherId)
    const faces = tx.all<{ id: number; region_id: number | null }>(
      'SELECT id, region_id FROM faces WHERE person_id = ? ORDER BY id',
      otherId,
    )
    const birthdate = into.birthdate ?? other.birthdate
    tx.run('UPDATE people SET birthdate = ? WHERE id = ?', birthdate, id)
    const names = copyNames(tx, id, otherId)
    tx.history({
      operation: 'person.merge',
      before: { part: 'begin', into, other, faces } satisfies z.output<typeof beginning>,
      after: { names, birthdate } satisfies z.output<typeof begun>,
    })
    tellPerson(tx, 'update', id)
    nameChanged(tx, 'person', id)
  },

  next: (tx, { otherId }, most) =>
    tx
      .all<{ id: number }>(`SELECT DISTINCT item_id AS id FROM regions WHERE person_id = ? LIMIT ${most}`, otherId)
      .map(({ id }) => id),

  item(tx, { id, otherId }, itemId) {
    const item = demandItemToEdit(tx, itemId)
    const { people, peopleEdited } = item.parts
    const { changed } = changeItem(
      tx,
      item,
      { people: mergedBoxes(people, id, otherId), peopleEdited },
      { operation: 'person.merge', quiet: true },
    )
    if (!changed) throw new Error(`item ${itemId} keeps the person ${otherId}`)
    return item.collectionId
  },

  end(tx, { id, otherId }) {
    const { other } = demandBoth(tx, id, otherId)
    const names = namesOf(tx, otherId).map(({ person_id: _, ...name }) => name)
    // Whatever the other got while the items were written.
    const late = copyNames(tx, id, otherId)
    tx.run('UPDATE faces SET person_id = ? WHERE person_id = ?', id, otherId)
    tx.run('DELETE FROM text_due WHERE key = ?', keyOf('person', otherId))
    tx.run('DELETE FROM people WHERE id = ?', otherId)
    tx.history({
      operation: 'person.merge',
      before: { part: 'end', person: other, names } satisfies z.output<typeof ending>,
    })
    tellPerson(tx, 'delete', otherId)
    tellPerson(tx, 'update', id)
    if (late.length > 0) nameChanged(tx, 'person', id)
  },
}

/** Puts back whom the merge had deleted, with the ids that he and his names had. */
function restore(tx: Transaction, { person, names }: z.output<typeof ending>): void {
  if (personRow(tx, person.id) !== null) return
  tx.run('INSERT INTO people (id, birthdate) VALUES (?, ?)', person.id, person.birthdate)
  for (const { id, name, active_from, active_to } of names) {
    tx.run(
      'INSERT INTO person_names (id, person_id, name, name_key, active_from, active_to) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      person.id,
      name,
      keystringKey(name),
      active_from,
      active_to,
    )
  }
  tellPerson(tx, 'create', person.id)
}

/** Takes from the first what it got: names, birthdate, and the faces that are not of a picture which stayed with it. */
function takeBack(tx: Transaction, before: z.output<typeof beginning>, after: z.output<typeof begun>): void {
  const { into, other, faces } = before
  const now = personRow(tx, into.id)
  if (personRow(tx, other.id) === null) return
  for (const face of faces) {
    tx.run(
      `UPDATE faces SET person_id = ? WHERE id = ? AND person_id = ?
         AND NOT EXISTS (SELECT 1 FROM regions AS r WHERE r.id = faces.region_id AND r.person_id = ?)`,
      other.id,
      face.id,
      into.id,
      into.id,
    )
    tx.run(
      `UPDATE faces SET region_id = (SELECT r.id FROM regions AS r WHERE r.id = ? AND r.person_id = ?)
       WHERE id = ? AND region_id IS NULL AND person_id = ?`,
      face.region_id,
      other.id,
      face.id,
      other.id,
    )
  }
  if (now === null) return
  if (now.birthdate === after.birthdate) {
    tx.run('UPDATE people SET birthdate = ? WHERE id = ?', into.birthdate, into.id)
  }
  const names = namesOf(tx, into.id)
  const copies = names.filter(({ id }) => after.names.includes(id))
  // Somebody has deleted its own names since: it is not left without any.
  if (copies.length < names.length) {
    for (const { id } of copies) tx.run('DELETE FROM person_names WHERE id = ?', id)
  }
  tellPerson(tx, 'update', into.id)
  nameChanged(tx, 'person', into.id)
}

export const undoPeopleMerge: Undo = (tx, { before, after }) => {
  const end = ending.safeParse(before)
  if (end.success) {
    restore(tx, end.data)
    tx.history({ operation: 'person.restore', after: end.data.person })
    return 'undone'
  }
  takeBack(tx, beginning.parse(before), begun.parse(after))
  return 'undone'
}
