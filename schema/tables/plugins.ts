/** Plugins that were found in the data directory: whether they are on, and what was set. */
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const plugins = sqliteTable(
  'plugins',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Name of its folder. */
    folder: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull().default(false),
    /** JSON: what was set, by key; what was not is the manifest's default. */
    options: text().notNull().default('{}'),
  },
  t => [uniqueIndex('plugins_folder').on(t.folder)],
)
