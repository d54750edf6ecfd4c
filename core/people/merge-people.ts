/** Merges two people: everything of the other one becomes the first one's. Undoes merges, too. */
import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { hasNoBox } from '../../schema/boxes.ts'
import { Failure } from '../../schema/errors.ts'
import { keyOf } from '../../schema/keys.ts'
import { textDue } from '../../schema/tables/changes.ts'
import { faces as facesTable } from '../../schema/tables/faces.ts'
import { people, personNames } from '../../schema/tables/vocabulary.ts'
import { changeItem, requireItemToEdit } from '../editing/item-edit.ts'
import type { StoredBox } from '../editing/item-parts.ts'
import type { Undo } from '../editing/undo.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { Merge, MergedPair } from '../vocabulary/merge-jobs.ts'
import { restoreReferences, updatedReferences, updateReferences } from '../vocabulary/merged-references.ts'
import { nameChanged } from '../vocabulary/text-job.ts'
import { giveBoxBack, giveFaceBack, itemsWithPerson } from './people.sql.ts'
import { deletePerson, type PersonRow, personRow, publishPerson, setPerson } from './people.ts'
import {
  deleteName,
  isSameName,
  type KeptName,
  keptName,
  personNamesOf,
  restoreName,
  writeName,
} from './person-names.ts'

/** `cover` is missing in older entries. */
const personFields = { birthdate: z.string().nullable(), cover: z.int().nullable().default(null) }
export const personShape = z.object({ id: z.int(), ...personFields })

/** The first entry of the step, which is undone last, after the items. */
const beginBefore = z.object({
  part: z.literal('begin'),
  into: personShape,
  other: personShape,
  /** Faces of the other person, with the regions that they were seen in. */
  faces: z.array(z.object({ id: z.int(), region_id: z.int().nullable() })),
})
/** Ids of the names that the first person got, and this person's birthdate and cover after the merge. */
const beginAfter = z.object({ names: z.array(z.int()), ...personFields })

/** The last entry of the step, which is undone first, so that the items' regions have a person to refer to. */
const endBefore = z.object({ part: z.literal('end'), into: z.int(), person: personShape, names: z.array(keptName) })
const endAfter = z.object({ names: z.array(z.int()), references: updatedReferences.optional() })

/** What undoing either entry records, so that the merge can be redone. */
const restored = z.object({
  part: z.enum(['begin', 'end']),
  into: z.int(),
  other: z.int(),
  /** Names removed from the first person, which are restored with their ids. */
  names: z.array(keptName),
})

function requireBoth(tx: Transaction, { id, otherId }: MergedPair): { into: PersonRow; other: PersonRow } {
  const into = personRow(tx, id)
  const other = personRow(tx, otherId)
  if (into === null || other === null) throw new Failure('notFound', 'One of the two people no longer exists.')
  return { into, other }
}

/** Gives the first person the names that they lack, with ids of equal names in `before`. Returns the copies' ids. */
function copyNames(tx: Transaction, id: number, otherId: number, before: readonly KeptName[] = []): number[] {
  const kept = personNamesOf(tx, id)
  const missing = personNamesOf(tx, otherId).filter(name => !kept.some(other => isSameName(name, other)))
  return missing.map(name => {
    const again = before.find(old => isSameName(name, old))
    const isTaken =
      again === undefined || tx.orm.select().from(personNames).where(eq(personNames.id, again.id)).get() !== undefined
    if (isTaken) return writeName(tx, id, { name: name.name, start: name.active_from, finish: name.active_to }).id
    restoreName(tx, id, again)
    return again.id
  })
}

function beginMerge(tx: Transaction, pair: MergedPair, namesBefore: readonly KeptName[] = []): void {
  const { id, otherId } = pair
  const { into, other } = requireBoth(tx, pair)
  const faces = tx.orm
    .select({ id: facesTable.id, region_id: facesTable.regionId })
    .from(facesTable)
    .where(eq(facesTable.personId, otherId))
    .orderBy(asc(facesTable.id))
    .all()
  const birthdate = into.birthdate ?? other.birthdate
  const cover = into.cover ?? other.cover
  setPerson(tx, id, { birthdate, cover })
  const names = copyNames(tx, id, otherId, namesBefore)
  tx.history({
    operation: 'person.merge',
    before: { part: 'begin', into, other, faces } satisfies z.output<typeof beginBefore>,
    after: { names, birthdate, cover } satisfies z.output<typeof beginAfter>,
  })
  publishPerson(tx, 'update', id)
  nameChanged(tx, 'person', id)
}

/** Replaces the other person in regions: one per position, and one without a position only if no other has one. */
export function mergedBoxes(boxes: readonly StoredBox[], id: number, otherId: number): StoredBox[] {
  const moved = boxes.map(box => (box.subject === otherId ? { ...box, subject: id } : box))
  if (!boxes.some(box => box.subject === id)) return moved
  const ofPerson = moved.filter(box => box.subject === id)
  const hasPlace = ofPerson.some(box => !hasNoBox(box))
  const boxKey = ({ x, y, width, height }: StoredBox) => `${x} ${y} ${width} ${height}`
  return moved.filter(box => {
    if (box.subject !== id) return true
    if (hasNoBox(box)) return !hasPlace && ofPerson[0] === box
    return ofPerson.find(other => boxKey(other) === boxKey(box)) === box
  })
}

