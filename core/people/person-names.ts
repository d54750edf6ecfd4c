/** Names of people over time, as rows. */
import type { PersonName } from '../../schema/api/people.ts'
import { Failure } from '../../schema/errors.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { cleanKeystring, keystringKey } from '../words/keystrings.ts'

export interface NameRow {
  id: number
  person_id: number
  name: string
  active_from: number | null
  active_to: number | null
}

/** A name with the time it is used in: `start` included, `finish` excluded; like `items.taken`. */
export interface NameInput {
  name: string
  start?: number | null | undefined
  finish?: number | null | undefined
}

export function nameJson({ id, person_id, name, active_from, active_to }: NameRow): PersonName {
  return { id, person: person_id, name, active_from, active_to }
}

/** The names of one person, or of all people, in the order they were used in. */
export function namesOf(tx: Pick<Transaction, 'all'>, person?: number): NameRow[] {
  const order = 'ORDER BY person_id, active_from NULLS FIRST, active_to NULLS LAST, id'
  return person === undefined
    ? tx.all<NameRow>(`SELECT id, person_id, name, active_from, active_to FROM person_names ${order}`)
    : tx.all<NameRow>(
        `SELECT id, person_id, name, active_from, active_to FROM person_names WHERE person_id = ? ${order}`,
        person,
      )
}

/** Writes a name as it may be kept; `old` is the row that it takes the place of. Answers the row. */
export function writeName(tx: Transaction, person: number, input: NameInput, old: NameRow | null = null): NameRow {
  const name = cleanKeystring(input.name)
  if (name === '') throw new Failure('invalid', 'Name is required', { field: 'name' })
  const from = input.start === undefined ? (old?.active_from ?? null) : input.start
  const to = input.finish === undefined ? (old?.active_to ?? null) : input.finish
  if (from !== null && to !== null && from >= to) {
    throw new Failure('invalid', 'A name ends after it begins', { field: 'finish' })
  }
  const values = [person, name, keystringKey(name), from, to]
  if (old !== null) {
    tx.run(
      'UPDATE person_names SET person_id = ?, name = ?, name_key = ?, active_from = ?, active_to = ? WHERE id = ?',
      ...values,
      old.id,
    )
    return { id: old.id, person_id: person, name, active_from: from, active_to: to }
  }
  const { lastInsertRowid: id } = tx.run(
    'INSERT INTO person_names (person_id, name, name_key, active_from, active_to) VALUES (?, ?, ?, ?, ?)',
    ...values,
  )
  return { id, person_id: person, name, active_from: from, active_to: to }
}

/** The same name for the same time? */
export function isSameName(a: NameRow, b: NameRow): boolean {
  return keystringKey(a.name) === keystringKey(b.name) && a.active_from === b.active_from && a.active_to === b.active_to
}
