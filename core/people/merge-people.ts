/** Two people who are one: everything of the other becomes the first's; and how that is taken back. */
import { z } from 'zod'
import { isNowhere } from '../../schema/boxes.ts'
import { Failure } from '../../schema/errors.ts'
import { keyOf } from '../../schema/keys.ts'
import { changeItem, demandItemToEdit } from '../editing/item-edit.ts'
import type { StoredBox } from '../editing/item-parts.ts'
import type { Undo } from '../editing/undo.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { Merge, MergedPair } from '../vocabulary/merge-jobs.ts'
import { nameChanged } from '../vocabulary/text-job.ts'
import { keystringKey } from '../words/keystrings.ts'
import { type PersonRow, personRow, tellPerson } from './people.ts'
import { isSameName, namesOf, writeName } from './person-names.ts'

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

const nameShape = z.object({
  id: z.int(),
  name: z.string(),
  active_from: z.int().nullable(),
  active_to: z.int().nullable(),
})
type KeptName = z.output<typeof nameShape>

/** What the step ended with: undone first, so that there is somebody again for the items' boxes to show. */
const ending = z.object({ part: z.literal('end'), into: z.int(), person: personShape, names: z.array(nameShape) })
/** Names that the first got only then. */
const ended = z.object({ names: z.array(z.int()) })

/** What undoing either of them leaves in the history, so that the merge can be made again. */
const restored = z.object({
  part: z.enum(['begin', 'end']),
  into: z.int(),
  other: z.int(),
  /** Those that were taken from the first: they come back under their ids. */
  names: z.array(nameShape),
})

const restoring = 'person.restore'

function demandBoth(tx: Transaction, id: number, otherId: number): { into: PersonRow; other: PersonRow } {
  const into = personRow(tx, id)
  const other = personRow(tx, otherId)
  if (into === null || other === null) throw new Failure('notFound', 'One of the two people is not there any more.')
  return { into, other }
}

function insertName(tx: Transaction, person: number, { id, name, active_from, active_to }: KeptName): number {
  tx.run(
    'INSERT INTO person_names (id, person_id, name, name_key, active_from, active_to) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    person,
    name,
    keystringKey(name),
    active_from,
    active_to,
  )
  return id
}

/**
 * Gives the first those names of the other that it has not; `before` are such that it had already once. Answers the ids of
 * the new rows.
 */
function copyNames(tx: Transaction, id: number, otherId: number, before: readonly KeptName[] = []): number[] {
  const own = namesOf(tx, id)
  const missing = namesOf(tx, otherId).filter(name => !own.some(other => isSameName(name, other)))
  return missing.map(name => {
    const again = before.find(old => isSameName(name, { ...old, person_id: id }))
    if (again !== undefined && tx.get('SELECT 1 FROM person_names WHERE id = ?', again.id) === null)
      return insertName(tx, id, again)
    return writeName(tx, id, { name: name.name, start: name.active_from, finish: name.active_to }).id
  })
}

function begin(tx: Transaction, { id, otherId }: MergedPair, namesBefore: readonly KeptName[] = []): void {
  const { into, other } = demandBoth(tx, id, otherId)
  const faces = tx.all<{ id: number; region_id: number | null }>(
    'SELECT id, region_id FROM faces WHERE person_id = ? ORDER BY id',
    otherId,
  )
  const birthdate = into.birthdate ?? other.birthdate
  tx.run('UPDATE people SET birthdate = ? WHERE id = ?', birthdate, id)
  const names = copyNames(tx, id, otherId, namesBefore)
  tx.history({
    operation: 'person.merge',
    before: { part: 'begin', into, other, faces } satisfies z.output<typeof beginning>,
    after: { names, birthdate } satisfies z.output<typeof begun>,
  })
  tellPerson(tx, 'update', id)
  nameChanged(tx, 'person', id)
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

  begin: (tx, pair) => begin(tx, pair),

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
    const { into, other } = demandBoth(tx, id, otherId)
    const names = namesOf(tx, otherId).map(({ person_id: _, ...name }) => name)
    // Whatever the other got while the items were written.
    const late = copyNames(tx, id, otherId)
    tx.run('UPDATE faces SET person_id = ? WHERE person_id = ?', id, otherId)
    tx.run('DELETE FROM text_due WHERE key = ?', keyOf('person', otherId))
    tx.run('DELETE FROM people WHERE id = ?', otherId)
    tx.history({
      operation: 'person.merge',
      before: { part: 'end', into: into.id, person: other, names } satisfies z.output<typeof ending>,
      after: { names: late } satisfies z.output<typeof ended>,
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
  for (const name of names) insertName(tx, person.id, name)
  tellPerson(tx, 'create', person.id)
}

/** Takes copied names from somebody again, who is never left without any. Answers them. */
function takeNames(tx: Transaction, id: number, copies: readonly number[]): KeptName[] {
  const names = namesOf(tx, id)
  const taken = names.filter(name => copies.includes(name.id))
  // Somebody has deleted its own names since.
  if (taken.length === names.length) return []
  for (const name of taken) tx.run('DELETE FROM person_names WHERE id = ?', name.id)
  return taken.map(({ person_id: _, ...name }) => name)
}

/** Takes from the first what it got: names, birthdate, and the faces that are not of a picture which stayed with it. */
function takeBack(tx: Transaction, before: z.output<typeof beginning>, after: z.output<typeof begun>): KeptName[] {
  const { into, other, faces } = before
  const now = personRow(tx, into.id)
  if (personRow(tx, other.id) === null) return []
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
  if (now === null) return []
  if (now.birthdate === after.birthdate) {
    tx.run('UPDATE people SET birthdate = ? WHERE id = ?', into.birthdate, into.id)
  }
  const taken = takeNames(tx, into.id, after.names)
  tellPerson(tx, 'update', into.id)
  nameChanged(tx, 'person', into.id)
  return taken
}

function remember(tx: Transaction, entry: z.output<typeof restored>): void {
  tx.history({ operation: restoring, after: entry })
}

export const undoPeopleMerge: Undo = (tx, { before, after }) => {
  const end = ending.safeParse(before)
  if (end.success) {
    const { into, person } = end.data
    restore(tx, end.data)
    const names = takeNames(tx, into, ended.parse(after).names)
    remember(tx, { part: 'end', into, other: person.id, names })
    return 'undone'
  }
  const { into, other, ...begin } = beginning.parse(before)
  const names = takeBack(tx, { into, other, ...begin }, begun.parse(after))
  remember(tx, { part: 'begin', into: into.id, other: other.id, names })
  return 'undone'
}

/** Undoes the undoing: first what the merge began with, after its items what it ended with. */
export const redoPeopleMerge: Undo = (tx, { after }) => {
  const { part, into: id, other: otherId, names } = restored.parse(after)
  if (personRow(tx, id) === null || personRow(tx, otherId) === null) return 'gone'
  if (part === 'begin') {
    begin(tx, { id, otherId }, names)
    return 'undone'
  }
  // A picture that shows the other since, or was changed since, goes on doing so.
  if (peopleMerge.next(tx, { id, otherId }, 1).length > 0) return 'changed'
  peopleMerge.end(tx, { id, otherId })
  return 'undone'
}
