/** Statements put together of fragments: they carry their values, and their row type follows from their columns. */
import { getTableColumns, type Table } from 'drizzle-orm'
import type { Transaction } from '../kernel/database/database.ts'
import type { Fragment } from '../kernel/database/sql-fragment.ts'
import { type Query, query, type RowIn, select } from '../kernel/database/statement.ts'

/** Some columns of a table, for `select`. */
export function pick<Source extends Table, Key extends keyof Source['_']['columns'] & string>(
  table: Source,
  ...keys: readonly Key[]
): Pick<Source['_']['columns'], Key> {
  const columns: Source['_']['columns'] = getTableColumns(table)
  return Object.fromEntries(keys.map(key => [key, columns[key]])) as Pick<Source['_']['columns'], Key>
}

/** It can be run, or stand within another statement. */
export interface Bound<Row> extends Query<Row>, Fragment {}

export type Columns = Parameters<typeof query>[0]
export type RowOf<Selected extends Columns> = RowIn<ReturnType<typeof query<Selected>>>

/** A whole statement; `columns` give names and types. */
export function bound<const Selected extends Columns>(
  columns: Selected,
  { text, values }: Fragment,
): Bound<RowOf<Selected>> {
  return { ...query(columns, text), text, values }
}

/** What `select` has written of columns: they are few, and asked for again and again. */
const written = new WeakMap<Columns, Query<unknown>>()

/** `SELECT columns` followed by `rest`, which begins at FROM: see `select`. */
export function boundSelect<const Selected extends Columns>(
  columns: Selected,
  { text: rest, values }: Fragment,
): Bound<RowOf<Selected>> {
  let start = written.get(columns)
  if (start === undefined) {
    start = select(columns, '')
    written.set(columns, start)
  }
  const text = `${start.sql} ${rest}`
  return { sql: text, columns: start.columns, text, values }
}

export function allOf<Row>(db: Pick<Transaction, 'all'>, statement: Bound<Row>): Row[] {
  return db.all(statement, ...statement.values)
}

export function firstOf<Row>(db: Pick<Transaction, 'get'>, statement: Bound<Row>): Row | null {
  return db.get(statement, ...statement.values)
}
