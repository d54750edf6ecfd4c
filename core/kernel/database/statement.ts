/** SQL written by hand, with a row type that follows from the columns it selects. For `*.sql.ts` files. */
import { type Column, getTableName, type Table } from 'drizzle-orm'

/** A column that no table declares: an expression, or a virtual table's column. `Value`: the type SQLite returns. */
export interface Expression<Value> {
  readonly expression: string
  readonly value?: Value
}

export const number = (expression: string): Expression<number> => ({ expression })
export const string = (expression: string): Expression<string> => ({ expression })
export const bytes = (expression: string): Expression<Uint8Array> => ({ expression })
export const numberOrNull = (expression: string): Expression<number | null> => ({ expression })
export const stringOrNull = (expression: string): Expression<string | null> => ({ expression })
export const bytesOrNull = (expression: string): Expression<Uint8Array | null> => ({ expression })

/** A column of a table that may have no row, as in a LEFT JOIN. */
export interface Optional<Source> {
  readonly optional: Source
}
export function optional<Source extends Column>(column: Source): Optional<Source> {
  return { optional: column }
}

export type Columns = Readonly<Record<string, Column | Expression<unknown> | Optional<Column>>>

type Raw<Source extends Column> = Source['_']['data'] extends boolean | Date
  ? number
  : Source['_']['data'] extends Uint8Array
    ? Uint8Array
    : Source['_']['data'] extends string | number
      ? Source['_']['data']
      : Uint8Array

type ValueOf<Source> = Source extends Column
  ? Raw<Source> | (Source['_']['notNull'] extends true ? never : null)
  : Source extends Optional<infer Inner extends Column>
    ? Raw<Inner> | null
    : Source extends Expression<infer Value>
      ? Value
      : never

export type RowOf<Selected extends Columns> = { -readonly [Key in keyof Selected]: ValueOf<Selected[Key]> }

/** A statement that returns rows. Booleans are 0 and 1, as SQLite stores them. */
export interface Query<Row> {
  readonly sql: string
  readonly columns: readonly string[]
  readonly row?: Row
}

/** The row of a query: `type UnitRow = RowOfQuery<typeof unitsOfDirectory>`. */
export type RowOfQuery<Source extends Query<unknown>> = NonNullable<Source['row']>

function expressionOf(source: Columns[string]): string {
  if ('expression' in source) return source.expression
  const column = 'optional' in source ? source.optional : source
  return `"${getTableName(column.table as Table)}"."${column.name}"`
}

/**
 * `SELECT columns` followed by `rest`, which begins at FROM. Columns are written with the name of their table, so
 * `rest` must not give that table an alias. `before` precedes SELECT: a WITH clause.
 */
export function select<const Selected extends Columns>(
  columns: Selected,
  rest: string,
  { before = '', distinct = false }: { before?: string; distinct?: boolean } = {},
): Query<RowOf<Selected>> {
  const list = Object.entries(columns).map(([key, source]) => `${expressionOf(source)} AS "${key}"`)
  return {
    sql: `${before} SELECT ${distinct ? 'DISTINCT ' : ''}${list.join(', ')} ${rest}`.trim(),
    columns: Object.keys(columns),
  }
}

/** A whole statement that `select` cannot write: a UNION, a PRAGMA, RETURNING. `columns` give names and types. */
export function query<const Selected extends Columns>(columns: Selected, sql: string): Query<RowOf<Selected>> {
  return { sql, columns: Object.keys(columns) }
}
