/** Screen savers, and the tokens of devices and scripts. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from './users.ts'

export const screensavers = sqliteTable(
  'screensavers',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    /** The owner's id; null for a visitor's saver, which belongs to a browser. */
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** sha256 of the visitor's cookie value, as hex. */
    visitor: text(),
    random: integer({ mode: 'boolean' }).notNull(),
    seconds: integer().notNull(),
    /** JSON: the filters of the call. */
    filters: text().notNull().default('{}'),
    /** JSON: ids that this round has not shown yet; null before the first round. */
    queue: text(),
    createdAt: integer('created_at').notNull(),
    /** When a visitor's saver expires. */
    expiresAt: integer('expires_at'),
  },
  t => [index('screensavers_user').on(t.userId), index('screensavers_visitor').on(t.visitor)],
)

export const tokens = sqliteTable(
  'tokens',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    type: text({ enum: ['ScreenSaver', 'api'] }).notNull(),
    /** sha256 of the token as hex; the token itself is never stored. */
    hash: text().notNull(),
    /** The last four characters of a device's token, so that users can recognise the device. */
    tail: text().notNull().default(''),
    /** The saver that a device shows. */
    screensaverId: integer('screensaver_id').references(() => screensavers.id, { onDelete: 'set null' }),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    usedAt: integer('used_at'),
  },
  t => [uniqueIndex('tokens_hash').on(t.hash), index('tokens_user').on(t.userId)],
)
