/** Collections, with their directories and files. */
import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const collections = sqliteTable(
  'collections',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    /** Absolute path of its directory. */
    path: text().notNull(),
    /** Absolute path of the variants directory, or ''. */
    pathVariant: text('path_variant').notNull().default(''),
    /** Seconds; null until the first scan has ended. */
    lastScan: integer('last_scan'),
    folderFormat: text('folder_format').notNull().default(''),
    fileFormat: text('file_format').notNull().default(''),
    managed: integer({ mode: 'boolean' }).notNull().default(false),
    readonly: integer({ mode: 'boolean' }).notNull().default(false),
    writeBack: text('write_back', { enum: ['off', 'sidecar', 'file'] })
      .notNull()
      .default('off'),
    /** Whether to pair a Live Photo's still and video. */
    pairing: integer({ mode: 'boolean' }).notNull().default(true),
    /** Whether to hide people and places from visitors. */
    keepPrivate: integer('keep_private', { mode: 'boolean' }).notNull().default(false),
    /** Device number of its root at the last scan, as text; another number means another disk. */
    rootDevice: text('root_device'),
    /** Why the last scan stopped without marking anything missing, and how many items it would have marked. */
    safetyStop: text('safety_stop'),
    safetyStopItems: integer('safety_stop_items').notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  t => [uniqueIndex('collections_path').on(t.path)],
)

/** Directories of a collection. An unchanged fingerprint means that nothing in the directory changed. */
export const dirs = sqliteTable(
  'dirs',
  {
    id: integer().primaryKey(),
    collectionId: integer('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    /** Relative to the collection, '' for its root; for display and sorting. */
    path: text().notNull(),
    /** The same path as bytes. */
    pathBytes: blob('path_bytes', { mode: 'buffer' }).notNull(),
    /** 8 bytes; null if the directory must be read again in any case. */
    fingerprint: blob({ mode: 'buffer' }),
  },
  t => [uniqueIndex('dirs_path').on(t.collectionId, t.pathBytes)],
)

/** Known files: those of items, and sidecars. Other files have no row. */
export const files = sqliteTable(
  'files',
  {
    id: integer().primaryKey(),
    dirId: integer('dir_id')
      .notNull()
      .references(() => dirs.id, { onDelete: 'cascade' }),
    nameBytes: blob('name_bytes', { mode: 'buffer' }).notNull(),
    /** Null for a file that belongs to no item (a sidecar without its picture). */
    itemId: integer('item_id'),
    /** Its role for the item. */
    role: text({ enum: ['main', 'companion', 'motion', 'sidecar', 'none'] }).notNull(),
    size: integer().notNull(),
    /** Modification time in whole seconds, and the rest in nanoseconds, because nanoseconds do not fit a double. */
    mtime: integer().notNull(),
    mtimeNs: integer('mtime_ns').notNull(),
    /** Content key; null until the file was read. */
    content: text(),
    /** sha256 as hex, if it was needed. */
    fullHash: text('full_hash'),
    /** The id that pairs the halves of a Live Photo (Metadata.contentIdentifier). */
    pair: text(),
  },
  t => [
    uniqueIndex('files_name').on(t.dirId, t.nameBytes),
    index('files_item').on(t.itemId),
    index('files_pair').on(t.dirId, t.pair).where(sql`pair IS NOT NULL`),
  ],
)

/** Items that a scan did not find when it stopped for safety: candidates for missing. */
export const safetyStopItems = sqliteTable(
  'safety_stop_items',
  {
    collectionId: integer('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    itemId: integer('item_id').notNull(),
  },
  t => [primaryKey({ columns: [t.collectionId, t.itemId] })],
)

/** Contents of purged items of read-only collections: scans skip files with such a content. */
export const tombstones = sqliteTable(
  'tombstones',
  {
    id: integer().primaryKey(),
    collectionId: integer('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    path: text().notNull(),
    content: text().notNull(),
  },
  t => [index('tombstones_content').on(t.collectionId, t.content)],
)
