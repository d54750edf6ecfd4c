/** Columns for `select`, by their names. */
import type { Table } from 'drizzle-orm'

/** Some columns of a table, under the names that drizzle gives them. */
export function columns<Source extends Table, Name extends keyof Source['_']['columns'] & keyof Source>(
  table: Source,
  ...names: readonly Name[]
): Pick<Source, Name> {
  return Object.fromEntries(names.map(name => [name, table[name]])) as Pick<Source, Name>
}
