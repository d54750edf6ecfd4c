/** An item as the contract tells it: composed of its row, what things are called, and what its caller may know. */
import type { Item, ItemDetails, ItemTags } from '../../schema/api/items.ts'
import type { Rights } from '../accounts/access.ts'
import { localTime } from '../kernel/clock.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { noName } from '../words/word-cache.ts'
import { type ItemDetailsColumn, type StoredTags, tagId } from './item-row.ts'
import { shownSides, turnedBox } from './region-geometry.ts'

/** What lists read of a row. Every column costs a hundred times a page: what is not told is not read. */
export interface ItemColumns {
  id: number
  name: string
  type: 'image' | 'video'
  collection_id: number
  width: number
  height: number
  rotation: number
  taken: number
  taken_offset: number | null
  taken_source: string
  rating: number | null
  duration: number | null
  motion: number
  thumbhash: string | null
  content: string
  problem: string | null
  /** Absent for those who may not know the path. */
  dir_id?: number
  /** Absent where only what is there is listed. */
  deleted?: number | null
  missing?: number | null
  tags: string
}

/** The columns of `ItemColumns`, from `items AS i`. */
export function itemColumns({ path, gone }: { path: boolean; gone: boolean }): string {
  return `i.id, i.name, i.type, i.collection_id, i.width, i.height, i.rotation, i.taken, i.taken_offset, i.taken_source,
    i.rating, i.duration, i.motion, i.thumbhash, i.content, i.problem, i.tags
    ${path ? ', i.dir_id' : ''}
    ${gone ? ', i.deleted, i.missing' : ''}`
}

export interface RegionColumns {
  id: number
  item_id: number
  type: 'person' | 'object'
  person_id: number | null
  object_id: number | null
  /** The face that was recognised in it. */
  face_id: number | null
  x: number
  y: number
  width: number
  height: number
}

/** What composing items needs to know of the caller. */
export interface Teller {
  words: Vocabulary
  /** Paths of the rows' directories within their collections, by id. */
  dirs: ReadonlyMap<number, string>
  rightsOn(collectionId: number): Rights
  globalAdmin: boolean
  /** He sees hidden keystrings. */
  showsHidden: boolean
  /** Collections whose people and places are kept from him. */
  privateCollections: readonly number[]
}

/** Changes whenever the picture looks different, and only then: the content, its turn, and whether it could be shown. */
export function reloadsOf({
  content,
  rotation,
  problem,
}: Pick<ItemColumns, 'content' | 'rotation' | 'problem'>): string {
  return `${content.slice(0, 12)}-${rotation}${problem === null ? '' : 'p'}`
}

function pathOf(row: ItemColumns, teller: Teller): string {
  const dir = row.dir_id === undefined ? undefined : teller.dirs.get(row.dir_id)
  if (dir === undefined || !teller.rightsOn(row.collection_id).update) return row.name
  const relative = dir === '' ? row.name : `${dir}/${row.name}`
  const root = teller.globalAdmin ? teller.words.collection(row.collection_id)?.path : undefined
  return root === undefined ? relative : `${root === '/' ? '' : root}/${relative}`
}

function entriesOf(ids: readonly number[], { words, showsHidden }: Teller): { id: number; content: string }[] {
  const entries: { id: number; content: string }[] = []
  for (const id of ids) {
    const word = words.keystring(id)
    if (word !== null && (showsHidden || !word.hidden)) entries.push({ id, content: word.content })
  }
  return entries
}

function regionsOf(
  row: ItemColumns,
  stored: StoredTags,
  regions: readonly RegionColumns[],
  { words }: Teller,
): ItemTags {
  const tags: ItemTags = {}
  if (stored.People?.d === true) {
    tags.People = {
      id: tagId(row.id, 'People'),
      version: stored.People.v,
      data: regions.flatMap(region =>
        region.type !== 'person'
          ? []
          : {
              id: region.id,
              type: 'person' as const,
              // 0 is a face that nobody has named.
              person: region.person_id ?? 0,
              face: region.face_id,
              name: region.person_id === null ? noName : words.personName(region.person_id, row.taken),
              ...turnedBox(region, row.rotation, row),
            },
      ),
    }
  }
  if (stored.Object?.d === true) {
    tags.Object = {
      id: tagId(row.id, 'Object'),
      version: stored.Object.v,
      data: regions.flatMap(region =>
        region.object_id === null
          ? []
          : {
              id: region.id,
              type: 'object' as const,
              object: region.object_id,
              name: words.objectName(region.object_id),
              ...turnedBox(region, row.rotation, row),
            },
      ),
    }
  }
  return tags
}

