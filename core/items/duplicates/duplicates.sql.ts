/** Items of the same content, and perceptual hashes of pictures. */
import { items } from '../../../schema/tables/items.ts'
import { bound } from '../../filter/bound.ts'
import { type Fragment, sql } from '../../kernel/database/sql-fragment.ts'
import { number, numberOrNull, select, string } from '../../kernel/database/statement.ts'

export const hashedItems = select({ n: number('count(*)') }, 'FROM items WHERE phash IS NOT NULL AND deleted IS NULL')
export const hashesAfter = select(
  { id: items.id, phash: string('phash') },
  'FROM items WHERE id > ? AND phash IS NOT NULL AND deleted IS NULL ORDER BY id LIMIT ?',
)
export const writeGroup =
  'INSERT OR REPLACE INTO near_duplicates (item_id, group_id) SELECT id, ? FROM items WHERE id = ?'

/** Id of the last finished search for similar items. */
export const lastSearch = select(
  { id: numberOrNull('max(id)') },
  "FROM jobs WHERE kind = 'duplicates' AND state = 'done'",
)
export const changesOfItems = select({ items: number('items') }, 'FROM change_counts')

const alike = (from: Fragment) =>
  bound(
    { ids: string('ids') },
    sql`SELECT ids FROM (
    SELECT group_concat(i.id) AS ids, sum(i.size) AS bytes FROM ${from} HAVING count(*) > 1) ORDER BY bytes DESC, ids`,
  )

/** Groups of at least two, as comma-separated ids; `where` is a condition on `items AS i`. */
export const exactGroups = (where: Fragment) =>
  alike(sql`(SELECT content FROM items WHERE content <> '' GROUP BY content HAVING count(*) > 1) AS same
    CROSS JOIN items AS i INDEXED BY items_content ON i.content = same.content WHERE ${where} GROUP BY i.content`)
export const nearGroups = (where: Fragment) =>
  alike(sql`near_duplicates AS n CROSS JOIN items AS i ON i.id = n.item_id WHERE ${where} GROUP BY n.group_id`)

export const sizesOfItems = select(
  { id: items.id, size: items.size },
  'FROM items WHERE id IN (SELECT value FROM json_each(?))',
)
