/** Statements built from fragments: a `Bound` is a query with its values, and its row type follows from its columns. */
import type { Transaction } from '../kernel/database/database.ts'
import type { Fragment } from '../kernel/database/sql-fragment.ts'
import { type Columns, type Query, query, type RowOf, select } from '../kernel/database/statement.ts'

export interface Bound<Row> extends Query<Row>, Fragment {}

/** A whole statement; `columns` give names and types. */
export function bound<const Selected extends Columns>(
  columns: Selected,
  { text, values }: Fragment,
): Bound<RowOf<Selected>> {
  return { ...query(columns, text), text, values }
}

/** The SELECT list of each set of columns, cached. */
const selectLists = new WeakMap<Columns, Query<unknown>>()

/** `SELECT columns` followed by `rest`, which begins at FROM: see `select`. */
export function boundSelect<const Selected extends Columns>(
  columns: Selected,
  { text: rest, values }: Fragment,
): Bound<RowOf<Selected>> {
  let start = selectLists.get(columns)
  if (start === undefined) {
    start = select(columns, '')
    selectLists.set(columns, start)
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
