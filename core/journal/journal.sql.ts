/** Statements on the journal, and on rows of files that were written. */
import { dirs, files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { select } from '../kernel/database/statement.ts'

export const addEntry = `INSERT INTO journal
  (job_id, unit, operation, item_id, source, destination, temporary, hash, size, state, at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?)`

/** Removes rows with nothing left to do; those of a move to another disk stay until the source is unlinked. */
export const removeDone = "DELETE FROM journal WHERE unit = ? AND NOT (operation = 'move' AND temporary IS NOT NULL)"

export const putWritten = `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns, content)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (dir_id, name_bytes) DO UPDATE SET size = excluded.size, mtime = excluded.mtime,
    mtime_ns = excluded.mtime_ns, content = excluded.content, full_hash = NULL`

/** Keeps the picture's analysis valid for the new content, which shows the same picture. */
export const moveFaceLooks =
  'UPDATE face_looks SET content = ?1 WHERE item_id = ?2 AND content = (SELECT content FROM items WHERE id = ?2)'

export const noteWritten = `UPDATE items SET content = ?1, size = ?2, version = version + 1,
    details = CASE WHEN ?3 IS NULL THEN details ELSE json_set(details, '$.motionOffset', ?3) END WHERE id = ?4`

/** Binds the path of a collection, and the path of a directory within it (bytes). */
export const directoryBelow = select(
  { id: dirs.id },
  'FROM dirs JOIN collections AS c ON c.id = dirs.collection_id WHERE c.path = ? AND dirs.path_bytes = ?',
)

/** Names that the library knows in a directory of a collection. */
export const namesIn = select(
  { nameBytes: files.nameBytes },
  'FROM files JOIN dirs ON dirs.id = files.dir_id WHERE dirs.collection_id = ? AND dirs.path_bytes = ?',
)

export const presentItem = select({ id: items.id }, 'FROM items WHERE collection_id = ? AND missing IS NULL LIMIT 1')

/** Directories of a collection, newest first. */
export const directoriesOf = select({ pathBytes: dirs.pathBytes }, 'FROM dirs WHERE collection_id = ? ORDER BY id DESC')
