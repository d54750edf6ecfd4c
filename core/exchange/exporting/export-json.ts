/** All user metadata of a library as JSON lines (`export-format.ts`), in an order that only depends on the content. */
import { asc, eq } from 'drizzle-orm'
import { keyOf } from '../../../schema/keys.ts'
import { keystrings, objectProperties } from '../../../schema/tables/vocabulary.ts'
import { requireGlobalAdmin, type Viewer } from '../../accounts/access.ts'
import { withoutLookedUpName } from '../../editing/item-parts.ts'
import { parseTags, type StoredPlace, type StoredTag } from '../../items/item-row.ts'
import { chunksOf } from '../../kernel/chunks.ts'
import { formatLocalTime } from '../../kernel/clock.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { contentOfKeystring } from '../../moving/moving.sql.ts'
import { displayPath } from '../../survey/found-unit.ts'
import { albumLines, coverOf } from './export-albums.ts'
import { byText, inPathOrder } from './export-collection.ts'
import {
  type CollectionLine,
  formatVersion,
  type ItemLine,
  type KeystringLine,
  type ObjectLine,
  type PersonLine,
  type RegionLine,
  versionWithoutAlbums,
} from './export-format.ts'
import {
  albumsOfItem,
  dirsOfCollection,
  exportedCollections,
  exportedItems,
  exportedPeople,
  favouritesOfItem,
  itemNames,
  keystringIsUsed,
  namesOverTime,
  objectsWithParents,
  regionsWithObjects,
} from './exporting.sql.ts'

type ItemRow = RowOfQuery<typeof exportedItems>

const pageSize = 500

/** A stored tag as it is exported; undefined if there is nothing to export. */
function tag<Stored, Data>(
  stored: StoredTag<Stored> | undefined,
  shown: (data: Stored) => Data,
): { data: Data | null; user: boolean } | undefined {
  if (stored === undefined || (stored.d === undefined && stored.u !== 1)) return undefined
  return { data: stored.d === undefined ? null : shown(stored.d), user: stored.u === 1 }
}

const edited = (stored: StoredTag<true> | undefined) => (stored?.u === 1 ? { user: true } : undefined)
/** A place with its properties in a stable order. */
const placeOf = ({ latitude, longitude, placeName }: StoredPlace) => ({ latitude, longitude, placeName })
const unchanged = <Data>(data: Data) => data

interface ExportContext {
  db: LibraryDatabase
  /** Person id → number in the export. */
  numbers: ReadonlyMap<number, number>
}

function* keystringLines(db: LibraryDatabase): Generator<KeystringLine> {
  const rows = db.orm.select().from(keystrings).orderBy(asc(keystrings.contentKey)).all()
  for (const { id, content, isHidden, isAssociatedItemsHidden } of rows) {
    if (!isHidden && !isAssociatedItemsHidden && db.get(keystringIsUsed, keyOf('keystring', id)) === null) continue
    yield { type: 'keystring', content, isHidden, isAssociatedItemsHidden }
  }
}

function peopleOf(db: LibraryDatabase): { lines: PersonLine[]; numbers: Map<number, number> } {
  const namesOf = Map.groupBy(db.all(namesOverTime), ({ personId }) => personId)
  const everybody = db.all(exportedPeople).map(({ id, birthdate, ...cover }) => {
    const names = (namesOf.get(id) ?? []).map(({ personId: _, ...name }) => name)
    const text = JSON.stringify([names.map(({ name }) => name), names, birthdate])
    return { id, birthdate, names, cover: coverOf(cover), text }
  })
  everybody.sort((a, b) => byText(a.text, b.text) || a.id - b.id)
  return {
    lines: everybody.map(({ id: _, text: _text, ...line }, n) => ({ type: 'person', person: n + 1, ...line })),
    numbers: new Map(everybody.map(({ id }, n) => [id, n + 1])),
  }
}

