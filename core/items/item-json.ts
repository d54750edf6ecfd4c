/** Composes an item of the API from its row, the names it refers to, and what its caller may see. */
import type { Item, ItemDetails, ItemTags } from '../../schema/api/items.ts'
import type { items } from '../../schema/tables/items.ts'
import type { Rights } from '../accounts/access.ts'
import { formatLocalTime } from '../kernel/clock.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { noName } from '../words/word-cache.ts'
import { type ItemDetailsColumn, type StoredTags, tagId } from './item-row.ts'
import type { ListedRow, otherFiles, regionsOfItems } from './items.sql.ts'
import { shownSides, turnedBox } from './region-geometry.ts'

type Region = RowOfQuery<typeof regionsOfItems>

/** What composing items needs besides their rows: names, and what the caller may see. */
export interface ItemView {
  words: Vocabulary
  /** Paths of the rows' directories within their collections, by id. */
  dirs: ReadonlyMap<number, string>
  rightsOn(collectionId: number): Rights
  globalAdmin: boolean
  showsHidden: boolean
  /** Collections whose people and places are hidden from the viewer. */
  privateCollections: readonly number[]
}

/** Changes whenever the picture may look different: if its content, its rotation, or whether it can be shown changes. */
export function reloadsOf({ content, rotation, problem }: Pick<ListedRow, 'content' | 'rotation' | 'problem'>): string {
  return `${content.slice(0, 12)}-${rotation}${problem === null ? '' : 'p'}`
}

function pathOf({ dirId, name, collectionId }: ListedRow, view: ItemView): string {
  const dir = dirId === undefined ? undefined : view.dirs.get(dirId)
  if (dir === undefined || !view.rightsOn(collectionId).update) return name
  const relative = dir === '' ? name : `${dir}/${name}`
  const root = view.globalAdmin ? view.words.collection(collectionId)?.path : undefined
  return root === undefined ? relative : `${root === '/' ? '' : root}/${relative}`
}

function entriesOf(ids: readonly number[], { words, showsHidden }: ItemView): { id: number; content: string }[] {
  const entries: { id: number; content: string }[] = []
  for (const id of ids) {
    const word = words.keystring(id)
    if (word !== null && (showsHidden || !word.hidden)) entries.push({ id, content: word.content })
  }
  return entries
}

function regionsOf(row: ListedRow, stored: StoredTags, regions: readonly Region[], { words }: ItemView): ItemTags {
  const tags: ItemTags = {}
  if (stored.People?.d === true) {
    const data = regions
      .filter(({ type }) => type === 'person')
      .map(region => ({
        id: region.id,
        type: 'person' as const,
        // 0 means an unnamed face.
        person: region.personId ?? 0,
        face: region.faceId,
        name: region.personId === null ? noName : words.personName(region.personId, row.taken),
        ...turnedBox(region, row.rotation, row),
      }))
    tags.People = { id: tagId(row.id, 'People'), version: stored.People.v, data }
  }
  if (stored.Object?.d === true) {
    const data = regions.flatMap(({ id, objectId: object, ...box }) =>
      object === null
        ? []
        : { id, type: 'object' as const, object, name: words.objectName(object), ...turnedBox(box, row.rotation, row) },
    )
    tags.Object = { id: tagId(row.id, 'Object'), version: stored.Object.v, data }
  }
  return tags
}

function tagsOf(row: ListedRow, stored: StoredTags, regions: readonly Region[], view: ItemView): ItemTags {
  const tags: ItemTags = {}
  for (const name of ['DateTimeOriginal', 'Description'] as const) {
    const tag = stored[name]
    if (tag?.d !== undefined) tags[name] = { id: tagId(row.id, name), version: tag.v, data: tag.d }
  }
  for (const name of ['Category', 'Keywords', 'Author'] as const) {
    const tag = stored[name]
    if (tag?.d === undefined) continue
    const data = entriesOf(tag.d, view)
    // A tag that has only hidden keystrings would reveal that there are some, so it is omitted.
    if (data.length > 0) tags[name] = { id: tagId(row.id, name), version: tag.v, data }
  }
  // A rating from the file has no version yet.
  if (row.rating !== null) {
    tags.Rating = { id: tagId(row.id, 'Rating'), version: stored.Rating?.v ?? 0, data: row.rating }
  }
  if (view.privateCollections.includes(row.collectionId)) return tags
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
  return Object.assign(tags, regionsOf(row, stored, regions, view))
}

function propertiesOf({ rotation, deleted, missing }: ListedRow): Item['properties'] {
  const properties: Item['properties'] = []
  if (rotation !== 0) properties.push({ name: 'Rotation', value: rotation })
  if (typeof deleted === 'number') properties.push({ name: 'Deleted', value: deleted })
  if (typeof missing === 'number') properties.push({ name: 'Missing', value: missing })
  return properties
}

export function itemJson(row: ListedRow, stored: StoredTags, regions: readonly Region[], view: ItemView): Item {
  const { width, height } = shownSides(row, row.rotation)
  return {
    id: row.id,
    name: row.name,
    path: pathOf(row, view),
    type: row.type,
    collection_id: row.collectionId,
    width,
    height,
    taken_at: formatLocalTime(row.taken),
    taken: row.taken,
    utc_offset: row.takenOffset,
    date_source: row.takenSource,
    rating: row.rating,
    duration: row.duration,
    live: row.motion === 1,
    thumbhash: row.thumbhash,
    reloads: reloadsOf(row),
    problem: row.problem,
    properties: propertiesOf(row),
    tags: tagsOf(row, stored, regions, view),
  }
}

export function itemDetailsJson(
  row: ListedRow & Pick<typeof items.$inferSelect, 'mime' | 'size' | 'details'>,
  stored: StoredTags,
  regions: readonly Region[],
  files: readonly RowOfQuery<typeof otherFiles>[],
  view: ItemView,
): ItemDetails {
  // Only item-rows writes this column.
  const details: ItemDetailsColumn = JSON.parse(row.details)
  const isPlaceHidden = view.privateCollections.includes(row.collectionId)
  return {
    ...itemJson(row, stored, regions, view),
    mime: row.mime,
    size: row.size,
    added: row.added,
    collection: view.words.collection(row.collectionId)?.name ?? '',
    camera: details.camera ?? {},
    altitude: isPlaceHidden ? null : (details.altitude ?? null),
    frameRate: details.frameRate ?? null,
    videoCodec: details.videoCodec ?? null,
    audioCodec: details.audioCodec ?? null,
    files: files.map(({ name, role, size }) => ({ name: new TextDecoder().decode(name), role, size })),
  }
}
