/** Values stored under a name: choices, the progress of long jobs. */
import { eq } from 'drizzle-orm'
import { choices } from '../../schema/tables/choices.ts'
import type { Transaction } from './database/database.ts'
import { findBy } from './database/find-by.ts'

const choiceNamed = findBy(choices, choices.name)

/** Null if there is no value. */
export function choiceOf(db: Pick<Transaction, 'orm'>, name: string): unknown {
  const row = choiceNamed(db, name)
  return row === undefined ? null : JSON.parse(row.value)
}

/** Sets a value; null deletes it. */
export function setChoice({ orm }: Pick<Transaction, 'orm'>, name: string, value: unknown): void {
  orm.delete(choices).where(eq(choices.name, name)).run()
  if (value !== null)
    orm
      .insert(choices)
      .values({ name, value: JSON.stringify(value) })
      .run()
}
