/** Statements on files of items: they find files by path, delete their rows, and mark items as missing or due. */
import { dirs, files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, select } from '../kernel/database/statement.ts'

/** Binds the collection, the path, its length with a slash, and the path with a slash. */
export const directoriesWithin = select(
  columns(dirs, 'id', 'pathBytes'),
  'FROM dirs WHERE collection_id = ?1 AND (path_bytes = ?2 OR substr(path_bytes, 1, ?3) = ?4)',
)

export const mainFilesIn = select(
  { id: items.id },
  `FROM files JOIN items ON items.id = files.item_id
   WHERE files.dir_id = ? AND files.role = 'main' AND items.missing IS NULL`,
)

/** The item of a file, unless that item is missing; the number of its other pictures and videos; the file's role. */
export const itemOfFile = select(
  {
    id: items.id,
    type: items.type,
    others: number("(SELECT count(*) FROM files WHERE item_id = items.id AND role IN ('companion', 'motion'))"),
    role: files.role,
  },
  `FROM files JOIN dirs ON dirs.id = files.dir_id JOIN items ON items.id = files.item_id
   WHERE dirs.collection_id = ? AND dirs.path_bytes = ? AND files.name_bytes = ? AND items.missing IS NULL`,
)

export const fileNamed = select(
  { id: files.id, itemId: files.itemId, role: files.role, collectionId: dirs.collectionId },
  'FROM files JOIN dirs ON dirs.id = files.dir_id WHERE files.dir_id = ? AND files.name_bytes = ?',
)

const disk = columns(files, 'id', 'dirId', 'size', 'mtime', 'mtimeNs')
export const filesOfItem = select(
  { ...disk, dirBytes: dirs.pathBytes, nameBytes: files.nameBytes, role: files.role },
  "FROM files JOIN dirs ON dirs.id = files.dir_id WHERE files.item_id = ? ORDER BY files.role <> 'main', files.id",
)
export const fileOnDisk = select({ ...disk, itemId: files.itemId }, 'FROM files WHERE dir_id = ? AND name_bytes = ?')

export const collectionOfItem = select({ id: items.collectionId }, 'FROM items WHERE id = ?')
export const setMissing = 'UPDATE items SET missing = ?, version = version + 1 WHERE id = ? AND missing IS NULL'
export const forgetFingerprintOfItem =
  'UPDATE dirs SET fingerprint = NULL WHERE id IN (SELECT dir_id FROM files WHERE item_id = ?)'
export const dropFiles = 'DELETE FROM files WHERE item_id = ?'
export const dropProblems = 'DELETE FROM problems WHERE item_id = ?'
export const dropDue = 'DELETE FROM metadata_due WHERE item_id = ?'
export const dropFile = 'DELETE FROM files WHERE id = ?'

/** Binds the item; inserts nothing if its collection does not write back. */
export const insertDue = `INSERT OR IGNORE INTO metadata_due (item_id, collection_id)
  SELECT i.id, c.id FROM items AS i JOIN collections AS c ON c.id = i.collection_id
  WHERE i.id = ? AND c.write_back <> 'off' AND c.readonly = 0`
/** Binds the album; like `insertDue` for all of its items. */
export const insertAlbumDue = `INSERT OR IGNORE INTO metadata_due (item_id, collection_id)
  SELECT i.id, c.id FROM album_items AS a JOIN items AS i ON i.id = a.item_id JOIN collections AS c ON c.id = i.collection_id
  WHERE a.album_id = ? AND c.write_back <> 'off' AND c.readonly = 0`
export const stayDue = 'INSERT OR IGNORE INTO metadata_due (item_id, collection_id) VALUES (?, ?)'
export const tryAtOnce = 'UPDATE problems SET job_id = NULL WHERE item_id = ? AND code = ?'
/** Binds the album and the code. */
export const tryAlbumAtOnce = `UPDATE problems SET job_id = NULL
  WHERE item_id IN (SELECT item_id FROM album_items WHERE album_id = ?) AND code = ?`
/** Keeps the start of the failure, on which the retry intervals depend. */
export const noteProblem = `INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (collection_id, path, code) DO UPDATE
    SET job_id = excluded.job_id, item_id = excluded.item_id, reason = excluded.reason`
export const dropProblem = 'DELETE FROM problems WHERE code = ? AND (item_id = ? OR (collection_id = ? AND path = ?))'
export const dropProblemElsewhere = 'DELETE FROM problems WHERE item_id = ? AND code = ? AND path <> ?'

/** A failed item is retried after as long as it has been failing, within these bounds. Milliseconds. */
const minWait = 5 * 60_000
const longestWait = 6 * 3_600_000

/**
 * Condition: the item of a row `m` of `metadata_due` may be retried. Its problem has the start of the failure, the
 * problem's job the last try. `now`: SQL expression in milliseconds; `code`: of the problem.
 */
export function mayBeTried(now: string, code: string): string {
  return `NOT EXISTS (SELECT 1 FROM problems AS p JOIN jobs AS j ON j.id = p.job_id
    WHERE p.item_id = m.item_id AND p.code = '${code}'
      AND j.finished_at + min(max(j.finished_at - p.at, ${minWait}), ${longestWait}) > ${now})`
}
