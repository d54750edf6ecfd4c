/** Data that leave the library: shares of single items, links to several, and archives built for users. */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
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

/** Links to several items, for anyone who has the address. Ended links are kept for a while: they can be reopened. */
export const links = sqliteTable(
  'links',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** As in `shares`: HMAC of the name in the address, and the encrypted name. */
    lookup: text().notNull(),
    sealedName: text('sealed_name').notNull(),
    kind: text({ enum: ['items', 'album', 'person'] }).notNull(),
    /** Id of the album or person; null for chosen items. Not a reference: without its subject, the link shows nothing. */
    subject: integer(),
    title: text().notNull().default(''),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    /** Null: it never expires. */
    expiresAt: integer('expires_at'),
    endedAt: integer('ended_at'),
    passwordHash: text('password_hash'),
    /** Whether originals can be downloaded. */
    originals: integer({ mode: 'boolean' }).notNull().default(false),
    /** Whether places and names of people are shown. */
    details: integer({ mode: 'boolean' }).notNull().default(false),
    /** How often it was opened, and when last. */
    views: integer().notNull().default(0),
    viewedAt: integer('viewed_at'),
  },
  t => [uniqueIndex('links_lookup').on(t.lookup), index('links_user').on(t.userId)],
)

/** Chosen items of links, in their order. */
export const linkItems = sqliteTable(
  'link_items',
  {
    linkId: integer('link_id')
      .notNull()
      .references(() => links.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.linkId, t.itemId] }), index('link_items_item').on(t.itemId)],
)