export const peopleMerge: Merge = {
  kind: 'person',
  operation: 'person.merge',

  begin: (tx, pair) => beginMerge(tx, pair),

  next: (tx, { otherId }, max) => tx.all(itemsWithPerson, otherId, max).map(({ id }) => id),

  item(tx, { id, otherId }, itemId) {
    const item = requireItemToEdit(tx, itemId)
    const { people, peopleEdited } = item.parts
    const parts = { people: mergedBoxes(people, id, otherId), peopleEdited }
    const { changed } = changeItem(tx, item, parts, { operation: 'person.merge', quiet: true })
    if (!changed) throw new Error(`item ${itemId} keeps the person ${otherId}`)
    return item.collectionId
  },

  end(tx, { id, otherId }) {
    const { into, other } = requireBoth(tx, { id, otherId })
    const names = personNamesOf(tx, otherId).map(({ person: _, ...name }) => name)
    // The other person may have got names while the items were written.
    const late = copyNames(tx, id, otherId)
    tx.orm.update(facesTable).set({ personId: id }).where(eq(facesTable.personId, otherId)).run()
    tx.orm
      .delete(textDue)
      .where(eq(textDue.key, keyOf('person', otherId)))
      .run()
    deletePerson(tx, otherId)
    const references = updateReferences(tx, 'person', { id, otherId })
    tx.history({
      operation: 'person.merge',
      before: { part: 'end', into: into.id, person: other, names } satisfies z.output<typeof endBefore>,
      after: { names: late, references } satisfies z.output<typeof endAfter>,
    })
    publishPerson(tx, 'update', id)
    if (late.length > 0) nameChanged(tx, 'person', id)
  },
}

/** Restores the person that the merge deleted, with the old ids of the person and their names. */
function restore(tx: Transaction, { person, names }: z.output<typeof endBefore>): void {
  if (personRow(tx, person.id) !== null) return
  tx.orm.insert(people).values(person).run()
  for (const name of names) restoreName(tx, person.id, name)
  publishPerson(tx, 'create', person.id)
}

/** Removes copied names from a person, who always keeps at least one. Returns them. */
function removeNames(tx: Transaction, id: number, copies: readonly number[]): KeptName[] {
  const names = personNamesOf(tx, id)
  const taken = names.filter(name => copies.includes(name.id))
  // The person's own names were deleted since.
  if (taken.length === names.length) return []
  for (const name of taken) deleteName(tx, name.id)
  return taken.map(({ person: _, ...name }) => name)
}

/** Takes back what the first person got: names, the birthdate, the cover, and faces whose regions no longer show them. */
function undoMerge(
  tx: Transaction,
  before: z.output<typeof beginBefore>,
  after: z.output<typeof beginAfter>,
): KeptName[] {
  const { into, other, faces } = before
  if (personRow(tx, other.id) === null) return []
  for (const face of faces) {
    tx.run(giveFaceBack, other.id, face.id, into.id)
    tx.run(giveBoxBack, face.region_id, other.id, face.id)
  }
  const now = personRow(tx, into.id)
  if (now === null) return []
  if (now.birthdate === after.birthdate) setPerson(tx, into.id, { birthdate: into.birthdate })
  if (now.cover === after.cover) setPerson(tx, into.id, { cover: into.cover })
  const taken = removeNames(tx, into.id, after.names)
  publishPerson(tx, 'update', into.id)
  nameChanged(tx, 'person', into.id)
  return taken
}

function recordRestore(tx: Transaction, entry: z.output<typeof restored>): void {
  tx.history({ operation: 'person.restore', after: entry })
}

export const undoPeopleMerge: Undo = (tx, { before, after }) => {
  const end = endBefore.safeParse(before)
  if (end.success) {
    const { into, person } = end.data
    restore(tx, end.data)
    const { names: copies, references } = endAfter.parse(after)
    const names = removeNames(tx, into, copies)
    if (references !== undefined) restoreReferences(tx, references, { id: into, otherId: person.id })
    recordRestore(tx, { part: 'end', into, other: person.id, names })
    return 'undone'
  }
  const begin = beginBefore.parse(before)
  const names = undoMerge(tx, begin, beginAfter.parse(after))
  recordRestore(tx, { part: 'begin', into: begin.into.id, other: begin.other.id, names })
  return 'undone'
}

/** Redoes a merge: its first entry first, and the last one after its items. */
export const redoPeopleMerge: Undo = (tx, { after }) => {
  const { part, into: id, other: otherId, names } = restored.parse(after)
  if (personRow(tx, id) === null || personRow(tx, otherId) === null) return 'gone'
  if (part === 'begin') {
    beginMerge(tx, { id, otherId }, names)
    return 'undone'
  }
  // The other person stays if a picture shows them by now, or was changed since.
  if (peopleMerge.next(tx, { id, otherId }, 1).length > 0) return 'changed'
  peopleMerge.end(tx, { id, otherId })
  return 'undone'
}
