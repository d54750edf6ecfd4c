/** Statements of moves and imports. */
import { collections, dirs, files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { keystrings } from '../../schema/tables/vocabulary.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, type RowOfQuery, select } from '../kernel/database/statement.ts'

/** Items of a collection in the order of their paths, without recycled and missing ones. */
export const itemsInOrder = select(
  { id: items.id },
  `FROM items JOIN dirs ON dirs.id = items.dir_id
   WHERE items.collection_id = ? AND items.deleted IS NULL AND items.missing IS NULL ORDER BY dirs.path, items.name, items.id`,
)

/** Binds a JSON list of ids, and returns the items in its order. */
export const itemsToMove = select(
  {
    ...columns(items, 'id', 'type', 'name', 'collectionId', 'deleted', 'missing'),
    ...columns(items, 'size', 'content', 'taken', 'takenSource', 'tags'),
    path: dirs.path,
  },
  `FROM json_each(?) AS wanted JOIN items ON items.id = wanted.value JOIN dirs ON dirs.id = items.dir_id
   ORDER BY wanted.key`,
)
export type ItemToMove = RowOfQuery<typeof itemsToMove>

export const mainFileOfItem = select(
  { root: collections.path, dir: dirs.pathBytes, name: files.nameBytes },
  `FROM files JOIN dirs ON dirs.id = files.dir_id JOIN collections ON collections.id = dirs.collection_id
   WHERE files.item_id = ? AND files.role = 'main'`,
)

/** Runs once for each word of an item. */
export const contentOfKeystring = select(columns(keystrings, 'content'), 'FROM keystrings WHERE id = ?')

/** Binds the copy's id and the original's. */
export const copyRegions = `INSERT INTO regions (item_id, type, person_id, object_id, x, y, width, height, source)
  SELECT ?, type, person_id, object_id, x, y, width, height, source FROM regions WHERE item_id = ? ORDER BY id`

/** Adds the row of a copied file with the content of the original, whose id is bound last. */
export const copyFile = `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns, content, full_hash, pair)
  SELECT ?, ?, ?, ?, ?, ?, ?, f.content, f.full_hash, f.pair FROM (SELECT 1) LEFT JOIN files AS f ON f.id = ?`

/** Binds the new collection and path, then the old ones. */
export const moveProblem =
  'UPDATE OR REPLACE problems SET collection_id = ?, path = ? WHERE collection_id = ? AND path = ?'

/** Binds the collection and the directory's path. */
export const forgetEmptyDirectory = `DELETE FROM dirs WHERE collection_id = ? AND path_bytes = ?
  AND NOT EXISTS (SELECT 1 FROM items WHERE dir_id = dirs.id) AND NOT EXISTS (SELECT 1 FROM files WHERE dir_id = dirs.id)`

/** Makes the next scan read the directory again, whatever its fingerprint was. */
export const forgetFingerprint = 'UPDATE dirs SET fingerprint = NULL WHERE id = ?'
export const forgetFingerprintAtPath = 'UPDATE dirs SET fingerprint = NULL WHERE collection_id = ? AND path_bytes = ?'

/** Runs once for each file that moves: binds directory, name, size and time, then the row's id. */
export const moveFileRow = 'UPDATE files SET dir_id = ?, name_bytes = ?, size = ?, mtime = ?, mtime_ns = ? WHERE id = ?'

/** Runs once for each item that a batch tries to move. */
export const forgetFailedMoves = "DELETE FROM problems WHERE item_id = ? AND code = 'move'"

export const rowsHeld = select({ n: number('count(*)') }, 'FROM journal WHERE unit = ? AND job_id = ?')

export const fileIn = select(columns(files, 'itemId'), 'FROM files WHERE dir_id = ? AND name_bytes = ?')
