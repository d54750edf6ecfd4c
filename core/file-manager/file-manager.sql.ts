/** Queries for files of items by path and for files of hidden items; statements that move directories and problems. */
import { keyKinds } from '../../schema/keys.ts'
import { files } from '../../schema/tables/collections.ts'
import { itemState } from '../../schema/tables/items.ts'
import { hiddenItemCondition } from '../filter/seen-items.sql.ts'
import { columns } from '../kernel/database/columns.ts'
import { bytes, number, query, select, string } from '../kernel/database/statement.ts'

const ofFile = 'd.collection_id = ? AND d.path_bytes = ? AND files.name_bytes'

/** Binds the collection, the directory's path and the file's name. */
export const fileOfItem = select(
  columns(files, 'itemId', 'role'),
  `FROM files JOIN dirs AS d ON d.id = files.dir_id WHERE ${ofFile} = ? AND files.item_id IS NOT NULL`,
)

/** Binds the collection, the directory, the directory's length plus one, and the directory with a slash. */
const inDirectory = `FROM items AS i JOIN dirs AS d ON d.id = i.dir_id WHERE i.collection_id = ?1
  AND (?2 = X'' OR d.path_bytes = ?2 OR substr(d.path_bytes, 1, ?3) = ?4)`
export const hiddenBelow = query(
  { found: number('1') },
  `SELECT 1 AS found ${inDirectory} AND i.state = ${itemState.hidden}
   UNION ALL SELECT 1 ${inDirectory} AND i.state = ${itemState.deleted} AND ${hiddenItemCondition}
   UNION ALL SELECT 1 ${inDirectory} AND i.missing IS NULL AND i.id IN (SELECT k.item_id
     FROM pending_hide AS p JOIN keyed AS k ON k.key = p.keystring_id * 4 + ${keyKinds.keystring})
   LIMIT 1`,
)

const inDir = 'FROM dirs AS d CROSS JOIN files ON files.dir_id = d.id'

/** Files of hidden items. Binds the collection, the directory, the first name, and the name at which to stop. */
export const hiddenFilesBetween = select(
  { name: files.nameBytes, role: files.role },
  `${inDir} CROSS JOIN items AS i ON i.id = files.item_id WHERE ${ofFile} >= ? AND files.name_bytes < ? AND ${hiddenItemCondition}`,
)

/** Like `hiddenFilesBetween`, for hidden items that are missing: their files may have returned since the last scan. */
export const hiddenMissingBetween = select(
  { name: bytes('CAST(i.name AS BLOB)'), role: string("'main'") },
  `FROM items AS i JOIN dirs AS d ON d.id = i.dir_id
   WHERE i.collection_id = ? AND i.state = ${itemState.missing} AND d.path_bytes = ?
     AND i.name COLLATE NOCASE >= ? AND i.name COLLATE NOCASE < ? AND ${hiddenItemCondition}`,
)

/** The name 2,000 files after a given one in a directory: names up to it are checked before yielding. */
export const nameAfterSome = select(
  { name: files.nameBytes },
  `${inDir} WHERE ${ofFile} >= ? ORDER BY files.name_bytes LIMIT 1 OFFSET 2000`,
)

export const fileOfShownItem = select(
  { id: files.id },
  `FROM dirs AS d JOIN files ON files.dir_id = d.id JOIN items AS i ON i.id = files.item_id
   WHERE ${ofFile} = ? AND NOT ${hiddenItemCondition}`,
)

/** Binds the new path, the old one and the collection. */
export const moveProblemsBelow = `UPDATE OR REPLACE problems SET path = ?1 || substr(path, length(?2) + 1)
  WHERE collection_id = ?3 AND (path = ?2 OR substr(path, 1, length(?2) + 1) = ?2 || '/')`

/** Binds the collection and the path. */
export const forgetDirectoryWithoutItems = `DELETE FROM dirs WHERE collection_id = ? AND path_bytes = ?
  AND NOT EXISTS (SELECT 1 FROM items WHERE dir_id = dirs.id)`

/** Runs once for a renamed directory and for each one below it. */
export const renameDirectory = 'UPDATE dirs SET path = ?, path_bytes = ? WHERE id = ?'
