/** Statements that write rows of items and their search text, and read the names that the text contains. */
import { tagBits } from '../../schema/keys.ts'
import { favourites } from '../../schema/tables/favourites.ts'
import { items } from '../../schema/tables/items.ts'
import { cameras, keystrings, objects, personNames } from '../../schema/tables/vocabulary.ts'
import { number, query, select } from '../kernel/database/statement.ts'
import { writtenColumns } from './item-row.ts'

/** Counts the hiding keystrings among the keys of parameter `$keys`; reads nothing while no keystring hides. */
const hiddenBy = `CASE WHEN $keys = '[]' OR NOT EXISTS (SELECT 1 FROM keystrings WHERE is_associated_items_hidden = 1) THEN 0
  ELSE (SELECT count(*) FROM json_each($keys) AS j JOIN keystrings AS k ON k.id = (j.value ->> 0) >> 2
        WHERE (j.value ->> 0) & 3 = 0 AND k.is_associated_items_hidden = 1) END`

/** The columns that both statements write. Each parameter has the key of its column in `schema/tables`. */
const boundColumns = [...writtenColumns, 'tags', 'keys', 'details'] as const

export const insertRow = `INSERT INTO items (${boundColumns.map(key => items[key].name).join(', ')}, added, hidden_by)
  VALUES (${boundColumns.map(key => `$${key}`).join(', ')}, $added, ${hiddenBy})`
export const updateRow = `UPDATE items SET ${boundColumns.map(key => `${items[key].name} = $${key}`).join(', ')},
  hidden_by = ${hiddenBy}, version = version + 1 WHERE id = $id`
export const updateTags = 'UPDATE items SET tags = ? WHERE id = ?'
export const deleteRow = 'DELETE FROM items WHERE id = ?'

/** Marks from other tables: of the users whose favourite an item is, and of the albums by hand that contain it. */
export const favouriteAndAlbumMarks = query(
  { mark: number('mark') },
  `SELECT -2 * user_id AS mark FROM favourites WHERE item_id = $id
   UNION ALL SELECT -2 * album_id - 1 FROM album_items WHERE item_id = $id`,
)
/** The users who have marked an item as a favourite. */
export const usersOfFavourite = select({ userId: favourites.userId }, 'FROM favourites WHERE item_id = ?')
export const addFavourite = 'INSERT OR IGNORE INTO favourites (user_id, item_id, created_at) VALUES (?, ?, ?)'
export const removeFavourite = 'DELETE FROM favourites WHERE user_id = ? AND item_id = ?'
export const addMarkKey = `UPDATE items SET keys = json_insert(keys, '$[#]', json_array(?, ${tagBits.Mark})) WHERE id = ?`
export const removeMarkKey = `UPDATE items SET keys = (SELECT json_group_array(json(value)) FROM json_each(items.keys) WHERE value ->> 0 <> ?)
  WHERE id = ?`

export const cameraNamed = select({ id: cameras.id }, 'FROM cameras WHERE name = ?')
export const insertCamera = 'INSERT INTO cameras (name) VALUES (?)'
export const addPlaceDue = 'INSERT OR IGNORE INTO place_due (item_id) VALUES (?)'

/** A row id of the index combines the item's date and id. */
export const deleteText = 'DELETE FROM item_text WHERE rowid = (SELECT taken * 268435456 + id FROM items WHERE id = ?)'
export const insertText = `INSERT INTO item_text (rowid, keywords, category, people, objects, author, description, place, file)
  VALUES ($taken * 268435456 + $id, $keywords, $category, $people, $objects, $author, $description, $place, $file)`

export const contentOfKeystring = select({ name: keystrings.content }, 'FROM keystrings WHERE id = ?')
export const namesOfPerson = select({ name: personNames.name }, 'FROM person_names WHERE person_id = ?')
export const nameOfObject = select({ name: objects.name }, 'FROM objects WHERE id = ?')
