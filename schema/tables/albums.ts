/** Albums: items chosen by hand or by a search, folders of albums, and who may view or change them. */
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { albumSorts } from '../limits.ts'
import { items } from './items.ts'
import { users } from './users.ts'

export const albums = sqliteTable(
  'albums',
  {
    /** Never reused (AUTOINCREMENT), because marks of items contain it. */
    id: integer().primaryKey({ autoIncrement: true }),
    /** Identifies the album in files: 96 random bits, base64url. */
    uid: text().notNull(),
    kind: text({ enum: ['folder', 'hand', 'search'] }).notNull(),
    /** Id of the folder. Not a reference: the folder may be deleted, and come back by an undo. */
    parent: integer(),
    name: text().notNull(),
    description: text().notNull().default(''),
    ownerId: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** JSON: the filter of an album by a search, as parameters of a call (`filterQuery`). */
    query: text(),
    sort: text({ enum: albumSorts }).notNull().default('taken'),
    cover: integer().references(() => items.id, { onDelete: 'set null' }),
    /** Visitors see it, with the items of public collections. */
    isPublic: integer('is_public', { mode: 'boolean' }).notNull().default(false),
    /** Never written to files. */
    isPrivate: integer('is_private', { mode: 'boolean' }).notNull().default(false),
    /** Seconds. */
    createdAt: integer('created_at').notNull(),
    deletedAt: integer('deleted_at'),
  },
  t => [uniqueIndex('albums_uid').on(t.uid), index('albums_cover').on(t.cover)],
)

/** Items of albums by hand. Each row is also a mark in `items.keys` (`marks.album`), by which lists are filtered. */
export const albumItems = sqliteTable(
  'album_items',
  {
    albumId: integer('album_id')
      .notNull()
      .references(() => albums.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    /** Order by hand. */
    position: real().notNull(),
    addedAt: integer('added_at').notNull(),
    /** Who added it; null: the terminal, or a user who was deleted. */
    addedBy: integer('added_by').references(() => users.id, { onDelete: 'set null' }),
  },
  t => [
    primaryKey({ columns: [t.albumId, t.itemId] }),
    index('album_items_position').on(t.albumId, t.position, t.itemId),
    index('album_items_item').on(t.itemId),
  ],
)

/** Users who may view an album, add items to it, or manage it. The owner is not among them. */
export const albumMembers = sqliteTable(
  'album_members',
  {
    albumId: integer('album_id')
      .notNull()
      .references(() => albums.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: ['view', 'add', 'manage'] }).notNull(),
  },
  t => [primaryKey({ columns: [t.albumId, t.userId] }), index('album_members_user').on(t.userId)],
)
