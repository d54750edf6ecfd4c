/** Queries of scans: on what they find, and what they no longer find. */
import { collections, dirs, files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, numberOrNull, select } from '../kernel/database/statement.ts'

/** Items of a collection that are neither recycled nor missing. */
export const liveCount = select({ n: numberOrNull('sum(n)') }, 'FROM item_month WHERE collection_id = ? AND state <= 1')

/** Videos of a collection that failed without ffmpeg. */
const missed = "SELECT item_id FROM problems WHERE collection_id = ? AND code = 'no-ffmpeg' AND item_id IS NOT NULL"
export const missedFilm = select({ id: items.id }, `FROM items WHERE id IN (${missed}) LIMIT 1`)
export const forgetFilmDirectories = `UPDATE dirs SET fingerprint = NULL
  WHERE id IN (SELECT dir_id FROM files WHERE item_id IN (${missed}))`
/** No file has such a date, so it counts as changed. */
export const forgetFilmTimes = `UPDATE files SET mtime_ns = -1 WHERE item_id IN (${missed})`

/** Binds a collection and ids of items as JSON. */
export const addStoppedItems =
  'INSERT INTO safety_stop_items (collection_id, item_id) SELECT ?, value FROM json_each(?)'

/** Problems of unreadable directories below a path; '' for all. */
export const forgetUnreadable = `DELETE FROM problems
  WHERE collection_id = ?1 AND code = 'directory' AND (?2 = '' OR path = ?2 OR path LIKE ?2 || '/%')`

/** The item of a main file, unless it is already missing. */
export const presentItemOf = select(
  { id: items.id },
  'FROM files JOIN items ON items.id = files.item_id WHERE files.id = ? AND items.missing IS NULL',
)

/** An item without a main file, unless it is missing already. */
export const displacedItem = select(
  { id: items.id },
  `FROM items WHERE id = ? AND missing IS NULL
     AND NOT EXISTS (SELECT 1 FROM files WHERE item_id = items.id AND role = 'main')`,
)

/** Null: the directory is read again, whatever its fingerprint. */
export const setFingerprint = 'UPDATE dirs SET fingerprint = ? WHERE id = ?'

/** Keeps the directory of missing items: it is their path. */
export const removeUnusedDirectory =
  'DELETE FROM dirs WHERE id = ? AND NOT EXISTS (SELECT 1 FROM items WHERE dir_id = dirs.id)'

const mainFile = {
  ...columns(items, 'id', 'collectionId', 'name', 'type', 'content'),
  root: collections.path,
  dirBytes: dirs.pathBytes,
  nameBytes: files.nameBytes,
}

/** Items without a medium picture. By `items_rendition`, a page reads only its own items, however many there are. */
const due = "(items.renditions & 4) = 0 AND items.problem IS NULL AND items.content <> '' AND items.state <= 1"
export const mediumDueCount = select({ n: number('count(*)') }, `FROM items INDEXED BY items_rendition WHERE ${due}`)
export const mediumDuePage = select(
  mainFile,
  `FROM items INDEXED BY items_rendition CROSS JOIN files ON files.item_id = items.id AND files.role = 'main'
     JOIN dirs ON dirs.id = files.dir_id JOIN collections ON collections.id = items.collection_id
   WHERE ${due} AND items.id > ? ORDER BY items.id LIMIT 200`,
)

/** Items without a hash of their picture data, newest first. */
export const hashesDuePage = select(
  mainFile,
  `FROM items JOIN collections ON collections.id = items.collection_id
     JOIN files ON files.item_id = items.id AND files.role = 'main' JOIN dirs ON dirs.id = files.dir_id
   WHERE items.id <= ? AND items.content <> '' AND NOT EXISTS (SELECT 1 FROM picture_hashes WHERE item_id = items.id)
   ORDER BY items.id DESC LIMIT 100`,
)
export const putPictureHash =
  'INSERT INTO picture_hashes (item_id, hash) VALUES (?, ?) ON CONFLICT (item_id) DO UPDATE SET hash = excluded.hash'

export const addRenditions = 'UPDATE items SET renditions = renditions | ? WHERE id = ? AND content = ?'

/** Columns of an item's row that a scan uses. */
const known = {
  id: items.id,
  tags: items.tags,
  content: items.content,
  thumbhash: items.thumbhash,
  phash: items.phash,
  width: items.width,
  height: items.height,
  renditions: items.renditions,
  taken: items.taken,
  takenOffset: items.takenOffset,
  takenSource: items.takenSource,
  missing: items.missing,
  dirId: items.dirId,
  name: items.name,
}
export const knownItem = select(known, 'FROM items WHERE id = ?')
export const knownOfContent = select(known, 'FROM items WHERE content = ? AND thumbhash IS NOT NULL LIMIT 1')

/** Whether there is a purged item of this content in the collection. */
export const tombstoneOf = select(
  { id: number('id') },
  'FROM tombstones WHERE collection_id = ? AND content = ? LIMIT 1',
)
