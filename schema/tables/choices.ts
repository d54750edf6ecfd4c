/** Choices of a global admin in the pages for everybody, beside the settings of the machine. */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const choices = sqliteTable('choices', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})
