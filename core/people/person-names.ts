/** Rows of people's names over time. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { PersonName } from '../../schema/api/people.ts'
import { Failure } from '../../schema/errors.ts'
import { personNames } from '../../schema/tables/vocabulary.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { cleanKeystring, keystringKey } from '../words/keystrings.ts'
import { allNames, namesOfPerson } from './people.sql.ts'

/** A name, used from `start` until just before `finish`: seconds, in the form of `items.taken`. */
export interface NameInput {
  name: string
  start?: number | null | undefined
  finish?: number | null | undefined
}

export const keptName = z.object({
  id: z.int(),
  name: z.string(),
  active_from: z.int().nullable(),
  active_to: z.int().nullable(),
})
export type KeptName = z.output<typeof keptName>

/** The names of one person, or of all people, in the order they were used in. */
export function personNamesOf(tx: Pick<Transaction, 'all'>, person?: number): PersonName[] {
  return person === undefined ? tx.all(allNames) : tx.all(namesOfPerson, person)
}

/** Validates and writes a name; `old` is the row that it replaces. */
export function writeName(
  tx: Transaction,
  person: number,
  input: NameInput,
  old: PersonName | null = null,
): PersonName {
  const name = cleanKeystring(input.name)
  if (name === '') throw new Failure('invalid', 'Name is required', { field: 'name' })
  const activeFrom = input.start === undefined ? (old?.active_from ?? null) : input.start
  const activeTo = input.finish === undefined ? (old?.active_to ?? null) : input.finish
  if (activeFrom !== null && activeTo !== null && activeFrom >= activeTo) {
    throw new Failure('invalid', 'A name must end after it begins', { field: 'finish' })
  }
  const values = { personId: person, name, nameKey: keystringKey(name), activeFrom, activeTo }
  if (old !== null) tx.orm.update(personNames).set(values).where(eq(personNames.id, old.id)).run()
  const id = old?.id ?? tx.orm.insert(personNames).values(values).run().lastInsertRowid
  return { id, person, name, active_from: activeFrom, active_to: activeTo }
}

export function restoreName(tx: Transaction, personId: number, { id, name, active_from, active_to }: KeptName): void {
  const values = { id, personId, name, nameKey: keystringKey(name), activeFrom: active_from, activeTo: active_to }
  tx.orm.insert(personNames).values(values).run()
}

export function deleteName(tx: Transaction, id: number): void {
  tx.orm.delete(personNames).where(eq(personNames.id, id)).run()
}

export function isSameName(a: Omit<KeptName, 'id'>, b: Omit<KeptName, 'id'>): boolean {
  return keystringKey(a.name) === keystringKey(b.name) && a.active_from === b.active_from && a.active_to === b.active_to
}
