/** Queries of exports and downloads. */
import { albumItems, albumMembers, albums } from '../../../schema/tables/albums.ts'
import { collections, dirs, files } from '../../../schema/tables/collections.ts'
import { items, regions } from '../../../schema/tables/items.ts'
import { users } from '../../../schema/tables/users.ts'
import { objects, people, personNames } from '../../../schema/tables/vocabulary.ts'
import { columns } from '../../kernel/database/columns.ts'
import { number, optional, query, select, stringOrNull } from '../../kernel/database/statement.ts'

export const dirsOfCollection = select(columns(dirs, 'id', 'path'), 'FROM dirs WHERE collection_id = ?')

const named = columns(items, 'id', 'name')
export const itemNames = select(named, 'FROM items WHERE dir_id = ?')
export const keptItemNames = select(named, 'FROM items WHERE dir_id = ? AND deleted IS NULL')

/** Binds the collection twice; 0 means all. */
export const exportedCollections = select(
  columns(collections, 'id', 'name', 'path'),
  'FROM collections WHERE ? = 0 OR id = ? ORDER BY name COLLATE NOCASE, id',
)

export const keystringIsUsed = query({ used: number('1') }, 'SELECT 1 AS used FROM keyed WHERE key = ? LIMIT 1')

export const namesOverTime = select(
  {
    ...columns(personNames, 'personId', 'name'),
    active_from: personNames.activeFrom,
    active_to: personNames.activeTo,
  },
  'FROM person_names ORDER BY person_id, active_from NULLS FIRST, active_to NULLS LAST, name, id',
)

export const objectsWithParents = select(
  { ...columns(objects, 'id', 'name', 'description'), parent: stringOrNull('p.name') },
  'FROM objects LEFT JOIN objects AS p ON p.id = objects.parent_id ORDER BY objects.name_key, objects.id',
)

export const regionsWithObjects = select(
  {
    ...columns(regions, 'type', 'personId'),
    name: optional(objects.name),
    ...columns(regions, 'x', 'y', 'width', 'height', 'source'),
  },
  'FROM regions LEFT JOIN objects ON objects.id = regions.object_id WHERE regions.item_id = ? ORDER BY regions.id',
)

export const favouritesOfItem = select(
  columns(users, 'username'),
  'FROM favourites JOIN users ON users.id = favourites.user_id WHERE favourites.item_id = ? ORDER BY users.username_key',
)

export const albumsOfItem = select(
  { uid: albums.uid, position: albumItems.position },
  `FROM album_items JOIN albums ON albums.id = album_items.album_id
   WHERE album_items.item_id = ? AND albums.deleted_at IS NULL ORDER BY albums.uid`,
)

const coverPlace = { collection: optional(collections.name), dir: optional(dirs.path), file: optional(items.name) }
const joinCover = (cover: string) =>
  `LEFT JOIN items ON items.id = ${cover} LEFT JOIN dirs ON dirs.id = items.dir_id
   LEFT JOIN collections ON collections.id = items.collection_id`

export const exportedPeople = select(
  { ...columns(people, 'id', 'birthdate'), ...coverPlace },
  `FROM people ${joinCover('people.cover')}`,
)

export const exportedAlbums = select(
  {
    ...columns(albums, 'id', 'uid', 'kind', 'name', 'description', 'sort', 'query', 'isPublic', 'isPrivate'),
    created: albums.createdAt,
    parent: stringOrNull('folder.uid'),
    owner: optional(users.username),
    ...coverPlace,
  },
  `FROM albums LEFT JOIN albums AS folder ON folder.id = albums.parent AND folder.deleted_at IS NULL
   LEFT JOIN users ON users.id = albums.owner_id ${joinCover('albums.cover')}
   WHERE albums.deleted_at IS NULL ORDER BY albums.uid`,
)
export const membersOfAlbum = select(
  { username: users.username, role: albumMembers.role },
  'FROM album_members JOIN users ON users.id = album_members.user_id WHERE album_id = ? ORDER BY users.username_key',
)
export const nameOfCollection = select({ name: collections.name }, 'FROM collections WHERE id = ?')
export const nameOfObject = select({ name: objects.name }, 'FROM objects WHERE id = ?')

/** Runs once for each item of a CSV. */
export const subjectsOfItem = select(
  columns(regions, 'personId', 'objectId'),
  'FROM regions WHERE item_id = ? ORDER BY id',
)

const exported = columns(items, 'id', 'taken', 'takenOffset', 'rating', 'rotation', 'tags')
const dated = columns(items, 'takenSource', 'content', 'size', 'type')

/** Binds a JSON list of ids. */
export const exportedItems = select(
  { ...exported, ...dated, ...columns(items, 'deleted', 'missing', 'added') },
  'FROM json_each(?) AS wanted JOIN items ON items.id = wanted.value',
)

const inCsv = { ...exported, ...dated, ...columns(items, 'name', 'width', 'height', 'duration', 'details') }
/** Items of a directory; `condition` is on `items AS i`. */
export function csvItems(states: string, condition: string) {
  const selected = Object.entries(inCsv).map(([key, { name }]) => `i.${name} AS ${key}`)
  return query(
    inCsv,
    `SELECT ${selected.join(', ')} FROM items AS i WHERE i.dir_id = ? AND i.state IN (${states}) AND ${condition}`,
  )
}

export const sidecarItem = select(
  {
    ...columns(items, 'id', 'taken', 'rating', 'rotation', 'deleted', 'tags', 'width', 'height', 'details'),
    taken_offset: items.takenOffset,
    dir: dirs.pathBytes,
    name: files.nameBytes,
  },
  `FROM items JOIN files ON files.item_id = items.id AND files.role = 'main' JOIN dirs ON dirs.id = files.dir_id
   WHERE items.id = ?`,
)

/** Originals and motion parts; binds a JSON list of item ids. */
export const downloadedFiles = select(
  {
    ...columns(files, 'itemId', 'role', 'size', 'mtime'),
    name: files.nameBytes,
    path: dirs.path,
    dir: dirs.pathBytes,
    root: collections.path,
    collectionId: collections.id,
    collection: collections.name,
    ...columns(items, 'type', 'content', 'rotation'),
  },
  `FROM json_each(?) AS wanted CROSS JOIN items ON items.id = wanted.value
   JOIN files ON files.item_id = items.id AND files.role IN ('main', 'motion')
   JOIN dirs ON dirs.id = files.dir_id JOIN collections ON collections.id = items.collection_id
   ORDER BY wanted.key, files.role`,
)
