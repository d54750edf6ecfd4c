/** Undoes changes of people, unless they were changed again since. Each undo can itself be undone. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { people, personNames } from '../../schema/tables/vocabulary.ts'
import type { Undo, UndoTable } from '../editing/undo.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { nameChanged } from '../vocabulary/text-job.ts'
import { personShape, redoPeopleMerge, undoPeopleMerge } from './merge-people.ts'
import { isUsed } from './people.sql.ts'
import { deletePerson, personRow, publishPerson, setPerson } from './people.ts'
import { type KeptName, keptName, personNamesOf, restoreName } from './person-names.ts'

const named = z.object({ id: z.int(), names: z.array(keptName) })
const removed = personShape.extend({ names: z.array(keptName) })

function isSame(a: readonly KeptName[], b: readonly KeptName[]): boolean {
  const text = (names: readonly KeptName[]) =>
    names
      .map(({ id, name, active_from, active_to }) => JSON.stringify([id, name, active_from, active_to]))
      .sort()
      .join()
  return text(a) === text(b)
}

function insertNames(tx: Transaction, id: number, names: readonly KeptName[]): void {
  tx.orm.delete(personNames).where(eq(personNames.personId, id)).run()
  for (const name of names) restoreName(tx, id, name)
}

const undoNames: Undo = (tx, entry) => {
  const [before, after] = [named.parse(entry.before), named.parse(entry.after)]
  const { id } = after
  if (personRow(tx, id) === null) return 'gone'
  const now = personNamesOf(tx, id)
  if (!isSame(now, after.names)) return 'changed'
  insertNames(tx, id, before.names)
  publishPerson(tx, 'update', id)
  tx.history({ operation: 'person.names', before: { id, names: now }, after: { id, names: personNamesOf(tx, id) } })
  nameChanged(tx, 'person', id)
  return 'undone'
}

const undoUpdate: Undo = (tx, entry) => {
  const [before, after] = [personShape.parse(entry.before), personShape.parse(entry.after)]
  const now = personRow(tx, after.id)
  if (now === null) return 'gone'
  if (now.birthdate !== after.birthdate || now.cover !== after.cover) return 'changed'
  const { birthdate, cover } = before
  setPerson(tx, now.id, { birthdate, cover })
  publishPerson(tx, 'update', now.id)
  tx.history({ operation: 'person.update', before: now, after: { ...now, birthdate, cover } })
  return 'undone'
}

const undoCreation: Undo = (tx, entry) => {
  const { id, names } = named.parse(entry.after)
  const row = personRow(tx, id)
  if (row === null) return 'gone'
  const now = personNamesOf(tx, id)
  if (!isSame(now, names) || tx.get(isUsed, id) !== null) return 'changed'
  deletePerson(tx, id)
  tx.history({ operation: 'person.remove', before: { ...row, names: now } })
  return 'undone'
}

const undoRemoval: Undo = (tx, entry) => {
  const { id, birthdate, cover, names } = removed.parse(entry.before)
  if (personRow(tx, id) !== null) return 'changed'
  tx.orm.insert(people).values({ id, birthdate, cover }).run()
  insertNames(tx, id, names)
  publishPerson(tx, 'create', id)
  tx.history({ operation: 'person.create', after: { id, names: personNamesOf(tx, id) } })
  return 'undone'
}

export const peopleUndos: UndoTable = {
  'person.merge': undoPeopleMerge,
  'person.restore': redoPeopleMerge,
  'person.names': undoNames,
  'person.update': undoUpdate,
  'person.create': undoCreation,
  'person.remove': { undo: undoRemoval, needsGlobalAdmin: () => true },
}
