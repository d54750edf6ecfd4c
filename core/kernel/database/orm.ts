/** Drizzle on the library's connection: the query builder for reads and writes of one table. */
import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/** Result of a write. */
export interface Changes {
  changes: number
  lastInsertRowid: number
}

/** The query builder. `.get()` reads all rows and returns the first: add `.limit(1)` if there may be more. */
export type Orm = BaseSQLiteDatabase<'sync', Changes>

interface Prepared {
  run(...bindings: SQLQueryBindings[]): Changes
  all(...bindings: SQLQueryBindings[]): unknown[]
  values(...bindings: SQLQueryBindings[]): unknown[][]
}

/** Drizzle on the library's statements, so that its queries use their cache and their handling of errors. */
export function createOrm(client: { prepare(sql: string): Prepared }): Orm {
  return drizzle({ client: client as unknown as Database }) as unknown as Orm
}

/** A query built once per database, since building takes ten times as long as running: `userById(tx).get({ id })`. */
export function prepared<Query>(build: (orm: Orm) => Query): (database: { orm: Orm }) => Query {
  const built = new WeakMap<Orm, Query>()
  return ({ orm }) => {
    let query = built.get(orm)
    if (query === undefined) {
      query = build(orm)
      built.set(orm, query)
    }
    return query
  }
}
