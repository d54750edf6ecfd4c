/** Statements built from fragments. A `BoundStatement` is a query with its values; its columns determine its row type. */
import type { Transaction } from '../kernel/database/database.ts'
import type { Fragment } from '../kernel/database/sql-fragment.ts'
import { type Columns, type Query, query, type RowOfColumns, select } from '../kernel/database/statement.ts'

export interface BoundStatement<Row> extends Query<Row>, Fragment {}

/** A whole statement; `columns` give names and types. */
export function bound<const Selected extends Columns>(
  columns: Selected,
  { text, values }: Fragment,
): BoundStatement<RowOfColumns<Selected>> {
  return { ...query(columns, text), text, values }
}

/** The SELECT list of each set of columns, cached. */
const selectLists = new WeakMap<Columns, Query<unknown>>()

/** `SELECT columns` followed by `rest`, which begins at FROM: see `select`. */
export function boundSelect<const Selected extends Columns>(
  columns: Selected,
  { text: rest, values }: Fragment,
): BoundStatement<RowOfColumns<Selected>> {
  let start = selectLists.get(columns)
  if (start === undefined) {
    start = select(columns, '')
    selectLists.set(columns, start)
  }
  const text = `${start.sql} ${rest}`
  return { sql: text, columns: start.columns, text, values }
}

export function allOf<Row>(db: Pick<Transaction, 'all'>, statement: BoundStatement<Row>): Row[] {
  return db.all(statement, ...statement.values)
}

export function firstOf<Row>(db: Pick<Transaction, 'get'>, statement: BoundStatement<Row>): Row | null {
  return db.get(statement, ...statement.values)
}
