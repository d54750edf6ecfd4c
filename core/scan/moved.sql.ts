/** Items that a file may have belonged to at another place, with the paths of their files. */
import { collections, dirs, files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { columns } from '../kernel/database/columns.ts'
import { optional, select } from '../kernel/database/statement.ts'

const candidate = {
  ...columns(items, 'id', 'name', 'dirId', 'collectionId'),
  root: collections.path,
  rootDevice: collections.rootDevice,
  dirBytes: optional(dirs.pathBytes),
  nameBytes: optional(files.nameBytes),
  mtime: optional(files.mtime),
  mtimeNs: optional(files.mtimeNs),
}
const withPlace = `FROM items JOIN collections ON collections.id = items.collection_id
  LEFT JOIN files ON files.item_id = items.id AND files.role = 'main'
  LEFT JOIN dirs ON dirs.id = coalesce(files.dir_id, items.dir_id)`

/** Binds content and size. */
export const itemsOfContent = select(
  candidate,
  `${withPlace} WHERE items.content = ? AND items.size = ? ORDER BY items.id LIMIT 1000`,
)

/** Binds a hash of picture data and a type. */
export const itemsOfPicture = select(
  candidate,
  `${withPlace} JOIN picture_hashes AS p ON p.item_id = items.id
   WHERE p.hash = ? AND p.hash <> 0 AND items.type = ? ORDER BY items.id LIMIT 1000`,
)

/** Some files of a collection: if one exists, the collection is on the same disk although the device number changed. */
export const someOtherFiles = select(
  { dir: dirs.pathBytes, name: files.nameBytes },
  `FROM dirs JOIN files ON files.dir_id = dirs.id
   WHERE dirs.collection_id = ? AND files.role = 'main' AND files.item_id <> ? LIMIT 20`,
)
