/**
 * Undoes changes of people (birthdate, names, added or removed). Values that have changed since are kept. Each undo leaves a
 * history row that can itself be undone.
 */
import { z } from 'zod'
import type { Undo, UndoTable } from '../editing/undo.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { nameChanged } from '../vocabulary/text-job.ts'
import { keystringKey } from '../words/keystrings.ts'
import { redoPeopleMerge, undoPeopleMerge } from './merge-people.ts'
import { personRow, tellPerson } from './people.ts'
import { namesOf } from './person-names.ts'

const person = z.object({ id: z.int(), birthdate: z.string().nullable() })
const name = z.object({
  id: z.int(),
  name: z.string(),
  active_from: z.int().nullable(),
  active_to: z.int().nullable(),
})
type Name = z.output<typeof name>
const named = z.object({ id: z.int(), names: z.array(name) })
const removed = person.extend({ names: z.array(name) })

/** The names as stored in the history. */
function namesNow(tx: Transaction, id: number) {
  return namesOf(tx, id).map(row => ({
    id: row.id,
    person: id,
    name: row.name,
    active_from: row.active_from,
    active_to: row.active_to,
  }))
}

function isSame(a: readonly Name[], b: readonly Name[]): boolean {
  const text = (names: readonly Name[]) =>
    names
      .map(({ id, name: of, active_from, active_to }) => JSON.stringify([id, of, active_from, active_to]))
      .sort()
      .join()
  return text(a) === text(b)
}

function putNames(tx: Transaction, id: number, names: readonly Name[]): void {
  tx.run('DELETE FROM person_names WHERE person_id = ?', id)
  for (const one of names)
    tx.run(
      'INSERT INTO person_names (id, person_id, name, name_key, active_from, active_to) VALUES (?, ?, ?, ?, ?, ?)',
      one.id,
      id,
      one.name,
      keystringKey(one.name),
      one.active_from,
      one.active_to,
    )
}

const undoNames: Undo = (tx, entry) => {
  const [before, after] = [named.parse(entry.before), named.parse(entry.after)]
  const { id } = after
  if (personRow(tx, id) === null) return 'gone'
  const now = namesNow(tx, id)
  if (!isSame(now, after.names)) return 'changed'
  putNames(tx, id, before.names)
  tellPerson(tx, 'update', id)
  tx.history({ operation: 'person.names', before: { id, names: now }, after: { id, names: namesNow(tx, id) } })
  nameChanged(tx, 'person', id)
  return 'undone'
}

const undoBirthdate: Undo = (tx, entry) => {
  const [before, after] = [person.parse(entry.before), person.parse(entry.after)]
  const now = personRow(tx, after.id)
  if (now === null) return 'gone'
  if (now.birthdate !== after.birthdate) return 'changed'
  tx.run('UPDATE people SET birthdate = ? WHERE id = ?', before.birthdate, now.id)
  tellPerson(tx, 'update', now.id)
  tx.history({ operation: 'person.update', before: now, after: { ...now, birthdate: before.birthdate } })
  return 'undone'
}

const undoCreation: Undo = (tx, entry) => {
  const { id, names } = named.parse(entry.after)
  const row = personRow(tx, id)
  if (row === null) return 'gone'
  const isSeen = 'SELECT 1 FROM regions WHERE person_id = ?1 UNION ALL SELECT 1 FROM faces WHERE person_id = ?1 LIMIT 1'
  const now = namesNow(tx, id)
  if (!isSame(now, names) || tx.get(isSeen, id) !== null) return 'changed'
  tx.run('DELETE FROM people WHERE id = ?', id)
  tellPerson(tx, 'delete', id)
  tx.history({ operation: 'person.remove', before: { ...row, names: now } })
  return 'undone'
}

const undoRemoval: Undo = (tx, entry) => {
  const { id, birthdate, names } = removed.parse(entry.before)
  if (personRow(tx, id) !== null) return 'changed'
  tx.run('INSERT INTO people (id, birthdate) VALUES (?, ?)', id, birthdate)
  putNames(tx, id, names)
  tellPerson(tx, 'create', id)
  tx.history({ operation: 'person.create', after: { id, names: namesNow(tx, id) } })
  return 'undone'
}

export const peopleUndos: UndoTable = {
  'person.merge': undoPeopleMerge,
  'person.restore': redoPeopleMerge,
  'person.names': undoNames,
  'person.update': undoBirthdate,
  'person.create': undoCreation,
  'person.remove': { undo: undoRemoval, needsGlobalAdmin: () => true },
}
