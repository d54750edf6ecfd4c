/** Statements on the items of albums by hand. Each row is also a mark of the item (`album-items.ts` keeps them in step). */
import { albumItems } from '../../../schema/tables/albums.ts'
import { columns } from '../../kernel/database/columns.ts'
import { number, select } from '../../kernel/database/statement.ts'

export const positionOfItem = select(
  { position: albumItems.position },
  'FROM album_items WHERE album_id = ? AND item_id = ?',
)
export const rowOfItem = select(
  columns(albumItems, 'itemId', 'position', 'addedAt', 'addedBy'),
  'FROM album_items WHERE album_id = ? AND item_id = ?',
)
export const rowsOfItem = select(
  columns(albumItems, 'albumId', 'position', 'addedAt', 'addedBy'),
  'FROM album_items WHERE item_id = ?',
)
export const lastPosition = select(
  { position: number('coalesce(max(position), 0)') },
  'FROM album_items WHERE album_id = ?',
)
/** Adds nothing if the item has been deleted for good. */
export const addItem = `INSERT OR IGNORE INTO album_items (album_id, position, added_at, added_by, item_id)
  SELECT ?, ?, ?, (SELECT id FROM users WHERE id = ?), id FROM items WHERE id = ?`
export const removeItem = 'DELETE FROM album_items WHERE album_id = ? AND item_id = ?'
export const setPosition = 'UPDATE album_items SET position = ? WHERE album_id = ? AND item_id = ?'

/** The nearest position before the given one, without the items that are being moved (a JSON list of ids). */
export const positionBefore = select(
  { position: albumItems.position },
  `FROM album_items WHERE album_id = ? AND position < ? AND item_id NOT IN (SELECT value FROM json_each(?))
   ORDER BY position DESC LIMIT 1`,
)

/** Renumbers the items in their order. */
export const renumber = `UPDATE album_items SET position = r.n
  FROM (SELECT item_id, row_number() OVER (ORDER BY position, item_id) AS n FROM album_items WHERE album_id = $album) AS r
  WHERE album_items.album_id = $album AND album_items.item_id = r.item_id`