function tagsOf(row: ItemColumns, stored: StoredTags, regions: readonly RegionColumns[], teller: Teller): ItemTags {
  const tags: ItemTags = {}
  for (const name of ['DateTimeOriginal', 'Description'] as const) {
    const tag = stored[name]
    if (tag?.d !== undefined) tags[name] = { id: tagId(row.id, name), version: tag.v, data: tag.d }
  }
  for (const name of ['Category', 'Keywords', 'Author'] as const) {
    const tag = stored[name]
    if (tag?.d === undefined) continue
    const data = entriesOf(tag.d, teller)
    // A tag of nothing but hidden keystrings would tell that there are some.
    if (data.length > 0) tags[name] = { id: tagId(row.id, name), version: tag.v, data }
  }
  // A rating that the file gave has no version of its own yet.
  if (row.rating !== null) {
    tags.Rating = { id: tagId(row.id, 'Rating'), version: stored.Rating?.v ?? 0, data: row.rating }
  }
  if (teller.privateCollections.includes(row.collection_id)) return tags
  const place = stored.Locations
  if (place?.d !== undefined) {
    const { latitude, longitude, placeName, auto } = place.d
    const guessed = auto === 1 && placeName !== '' ? { guessed: true as const } : {}
    tags.Locations = {
      id: tagId(row.id, 'Locations'),
      version: place.v,
      data: { latitude, longitude, placeName, ...guessed },
    }
  }
  if (stored.People === undefined && stored.Object === undefined) return tags
  return Object.assign(tags, regionsOf(row, stored, regions, teller))
}

function propertiesOf({ rotation, deleted, missing }: ItemColumns): Item['properties'] {
  const properties: Item['properties'] = []
  if (rotation !== 0) properties.push({ name: 'Rotation', value: rotation })
  if (typeof deleted === 'number') properties.push({ name: 'Deleted', value: deleted })
  if (typeof missing === 'number') properties.push({ name: 'Missing', value: missing })
  return properties
}

export function itemJson(
  row: ItemColumns,
  stored: StoredTags,
  regions: readonly RegionColumns[],
  teller: Teller,
): Item {
  const { width, height } = shownSides(row, row.rotation)
  return {
    id: row.id,
    name: row.name,
    path: pathOf(row, teller),
    type: row.type,
    collection_id: row.collection_id,
    width,
    height,
    taken_at: localTime(row.taken),
    taken: row.taken,
    utc_offset: row.taken_offset,
    date_source: row.taken_source,
    rating: row.rating,
    duration: row.duration,
    live: row.motion === 1,
    thumbhash: row.thumbhash,
    reloads: reloadsOf(row),
    problem: row.problem,
    properties: propertiesOf(row),
    tags: tagsOf(row, stored, regions, teller),
  }
}

/** What only one item's own page reads. */
export interface DetailColumns extends ItemColumns {
  mime: string
  size: number
  added: number
  details: string
}

/** Other files of an item: `name_bytes` as the file system has them. */
export interface OtherFile {
  name_bytes: Uint8Array
  role: string
  size: number
}

export function itemDetailsJson(
  row: DetailColumns,
  stored: StoredTags,
  regions: readonly RegionColumns[],
  files: readonly OtherFile[],
  teller: Teller,
): ItemDetails {
  // The column is written by item-rows alone.
  const details: ItemDetailsColumn = JSON.parse(row.details)
  const keptPlace = teller.privateCollections.includes(row.collection_id)
  return {
    ...itemJson(row, stored, regions, teller),
    mime: row.mime,
    size: row.size,
    added: row.added,
    collection: teller.words.collection(row.collection_id)?.name ?? '',
    camera: details.camera ?? {},
    altitude: keptPlace ? null : (details.altitude ?? null),
    frameRate: details.frameRate ?? null,
    videoCodec: details.videoCodec ?? null,
    audioCodec: details.audioCodec ?? null,
    files: files.map(({ name_bytes, role, size }) => ({ name: new TextDecoder().decode(name_bytes), role, size })),
  }
}
