/** Queries on rows of an item's files. */
import { files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, select } from '../kernel/database/statement.ts'

export const fileAt = select(
  {
    ...columns(files, 'id', 'itemId', 'role', 'content', 'size'),
    mtimeSeconds: files.mtime,
    mtimeNanoseconds: files.mtimeNs,
  },
  'FROM files WHERE dir_id = ? AND name_bytes = ?',
)

export const mainFileOf = select(
  { id: files.id, nameBytes: files.nameBytes },
  "FROM files WHERE item_id = ? AND role = 'main'",
)

/** In a directory, a video with this identifier that is a separate item. */
export const filmWithPair = select(
  { id: files.id, itemId: items.id },
  `FROM files JOIN items ON items.id = files.item_id AND items.type = 'video'
   WHERE files.dir_id = ? AND files.pair = ? AND files.role = 'main' ORDER BY files.id LIMIT 1`,
)

export const putFile = `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns, content, pair)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (dir_id, name_bytes) DO UPDATE SET item_id = excluded.item_id, role = excluded.role, size = excluded.size,
    mtime = excluded.mtime, mtime_ns = excluded.mtime_ns, content = excluded.content, pair = excluded.pair,
    full_hash = CASE WHEN content IS excluded.content THEN full_hash END`

export const fileRowsOfItem = select(
  { id: files.id, dirId: files.dirId, nameBytes: files.nameBytes, role: files.role, pair: files.pair },
  'FROM files WHERE item_id = ?',
)

/** In a directory, pictures without a video, each with the videos of its identifier that are separate items. */
export const pairsIn = select(
  {
    stillFile: number('s.id'),
    still: number('s.item_id'),
    film: items.id,
    filmFile: files.id,
    tags: items.tags,
    added: items.added,
  },
  `FROM files AS s JOIN items AS si ON si.id = s.item_id AND si.type = 'image'
     JOIN files ON files.dir_id = s.dir_id AND files.pair = s.pair AND files.role = 'main'
     JOIN items ON items.id = files.item_id AND items.type = 'video'
   WHERE s.dir_id = ? AND s.role = 'main' AND s.pair IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM files AS m WHERE m.item_id = s.item_id AND m.role = 'motion')
   ORDER BY s.id, files.id`,
)

export const makeMissing = 'UPDATE items SET missing = unixepoch() WHERE id = ?'
export const setMotion = 'UPDATE items SET motion = 1, version = version + 1 WHERE id = ?'

/** An item's motion part with this identifier. */
export const motionWithPair = select({ id: files.id }, "FROM files WHERE item_id = ? AND role = 'motion' AND pair = ?")
