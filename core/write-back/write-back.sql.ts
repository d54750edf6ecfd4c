/** Queries on items whose metadata is written into files, and on that metadata. */
import { albums } from '../../schema/tables/albums.ts'
import { collections, dirs, files } from '../../schema/tables/collections.ts'
import { items, regions } from '../../schema/tables/items.ts'
import { keystrings, personNames } from '../../schema/tables/vocabulary.ts'
import { writeProblemCode } from '../items/due-items.ts'
import { mayBeTried } from '../items/item-files.sql.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, select } from '../kernel/database/statement.ts'

/** All items that have a file, or only those that are due now. Recycled items too: they may be restored. */
const chosen = `FROM items JOIN files ON files.item_id = items.id AND files.role = 'main' JOIN dirs ON dirs.id = files.dir_id
  WHERE items.collection_id = $collection AND items.missing IS NULL
    AND ($due = 0 OR EXISTS (SELECT 1 FROM metadata_due AS m WHERE m.item_id = items.id AND ${mayBeTried('$now', writeProblemCode)}))`

/** Columns that `wantedTags` uses. */
const tagged = {
  id: items.id,
  taken: items.taken,
  taken_offset: items.takenOffset,
  ...columns(items, 'rating', 'rotation', 'deleted', 'tags'),
}
export const taggedItem = select(tagged, 'FROM items WHERE id = ?')

export const itemsToWriteCount = select({ n: number('count(*)') }, chosen)

/** One directory after another, starting after a given item. */
export const itemsToWritePage = select(
  {
    ...tagged,
    ...columns(items, 'name', 'type', 'content'),
    dirId: dirs.id,
    dirPath: dirs.path,
    dirBytes: dirs.pathBytes,
    nameBytes: files.nameBytes,
  },
  `${chosen} AND (dirs.id > $dir OR (dirs.id = $dir AND items.id > $id)) ORDER BY dirs.id, items.id LIMIT 500`,
)

/** Collections that write back and have due items that may be tried. */
export const dueCollections = select(
  { id: collections.id },
  `FROM collections
   WHERE write_back <> 'off' AND readonly = 0
     AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'metadata-write' AND collection_id = collections.id
       AND (state IN ('queued', 'running') OR (state IN ('failed', 'cancelled') AND finished_at > $before)))
     AND EXISTS (SELECT 1 FROM metadata_due AS m JOIN items ON items.id = m.item_id
       WHERE items.collection_id = collections.id AND items.missing IS NULL AND ${mayBeTried('$now', writeProblemCode)}
         AND EXISTS (SELECT 1 FROM files WHERE item_id = items.id AND role = 'main'))
   ORDER BY collections.id`,
)

/** Keystrings of these ids (JSON), in order. */
export const wordsOf = select(
  { content: keystrings.content },
  'FROM json_each(?) AS j JOIN keystrings ON keystrings.id = j.value ORDER BY j.key',
)

/** The albums of an item that files may name. */
export const albumsToWrite = select(
  columns(albums, 'uid', 'name'),
  `FROM album_items JOIN albums ON albums.id = album_items.album_id
   WHERE album_items.item_id = ? AND albums.deleted_at IS NULL AND albums.is_private = 0`,
)

export const boxesToWrite = select(
  {
    kind: regions.type,
    ...columns(regions, 'personId', 'objectId', 'x', 'y', 'width', 'height'),
  },
  'FROM regions WHERE item_id = ? ORDER BY id',
)

const isActive = '((active_from IS NULL OR active_from <= ?2) AND (active_to IS NULL OR active_to > ?2))'
/** A person's name at a time; if they had none then, the first one known. A scan finds the person by any name. */
export const personNameAt = select(
  { name: personNames.name },
  `FROM person_names WHERE person_id = ?1 ORDER BY ${isActive} DESC,
     CASE WHEN ${isActive} THEN active_from END DESC NULLS LAST, active_from, id LIMIT 1`,
)
