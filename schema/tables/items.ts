/** Items, their regions, and tables that triggers maintain to keep lists and counts fast at a million items. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { collections, dirs } from './collections.ts'
import { objects, people } from './vocabulary.ts'

/** The values of an item's `state`. Lists show 0; an unlocked session shows 0 and 1. */
export const itemState = { shown: 0, hidden: 1, deleted: 2, missing: 3 } as const

export const items = sqliteTable(
  'items',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    collectionId: integer('collection_id')
      .notNull()
      .references(() => collections.id),
    dirId: integer('dir_id')
      .notNull()
      .references(() => dirs.id),
    /** File name for display; the bytes are in `files`. */
    name: text().notNull(),
    type: text({ enum: ['image', 'video'] }).notNull(),
    /** Local time read as if UTC, in seconds: the sort key of lists. */
    taken: integer().notNull(),
    /** Minutes east of UTC; null if unknown. */
    takenOffset: integer('taken_offset'),
    /** A DateSource, or 'user'. */
    takenSource: text('taken_source').notNull(),
    /** 'YYYY-MM-DD HH:MM:SS'. */
    takenAt: text('taken_at').generatedAlwaysAs(sql`datetime(taken, 'unixepoch')`, { mode: 'virtual' }),
    /** Year * 100 + month. */
    ym: integer().generatedAlwaysAs(sql`CAST(strftime('%Y%m', taken, 'unixepoch') AS INTEGER)`, { mode: 'virtual' }),
    /** Month * 100 + day, for On This Day. */
    md: integer().generatedAlwaysAs(sql`CAST(strftime('%m%d', taken, 'unixepoch') AS INTEGER)`, { mode: 'virtual' }),
    latitude: real(),
    longitude: real(),
    /** 0–5, -1 rejected. */
    rating: integer(),
    /** Upright size in pixels, before `rotation`; 0 if unknown. */
    width: integer().notNull().default(0),
    height: integer().notNull().default(0),
    /** The Rotation property: 0, 90, 180 or 270 degrees clockwise on top of the file's own orientation. */
    rotation: integer().notNull().default(0),
    /** Seconds, videos only. */
    duration: real(),
    mime: text().notNull().default(''),
    size: integer().notNull().default(0),
    /** Content key of the main file; '' while the file could not be read. */
    content: text().notNull().default(''),
    /** base64. */
    thumbhash: text(),
    /** 16 hex digits. */
    phash: text(),
    /** Sizes in the cache, as bits: tiny 1, small 2, medium 4, large 8. */
    renditions: integer().notNull().default(0),
    /** Why there is a placeholder instead of the picture. */
    problem: text(),
    /** Whether the item has a motion part (Live Photo). */
    motion: integer({ mode: 'boolean' }).notNull().default(false),
    /** Seconds when the item was recycled, and when its file was found missing. */
    deleted: integer(),
    missing: integer(),
    /** Number of its keystrings that hide it; written with `keys` (core/items/item-rows.ts) and by the job `hide`. */
    hiddenBy: integer('hidden_by').notNull().default(0),
    state: integer()
      .notNull()
      .generatedAlwaysAs(
        sql`CASE WHEN deleted IS NOT NULL THEN 2 WHEN missing IS NOT NULL THEN 3 WHEN hidden_by > 0 THEN 1 ELSE 0 END`,
        { mode: 'virtual' },
      ),
    /** Seconds when the item was added to the library. */
    added: integer().notNull(),
    /** Increases with every edit, and when the item is hidden, recycled, missing or back. */
    version: integer().notNull().default(1),
    /** JSON: the tag sets, see `StoredTags` in `core/items/item-row.ts`. */
    tags: text().notNull().default('{}'),
    /** JSON [[key, tags], …]: its rows of `keyed`. */
    keys: text().notNull().default('[]'),
    /** JSON: camera, codecs, altitude and other data that are shown but not searched. */
    details: text().notNull().default('{}'),
  },
  t => [
    index('items_taken').on(t.state, t.taken, t.id, t.collectionId),
    // Every index ends with the row's id anyway.
    index('items_collection_taken').on(t.collectionId, t.state, t.taken),
    index('items_added').on(t.collectionId, t.state, t.added),
    index('items_name').on(t.collectionId, t.state, sql`name COLLATE NOCASE`),
    index('items_day').on(t.md, t.state, t.taken, t.id, t.collectionId),
    index('items_place').on(t.collectionId, t.latitude, t.longitude, t.state, t.taken).where(sql`latitude IS NOT NULL`),
    // Has all columns that the screen Places needs, which would otherwise read every row.
    index('items_named')
      .on(t.collectionId, t.state, sql`tags ->> '$.Locations.d.placeName'`, t.taken, t.rating, t.problem)
      .where(sql`tags ->> '$.Locations.d.placeName' IS NOT NULL`),
    index('items_content').on(t.content),
    index('items_dir').on(t.dirId),
    index('items_hidden').on(t.id).where(sql`hidden_by > 0`),
    // In the search index's order, for counts of very common words (core/filter/merging.ts).
    index('items_unlisted').on(sql`taken * 268435456 + id`, t.state).where(sql`state IN (1, 2, 3)`),
    index('items_rendition').on(t.id).where(sql`(renditions & 4) = 0 AND problem IS NULL`),
  ],
)