function objectLines(db: LibraryDatabase): ObjectLine[] {
  const { name, value, hidden } = objectProperties
  return db.all(objectsWithParents).map(({ id, ...object }) => {
    const ofObject = eq(objectProperties.objectId, id)
    const properties = db.orm.select({ name, value, hidden }).from(objectProperties).where(ofObject).orderBy(asc(name))
    return { type: 'object', ...object, properties: properties.all() }
  })
}

function regionsOf({ db, numbers }: ExportContext, itemId: number): RegionLine[] {
  const lines = db
    .all(regionsWithObjects, itemId)
    .map(
      ({ type, personId, name, ...box }): RegionLine =>
        type === 'person'
          ? { type, person: personId === null ? null : (numbers.get(personId) ?? null), ...box }
          : { type, object: name ?? '', ...box },
    )
  return lines
    .map(line => ({ line, text: JSON.stringify(line) }))
    .sort((a, b) => byText(a.text, b.text))
    .map(({ line }) => line)
}

function itemLine(context: ExportContext, row: ItemRow, where: Pick<ItemLine, 'collection' | 'path'>): ItemLine {
  const { DateTimeOriginal, Description, Category, Keywords, Author, Locations, Rating, ...boxes } = parseTags(row.tags)
  const contents = (ids: readonly number[]) => ids.flatMap(id => context.db.get(contentOfKeystring, id)?.content ?? [])
  const albums = context.db.all(albumsOfItem, row.id)
  const favourites = context.db.all(favouritesOfItem, row.id).map(({ username }) => username)
  return {
    type: 'item',
    ...where,
    kind: row.type,
    size: row.size,
    content: row.content,
    taken_at: formatLocalTime(row.taken),
    utc_offset: row.takenOffset,
    date_source: row.takenSource,
    rating: row.rating,
    rotation: row.rotation,
    deleted: row.deleted,
    missing: row.missing,
    added: row.added,
    tags: {
      DateTimeOriginal: tag(DateTimeOriginal, unchanged),
      Description: tag(Description, unchanged),
      Category: tag(Category, contents),
      Keywords: tag(Keywords, contents),
      Author: tag(Author, contents),
      Locations: tag(Locations, place => placeOf(withoutLookedUpName(place))),
      Rating: tag(Rating, unchanged),
      People: edited(boxes.People),
      Object: edited(boxes.Object),
    },
    regions: regionsOf(context, row.id),
    ...(favourites.length === 0 ? {} : { favourites }),
    ...(albums.length === 0 ? {} : { albums }),
  }
}

function* itemsOf(context: ExportContext, { id, name: collection }: { id: number; name: string }): Generator<ItemLine> {
  const { db } = context
  const all = inPathOrder(db.all(dirsOfCollection, id), dir => db.all(itemNames, dir.id))
  for (const places of chunksOf(all, pageSize)) {
    const rows = db.all(exportedItems, JSON.stringify(places.map(place => place.id)))
    const byId = new Map(rows.map(row => [row.id, row]))
    for (const place of places) {
      const row = byId.get(place.id)
      if (row !== undefined) yield itemLine(context, row, { collection, path: displayPath(place.dir, place.name) })
    }
  }
}

export function createLibraryExport({ db }: { db: LibraryDatabase }) {
  return {
    /** Yields a value for each line of the file. `collectionId` 0: all collections. Hidden items are included. */
    *lines(viewer: Viewer, collectionId: number): Generator<object> {
      requireGlobalAdmin(viewer)
      const { lines, numbers } = peopleOf(db)
      const albums = albumLines(db, numbers)
      yield { type: 'keepsake-export', schema: albums.length === 0 ? versionWithoutAlbums : formatVersion }
      yield* keystringLines(db)
      yield* lines
      yield* objectLines(db)
      yield* albums
      const collections = db.all(exportedCollections, collectionId, collectionId)
      for (const { name, path } of collections) yield { type: 'collection', name, path } satisfies CollectionLine
      for (const collection of collections) yield* itemsOf({ db, numbers }, collection)
    },
  }
}
