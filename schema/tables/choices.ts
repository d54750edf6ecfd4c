/** Choices that a global admin makes in the pages for all users; settings of the machine are in config.toml. */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const choices = sqliteTable('choices', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})
