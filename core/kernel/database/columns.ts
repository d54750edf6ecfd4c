/** Columns for `select`, by their names, and conditions on many values. */
import { type AnyColumn, type SQL, sql, type Table } from 'drizzle-orm'

/** Some columns of a table, under the names that drizzle gives them. */
export function columns<Source extends Table, Name extends keyof Source['_']['columns'] & keyof Source>(
  table: Source,
  ...names: readonly Name[]
): Pick<Source, Name> {
  return Object.fromEntries(names.map(name => [name, table[name]])) as Pick<Source, Name>
}

/** Condition: the column has one of these values. Binds one parameter for any number of values. */
export const isAmong = (column: AnyColumn, values: readonly (number | string)[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`
