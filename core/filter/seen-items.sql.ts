/** Statements that check which items are visible or hidden, and statements that filters need from other tables. */

import { keyKinds } from '../../schema/keys.ts'
import { collections } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { keystrings, pendingHide } from '../../schema/tables/vocabulary.ts'
import { type Fragment, idsIn, raw, sql } from '../kernel/database/sql-fragment.ts'
import { type Columns, number, query, select, string } from '../kernel/database/statement.ts'
import { bound, boundSelect } from './bound.ts'

export const collectionIds = select({ id: collections.id }, 'FROM collections')

/** The first word of the index between two bounds. */
export const nextTerm = query(
  { term: string('term') },
  'SELECT term FROM item_words WHERE term >= ? AND term < ? LIMIT 1',
)

/** SQL on `items AS i`: a keystring hides the item, whatever its other state; also while the job `hide` is running. */
export const hiddenItemCondition = `(i.hidden_by > 0 OR EXISTS (SELECT 1 FROM pending_hide AS p JOIN keyed AS k
  ON k.key = p.keystring_id * 4 + ${keyKinds.keystring} AND k.taken = i.taken AND k.item_id = i.id))`

export const pendingHiding = select({ id: pendingHide.keystringId }, 'FROM pending_hide')
export const hidingOrPending = query(
  { id: keystrings.id },
  'SELECT keystring_id AS id FROM pending_hide UNION SELECT id FROM keystrings WHERE is_associated_items_hidden = 1',
)

const one = { one: number('1') }
/** Returns a row while the search index has texts in their former form. */
export const anySearchTextDue = query(one, 'SELECT 1 AS one FROM search_text_due')
export const anythingHides = query(
  one,
  'SELECT 1 AS one FROM keystrings WHERE is_associated_items_hidden = 1 UNION ALL SELECT 1 FROM pending_hide LIMIT 1',
)

export const anItemOfCollection = (condition: string) =>
  query(one, `SELECT 1 AS one FROM items AS i WHERE i.collection_id = ? AND ${condition} LIMIT 1`)

export const itemsAmong = (ids: readonly number[], condition: Fragment) =>
  bound({ id: items.id }, sql`SELECT i.id FROM items AS i WHERE i.id IN ${idsIn(ids)} AND ${condition}`)

/** How many of the given items are in each collection. */
export const collectionsAmong = (ids: readonly number[], condition: Fragment) =>
  bound(
    { id: collections.id, n: number('n') },
    sql`SELECT i.collection_id AS id, count(*) AS n FROM json_each(${JSON.stringify(ids)}) AS j
          CROSS JOIN items AS i ON i.id = j.value WHERE ${condition} GROUP BY 1`,
  )

/** Recycled or missing items that entered that state before a given time, oldest first. */
export const goneItems = (which: 'deleted' | 'missing', before: number, condition: Fragment) =>
  bound(
    { id: items.id, collectionId: items.collectionId },
    sql`SELECT i.id, i.collection_id AS collectionId FROM items AS i
      WHERE ${condition} AND i.${raw(which)} < ${before} ORDER BY i.${raw(which)}, i.id`,
  )

/** One item as `items AS i`. */
export const itemWhere = <const Selected extends Columns>(columns: Selected, id: number, condition: Fragment) =>
  boundSelect(columns, sql`FROM items AS i WHERE i.id = ${id} AND ${condition}`)
