/** Records of each transaction: outbox rows that every process follows, history rows that undo reads, and counts. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The outbox. Ids only increase (AUTOINCREMENT), so a reader asks for events after the last one it has seen. */
export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Milliseconds. */
    at: integer().notNull(),
    /** A channel of `schema/realtime.ts`. Internal ones begin with '.' and are never sent to clients. */
    channel: text().notNull(),
    /** JSON: the specification's realtime message. */
    message: text().notNull(),
  },
  t => [index('events_at').on(t.at)],
)

export const history = sqliteTable(
  'history',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Milliseconds. */
    at: integer().notNull(),
    /** The user's id; null for the terminal, jobs of no user, and metadata imports. */
    userId: integer('user_id'),
    /** Id of the step, shared by all its rows, which are undone together. */
    step: text().notNull(),
    operation: text().notNull(),
    collectionId: integer('collection_id'),
    itemId: integer('item_id'),
    /** JSON of the values before and after. */
    before: text(),
    after: text(),
    /** The step that undid this one. */
    undoneBy: text('undone_by'),
  },
  t => [
    index('history_step').on(t.step, t.itemId),
    index('history_item').on(t.itemId),
    index('history_undone').on(t.undoneBy),
  ],
)

/**
 * Sums of `history` rows, grouped by the columns of the primary key, so that a step with many rows is listed without
 * reading them. Maintained by triggers on `history`. A missing collection or user is stored as 0.
 */
export const historyParts = sqliteTable(
  'history_parts',
  {
    step: text().notNull(),
    operation: text().notNull(),
    collectionId: integer('collection_id').notNull(),
    userId: integer('user_id').notNull(),
    /** Whether the rows name items. */
    ofItems: integer('of_items', { mode: 'boolean' }).notNull(),
    /** First and last id in `history`, and the time of the newest row. */
    firstId: integer('first_id').notNull(),
    newestId: integer('newest_id').notNull(),
    at: integer().notNull(),
    n: integer().notNull(),
    undone: integer().notNull(),
    /** Number of distinct items; an item named in several parts of a step counts in the part of its first row. */
    items: integer().notNull(),
  },
  t => [
    primaryKey({ columns: [t.step, t.operation, t.collectionId, t.userId, t.ofItems] }),
    index('history_parts_newest').on(t.newestId),
    index('history_parts_collection').on(t.collectionId, t.newestId),
  ],
)

/** Items whose file or sidecar does not contain the library's metadata yet, in collections that write it back. */
export const metadataDue = sqliteTable('metadata_due', {
  itemId: integer('item_id').primaryKey(),
  collectionId: integer('collection_id').notNull(),
})

/** Keys whose name changed; a job updates the search text of their items. `key` as in `keyed`. */
export const textDue = sqliteTable('text_due', {
  key: integer().primaryKey(),
})

/**
 * At most one row, in libraries whose search index was made before texts were folded (see `schema/search-text.ts`): the
 * last item, by date and id, that a job has indexed again. Later ones may still be indexed in the former form.
 */
export const searchTextDue = sqliteTable('search_text_due', {
  taken: integer().notNull(),
  itemId: integer('item_id').notNull(),
})

/** Items with a position but no place name, whose nearest city has not been looked up. */
export const placeDue = sqliteTable('place_due', {
  itemId: integer('item_id').primaryKey(),
})

/** One row of counters. Triggers and some jobs increase them, so that every process notices outdated cached values. */
export const changeCounts = sqliteTable('change_counts', {
  id: integer().primaryKey(),
  /** Counts changes of items that matter to lists. Cached totals and names depend on it and on `words`. */
  items: integer().notNull(),
  /** Counts changes of names, and of what hides items. */
  words: integer().notNull(),
  /** Counts changes of rights. */
  access: integer().notNull().default(0),
  /** Counts changes of reference faces. */
  faces: integer().notNull().default(0),
})
