/** Queries of keystrings and objects, whose rows the history stores, and of the items of a key. */
import { events } from '../../schema/tables/changes.ts'
import { keyCount, keyed } from '../../schema/tables/items.ts'
import { keystrings, objects } from '../../schema/tables/vocabulary.ts'
import { bound } from '../filter/bound.ts'
import { type Frame, inFrame } from '../filter/frame.ts'
import { hiddenItemCondition } from '../filter/seen-items.sql.ts'
import { idsIn, sql } from '../kernel/database/sql-fragment.ts'
import { number, numberOrNull, query, select, string, stringOrNull } from '../kernel/database/statement.ts'

const keystring = {
  id: keystrings.id,
  content: keystrings.content,
  is_hidden: keystrings.isHidden,
  is_associated_items_hidden: keystrings.isAssociatedItemsHidden,
}
export const keystringById = select(keystring, 'FROM keystrings WHERE id = ?')
/** Binds 1 to include keystrings flagged hidden, or 0 to leave them out. */
export const keystringsByContent = select(keystring, 'FROM keystrings WHERE is_hidden <= ? ORDER BY content_key, id')

const object = { id: objects.id, name: objects.name, description: objects.description, parent_id: objects.parentId }
export const objectById = select(object, 'FROM objects WHERE id = ?')
export const objectsByName = select(object, 'FROM objects ORDER BY name_key, id')

/** Items that have an object. Binds the object, and the maximum number. */
export const itemsOfObject = query(
  { id: number('id') },
  'SELECT DISTINCT item_id AS id FROM regions WHERE object_id = ? LIMIT ?',
)

const id = keyed.itemId
/** Items with a key. Binds the key, and the maximum number. */
export const itemsOfKey = select({ id }, 'FROM keyed WHERE key = ? LIMIT ?')
/** Items of some collections (JSON), without hidden ones. Binds the key, the collections, and the maximum number. */
export const shownItemsOfKey = select(
  { id },
  `FROM keyed WHERE key = ? AND item_id IN (SELECT id FROM items AS i WHERE i.id = keyed.item_id
     AND i.collection_id IN (SELECT value FROM json_each(?)) AND NOT ${hiddenItemCondition}) LIMIT ?`,
)
/** Items with a key, oldest first, after a position. Binds the key, the position's two values, the maximum number. */
export const nextItemsOfKey = select(
  { taken: keyed.taken, item_id: id },
  'FROM keyed WHERE key = ? AND (taken, item_id) > (?, ?) ORDER BY taken, item_id LIMIT ?',
)
export const itemsUnderKey = select({ n: number('coalesce(sum(n), 0)') }, 'FROM key_count WHERE key = ?')
export const collectionsUnderKey = select({ id: keyCount.collectionId }, 'FROM key_count WHERE key = ?', {
  distinct: true,
})

export const lastEvent = select({ id: numberOrNull('max(id)') }, 'FROM events')
/** Binds the event to start after, the channel, the path of the id in the message, and the id. */
export const eventOfThing = select(
  { id: events.id },
  'FROM events WHERE id > ? AND channel = ? AND message ->> ? = ? LIMIT 1',
)

/** Counts the hiding keystrings of an item again. Binds the item twice. */
export const recountHiding = `UPDATE items SET hidden_by = c.n, version = version + 1
  FROM (SELECT count(*) AS n FROM items AS i, json_each(i.keys) AS j JOIN keystrings AS k ON k.id = (j.value ->> 0) >> 2
        WHERE i.id = ? AND (j.value ->> 0) & 3 = 0 AND k.is_associated_items_hidden = 1) AS c
  WHERE items.id = ? AND items.hidden_by <> c.n`

/** Items of the search index, whose rows are numbered taken * 2^28 + id. */
export const indexedItems = query({ n: number('n') }, 'SELECT count(*) AS n FROM item_text')
/** Binds date and id of an item. */
export const indexedItemsUpTo = query(
  { n: number('n') },
  'SELECT count(*) AS n FROM item_text WHERE rowid <= ? * 268435456 + ?',
)
/** Binds date and id of the item to start after, and the maximum number. */
export const nextIndexedItems = query(
  { taken: number('taken'), itemId: number('itemId') },
  `SELECT rowid >> 28 AS taken, rowid & 268435455 AS itemId FROM item_text
   WHERE rowid > ? * 268435456 + ? ORDER BY rowid LIMIT ?`,
)

/** Marks cached totals and names as invalid. */
export const invalidateItemCounts = 'UPDATE change_counts SET items = items + 1'

/** Ids of items as a JSON list. `where` is a condition on `x`, a row of `keyed`. */
export const itemsWhere = (where: string) =>
  query({ ids: string('ids') }, `SELECT json_group_array(DISTINCT x.item_id) AS ids FROM keyed AS x WHERE ${where}`)

/** The keys of some items as one text, which is read and parsed much faster than a row for each key of each item. */
export const keysOfItems = query(
  { keys: stringOrNull('keys') },
  `SELECT '[' || group_concat(i.keys) || ']' AS keys FROM json_each(?) AS j CROSS JOIN items AS i ON i.id = j.value`,
)

/** Item counts by keystring, person or object. `where` is a condition on `c`, a row of `key_count`. */
export const countsOf = (table: 'keystrings' | 'people' | 'objects', kind: number, where: string) =>
  query(
    { id: number('id'), n: number('n') },
    `SELECT t.id, sum(c.n) AS n FROM ${table} AS t CROSS JOIN key_count AS c ON c.key = t.id * 4 + ${kind}
     WHERE ${where} GROUP BY t.id`,
  )

/** `where` is a condition on `c`, a row of `key_count`. */
export const countWhere = (where: string) =>
  query({ n: number('n') }, `SELECT coalesce(sum(c.n), 0) AS n FROM key_count AS c WHERE ${where}`)

/** Number of items with the key, without those that one of the other keys hides. */
export const countUnhidden = (key: number, frame: Frame, hiding: readonly number[]) =>
  bound(
    { n: number('n') },
    sql`SELECT count(*) AS n FROM keyed AS x WHERE x.key = ${key} AND ${inFrame(frame, 'x')} AND NOT EXISTS
      (SELECT 1 FROM keyed AS y WHERE y.key IN ${idsIn(hiding)} AND y.taken = x.taken AND y.item_id = x.item_id)`,
  )
