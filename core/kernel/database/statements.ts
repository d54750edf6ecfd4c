/** Statements on the library's connection, prepared once and cached by their text. */
import type { Database, Statement } from 'bun:sqlite'
import { toDatabaseError } from './database-error.ts'
import { createOrm } from './orm.ts'
import type { Query } from './statement.ts'
import type { Bindings } from './transaction.ts'

const maxKept = 500

export function createStatements(db: Database, path: string) {
  const kept = new Map<string, Statement>()

  /** Runs `work`, and converts errors of the database's file and disk: see `toDatabaseError`. */
  function withDatabaseErrors<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw toDatabaseError(error, path)
    }
  }

  function prepared<Row>(sql: string): Statement<Row, Bindings> {
    const statement = kept.get(sql) ?? db.prepare(sql)
    // Most recently used last.
    kept.delete(sql)
    kept.set(sql, statement)
    if (kept.size > maxKept) {
      const [oldest] = kept
      oldest?.[1].finalize()
      kept.delete(oldest?.[0] ?? '')
    }
    return statement as Statement<Row, Bindings>
  }

  const textOf = (sql: string | Query<unknown>) => (typeof sql === 'string' ? sql : sql.sql)
  const all = <Row>(sql: string | Query<Row>, ...bindings: Bindings) =>
    withDatabaseErrors(() => prepared<Row>(textOf(sql)).all(...bindings))
  const get = <Row>(sql: string | Query<Row>, ...bindings: Bindings) =>
    withDatabaseErrors(() => prepared<Row>(textOf(sql)).get(...bindings))
  const run = (sql: string, ...bindings: Bindings) => {
    const { changes, lastInsertRowid } = prepared(sql).run(...bindings)
    return { changes, lastInsertRowid: Number(lastInsertRowid) }
  }
  const orm = createOrm({
    prepare: sql => ({
      run: (...bindings) => run(sql, ...bindings),
      all: (...bindings) => all(sql, ...bindings),
      values: (...bindings) => withDatabaseErrors(() => prepared(sql).values(...bindings)),
    }),
  })

  return {
    all,
    get,
    run,
    orm,
    withDatabaseErrors,
    finalize() {
      for (const statement of kept.values()) statement.finalize()
      kept.clear()
    },
  }
}

export type Statements = ReturnType<typeof createStatements>
