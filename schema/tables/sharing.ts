/** Data that leave the library: shares of single items, and archives built for users. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { items } from './items.ts'
import { users } from './users.ts'

export const shares = sqliteTable(
  'shares',
  {
    /** HMAC of the name in the address (128 random bits, base64url), by which the row is found. */
    lookup: text().primaryKey(),
    /** The encrypted name. Null in an old row, whose lookup is the name itself until the library is next opened. */
    sealedName: text('sealed_name'),
    itemId: integer('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  t => [index('shares_item').on(t.itemId), index('shares_user').on(t.userId)],
)

/** Files that a job made for one user (slideshows), stored in the cache directory. */
export const builtFiles = sqliteTable(
  'built_files',
  {
    /** 128 random bits, base64url. */
    id: text().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    jobId: integer('job_id').notNull(),
    /** File name for saving. */
    name: text().notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** Whether it contains hidden items, so that only unlocked sessions may read it. */
    showsHidden: integer('shows_hidden').notNull().default(0),
  },
  t => [index('built_files_expiry').on(t.expiresAt)],
)
