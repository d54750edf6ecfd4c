/** Queries of backups, restoring and verifying. */
import { collections, dirs, files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { keystrings, objects } from '../../schema/tables/vocabulary.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, query, select, string } from '../kernel/database/statement.ts'

export const databaseSize = select(
  { bytes: number('page_count * page_size') },
  'FROM pragma_page_count(), pragma_page_size()',
)

export const copyFacts = query(
  { database: number(''), items: number(''), collections: number('') },
  `SELECT (SELECT user_version FROM pragma_user_version) AS database, (SELECT count(*) FROM items) AS items,
     (SELECT count(*) FROM collections) AS collections`,
)

export const collectionPlaces = select(
  { name: collections.name, path: collections.path, path_variant: collections.pathVariant },
  'FROM collections',
)

/** Whether other rows refer to this person or object, such as regions and faces. */
export const personIsUsed = query(
  { used: number('1') },
  `SELECT 1 AS used FROM regions WHERE person_id = ?1 UNION ALL SELECT 1 FROM faces WHERE person_id = ?1 LIMIT 1`,
)
export const objectIsUsed = query(
  { used: number('1') },
  `SELECT 1 AS used FROM object_properties WHERE object_id = ?1 UNION ALL SELECT 1 FROM objects WHERE parent_id = ?1
   UNION ALL SELECT 1 FROM regions WHERE object_id = ?1 LIMIT 1`,
)

/** Runs for each item of an export. Items that are not missing come first. */
export const itemsWithContent = select(
  { id: items.id },
  'FROM items WHERE content = ? AND collection_id = ? ORDER BY missing IS NOT NULL, id',
)

/** Binds the collection, the directory's path and the file's name. */
export const itemOfMainFile = select(
  { id: files.itemId },
  `FROM dirs JOIN files ON files.dir_id = dirs.id AND files.role = 'main'
   WHERE dirs.collection_id = ? AND dirs.path_bytes = ? AND files.name_bytes = ?`,
)

/** Binds the item and the album's uid. An album that has a cover keeps it. */
export const setAlbumCover = 'UPDATE albums SET cover = ? WHERE uid = ? AND cover IS NULL AND deleted_at IS NULL'
/** Binds the item and the person. A person who has a cover keeps it. */
export const setPersonCover = 'UPDATE people SET cover = ? WHERE id = ? AND cover IS NULL'

export const namedCollections = select(columns(collections, 'id', 'name'), 'FROM collections ORDER BY id')

export const keystringByKey = select(columns(keystrings, 'id'), 'FROM keystrings WHERE content_key = ?')
export const objectByKey = select(columns(objects, 'id'), 'FROM objects WHERE name_key = ? ORDER BY id LIMIT 1')

/** Binds the object's name, description and id. */
export const setObjectTexts =
  "UPDATE objects SET name = ?1, description = CASE ?2 WHEN '' THEN description ELSE ?2 END WHERE id = ?3"

const ofCollection = "items.missing IS NULL AND files.role <> 'none' AND (? IS NULL OR items.collection_id = ?)"

/** Binds the collection twice; null means all collections. */
export const filesToVerify = select(
  { n: number('count(*)') },
  `FROM files JOIN items ON items.id = files.item_id WHERE ${ofCollection}`,
)
/** The files after a given id, which is bound first. */
export const nextFilesToVerify = select(
  {
    ...columns(files, 'id', 'size', 'content', 'fullHash'),
    mtimeSeconds: files.mtime,
    mtimeNanoseconds: files.mtimeNs,
    itemId: items.id,
    collectionId: items.collectionId,
    root: collections.path,
    path: dirs.path,
    dir: dirs.pathBytes,
    name: files.nameBytes,
  },
  `FROM files JOIN items ON items.id = files.item_id JOIN dirs ON dirs.id = files.dir_id
   JOIN collections ON collections.id = items.collection_id
   WHERE files.id > ? AND ${ofCollection} ORDER BY files.id LIMIT 100`,
)

export const quickCheck = query({ quick_check: string('quick_check') }, 'PRAGMA quick_check(5)')
/** Tables with rows that refer to missing rows. */
export const danglingRows = query({ table: string('table') }, 'SELECT DISTINCT "table" FROM pragma_foreign_key_check')
