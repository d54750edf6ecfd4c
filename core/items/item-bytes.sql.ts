/** Where the files of an item are: for sending them, converting videos, and recognizing the same content. */
import { collections, dirs, files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { bytesOrNull, number, numberOrNull, select } from '../kernel/database/statement.ts'

/** A subquery, not a join: an item that has no main or motion file must still return a row. */
const fileOf = (role: 'main' | 'motion', column: string) =>
  `(SELECT ${column} FROM files AS f JOIN dirs AS d ON d.id = f.dir_id WHERE f.item_id = items.id AND f.role = '${role}' LIMIT 1)`

export const filesToSend = select(
  {
    collectionPath: collections.path,
    variantPath: collections.pathVariant,
    readonly: collections.readonly,
    details: items.details,
    dirBytes: bytesOrNull(fileOf('main', 'd.path_bytes')),
    nameBytes: bytesOrNull(fileOf('main', 'f.name_bytes')),
    size: numberOrNull(fileOf('main', 'f.size')),
    mtime: numberOrNull(fileOf('main', 'f.mtime')),
    mtimeNs: numberOrNull(fileOf('main', 'f.mtime_ns')),
    motionDir: bytesOrNull(fileOf('motion', 'd.path_bytes')),
    motionName: bytesOrNull(fileOf('motion', 'f.name_bytes')),
  },
  'FROM items JOIN collections ON collections.id = items.collection_id WHERE items.id = ?',
)

const mainFile = `FROM items JOIN collections ON collections.id = items.collection_id
  JOIN files ON files.item_id = items.id AND files.role = 'main' JOIN dirs ON dirs.id = files.dir_id`
const place = { root: collections.path, dirBytes: dirs.pathBytes, nameBytes: files.nameBytes }

export const filmToConvert = select(
  { ...place, content: items.content, variantPath: collections.pathVariant, readonly: collections.readonly },
  `${mainFile} WHERE items.id = ?`,
)

/** Items of a collection whose content may match; including recycled ones. */
export const sameKey = select(
  { ...place, item: items.id, file: files.id, fullHash: files.fullHash },
  `${mainFile} WHERE items.content = ? AND items.size = ? AND items.collection_id = ? AND items.missing IS NULL
    ORDER BY items.id LIMIT 100`,
)

const isVisitorConversion = "kind = 'transcode' AND json_extract(input, '$.forVisitor') = 1"
export const unfinishedVisitorConversions = select(
  { n: numberOrNull('count(*)') },
  `FROM jobs WHERE state IN ('queued', 'running') AND ${isVisitorConversion}`,
)
export const takeOver = `UPDATE jobs SET input = json_remove(input, '$.forVisitor'), user_id = ?
  WHERE id = ? AND ${isVisitorConversion}`

/** On `items AS i`: whether the item's collection has a public group. */
export const isPublicItem = number(`EXISTS (SELECT 1 FROM collection_access AS ca JOIN access_groups AS g
  ON g.id = ca.group_id WHERE ca.collection_id = i.collection_id AND g.public = 1)`)