/** Hash of the main file's picture data, which identifies a file that other software has tagged and moved. */
export const pictureHashes = sqliteTable(
  'picture_hashes',
  {
    itemId: integer('item_id')
      .primaryKey()
      .references(() => items.id, { onDelete: 'cascade' }),
    /** From core/media/decode/picture-hash.ts; 0 if there is none. */
    hash: integer().notNull(),
  },
  t => [index('picture_hashes_hash').on(t.hash).where(sql`hash <> 0`)],
)

/** Groups of items that look alike, as the last job found them. */
export const nearDuplicates = sqliteTable(
  'near_duplicates',
  {
    itemId: integer('item_id')
      .primaryKey()
      .references(() => items.id, { onDelete: 'cascade' }),
    /** Id of an item that was in the group when the job found it. */
    groupId: integer('group_id').notNull(),
  },
  t => [index('near_duplicates_group').on(t.groupId)],
)

/** Boxes on upright pictures, before Rotation; all lengths are thousandths of the longer edge. */
export const regions = sqliteTable(
  'regions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    itemId: integer('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    type: text({ enum: ['person', 'object'] }).notNull(),
    personId: integer('person_id').references(() => people.id),
    objectId: integer('object_id').references(() => objects.id),
    /** All four are 0 if the place on the picture is unknown. */
    x: real().notNull(),
    y: real().notNull(),
    width: real().notNull(),
    height: real().notNull(),
    source: text({ enum: ['file', 'user', 'face'] }).notNull(),
    version: integer().notNull().default(1),
  },
  t => [
    index('regions_item').on(t.itemId),
    index('regions_person').on(t.personId),
    index('regions_object').on(t.objectId),
  ],
)

/** Number of items in a collection, by state and month (`ym`). Maintained by triggers on `items`. */
export const itemMonth = sqliteTable(
  'item_month',
  {
    collectionId: integer('collection_id').notNull(),
    state: integer().notNull(),
    ym: integer().notNull(),
    n: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.collectionId, t.state, t.ym] })],
)

/**
 * One row for each thing that an item is filed under, and for each of its marks. `key` is 4 * id + kind (see
 * `schema/keys.ts`); `tags` are its tag sets, as bits. Maintained by triggers from `items.keys`.
 */
export const keyed = sqliteTable(
  'keyed',
  {
    key: integer().notNull(),
    taken: integer().notNull(),
    itemId: integer('item_id').notNull(),
    collectionId: integer('collection_id').notNull(),
    state: integer().notNull(),
    tags: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.key, t.taken, t.itemId] })],
)

/** Number of rows in `keyed`, by key, collection, state and tag sets. Maintained by triggers. */
export const keyCount = sqliteTable(
  'key_count',
  {
    key: integer().notNull(),
    collectionId: integer('collection_id').notNull(),
    state: integer().notNull(),
    tags: integer().notNull(),
    n: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.key, t.collectionId, t.state, t.tags] })],
)
