/** A global admin's choices for everybody, made in the pages, besides the settings of the machine. */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const choices = sqliteTable('choices', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})
