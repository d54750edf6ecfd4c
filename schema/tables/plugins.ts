/** Plugins found in the data directory: whether they are active, and their options. */
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const plugins = sqliteTable(
  'plugins',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    folder: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull().default(false),
    /** JSON: the options that were set, by key; the manifest has the defaults. */
    options: text().notNull().default('{}'),
  },
  t => [uniqueIndex('plugins_folder').on(t.folder)],
)
