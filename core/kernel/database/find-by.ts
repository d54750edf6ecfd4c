/** Finds a row by one unique column, with a query prepared once per database, for frequent lookups. */
import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Orm, prepared } from './orm.ts'

/** `const userById = findBy(users, users.id)`, then `userById(tx, id)`. The column's values are unique. */
export function findBy<Table extends SQLiteTable, Value extends SQLiteColumn>(table: Table, column: Value) {
  const build = (orm: Orm) =>
    orm
      .select()
      .from(table as SQLiteTable)
      .where(eq(column, sql.placeholder('value')))
      .prepare()
  const query = prepared(build)
  return (database: { orm: Orm }, value: Value['_']['data']) =>
    query(database).get({ value }) as Table['$inferSelect'] | undefined
}
