/** Everything that people know about a library as JSON lines (`export-format.ts`), in an order that the contents alone make. */
import { keyOf } from '../../../schema/keys.ts'
import { demandGlobalAdmin, type Viewer } from '../../accounts/access.ts'
import { said } from '../../editing/item-parts.ts'
import { parseTags, type StoredPlace, type StoredTag } from '../../items/item-row.ts'
import { localTime } from '../../kernel/clock.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { displayPath } from '../../survey/found-unit.ts'
import { inPathOrder } from './export-collection.ts'
import {
  type CollectionLine,
  formatVersion,
  type ItemLine,
  type KeystringLine,
  type ObjectLine,
  type PersonLine,
  type RegionLine,
} from './export-format.ts'

interface ItemRow {
  id: number
  type: 'image' | 'video'
  size: number
  content: string
  taken: number
  taken_offset: number | null
  taken_source: string
  rating: number | null
  rotation: number
  deleted: number | null
  missing: number | null
  added: number
  tags: string
}

interface RegionRow {
  type: 'person' | 'object'
  person_id: number | null
  name: string | null
  x: number
  y: number
  width: number
  height: number
  source: 'file' | 'user' | 'face'
}

const page = 500

/** Code units, as `<` compares: the same everywhere. */
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** What people say as a tag; absent where nobody says anything. */
function tag<Stored, Data>(
  stored: StoredTag<Stored> | undefined,
  told: (data: Stored) => Data,
): { data: Data | null; user: boolean } | undefined {
  if (stored === undefined || (stored.d === undefined && stored.u !== 1)) return undefined
  return { data: stored.d === undefined ? null : told(stored.d), user: stored.u === 1 }
}

const edited = (stored: StoredTag<true> | undefined) => (stored?.u === 1 ? { user: true } : undefined)
/** In one order. A name that the library found by itself is nobody's word, and found again. */
const placeOf = ({ latitude, longitude, placeName }: StoredPlace) => ({ latitude, longitude, placeName })
const asItIs = <Data>(data: Data) => data

export function createLibraryExport({ db }: { db: LibraryDatabase }) {
  function contents(ids: readonly number[]): string[] {
    return ids.flatMap(
      id => db.get<{ content: string }>('SELECT content FROM keystrings WHERE id = ?', id)?.content ?? [],
    )
  }

  function isUsed(keystring: number): boolean {
    return db.get('SELECT 1 FROM keyed WHERE key = ? LIMIT 1', keyOf('keystring', keystring)) !== null
  }

  function* keystringLines(): Generator<KeystringLine> {
    for (const row of db.all<{ id: number; content: string; is_hidden: number; is_associated_items_hidden: number }>(
      'SELECT id, content, is_hidden, is_associated_items_hidden FROM keystrings ORDER BY content_key',
    )) {
      const isHidden = row.is_hidden === 1
      const isAssociatedItemsHidden = row.is_associated_items_hidden === 1
      if (!isHidden && !isAssociatedItemsHidden && !isUsed(row.id)) continue
      yield { type: 'keystring', content: row.content, isHidden, isAssociatedItemsHidden }
    }
  }

  /** People by what is said of them, and the number that each has by his id. */
  function people(): { lines: PersonLine[]; numbers: Map<number, number> } {
    const rows = db.all<{ id: number; birthdate: string | null }>('SELECT id, birthdate FROM people ORDER BY id')
    const known = rows.map(({ id, birthdate }) => {
      const names = db.all<PersonLine['names'][number]>(
        'SELECT name, active_from, active_to FROM person_names WHERE person_id = ? ORDER BY active_from NULLS FIRST, active_to NULLS LAST, name, id',
        id,
      )
      return { id, birthdate, names, text: JSON.stringify([names.map(({ name }) => name), names, birthdate]) }
    })
    known.sort((a, b) => byText(a.text, b.text) || a.id - b.id)
    return {
      lines: known.map(({ birthdate, names }, n) => ({ type: 'person', person: n + 1, birthdate, names })),
      numbers: new Map(known.map(({ id }, n) => [id, n + 1])),
    }
  }

  function objectLines(): ObjectLine[] {
    const rows = db.all<{ id: number; name: string; description: string; parent: string | null }>(
      `SELECT o.id, o.name, o.description, p.name AS parent FROM objects AS o LEFT JOIN objects AS p ON p.id = o.parent_id
       ORDER BY o.name_key, o.id`,
    )
    return rows.map(({ id, ...object }) => {
      const properties = db.all<{ name: string; value: string; hidden: number }>(
        'SELECT name, value, hidden FROM object_properties WHERE object_id = ? ORDER BY name',
        id,
      )
      return {
        type: 'object',
        ...object,
        properties: properties.map(property => ({ ...property, hidden: property.hidden === 1 })),
      }
    })
  }

  function regionsOf(itemId: number, numbers: ReadonlyMap<number, number>): RegionLine[] {
    const rows = db.all<RegionRow>(
      `SELECT r.type, r.person_id, o.name, r.x, r.y, r.width, r.height, r.source
       FROM regions AS r LEFT JOIN objects AS o ON o.id = r.object_id WHERE r.item_id = ? ORDER BY r.id`,
      itemId,
    )
    const lines = rows.map(
      ({ type, person_id, name, ...box }): RegionLine =>
        type === 'person'
          ? { type, person: person_id === null ? null : (numbers.get(person_id) ?? null), ...box }
          : { type, object: name ?? '', ...box },
    )
    return lines
      .map(line => ({ line, text: JSON.stringify(line) }))
      .sort((a, b) => byText(a.text, b.text))
      .map(({ line }) => line)
  }

  function itemLine(
    row: ItemRow,
    where: Pick<ItemLine, 'collection' | 'path'>,
    numbers: ReadonlyMap<number, number>,
  ): ItemLine {
    const { DateTimeOriginal, Description, Category, Keywords, Author, Locations, Rating, ...boxes } = parseTags(
      row.tags,
    )
    return {
      type: 'item',
      ...where,
      kind: row.type,
      size: row.size,
      content: row.content,
      taken_at: localTime(row.taken),
      utc_offset: row.taken_offset,
      date_source: row.taken_source,
      rating: row.rating,
      rotation: row.rotation,
      deleted: row.deleted,
      missing: row.missing,
      added: row.added,
      tags: {
        DateTimeOriginal: tag(DateTimeOriginal, asItIs),
        Description: tag(Description, asItIs),
        Category: tag(Category, contents),
        Keywords: tag(Keywords, contents),
        Author: tag(Author, contents),
        Locations: tag(Locations, place => placeOf(said(place))),
        Rating: tag(Rating, asItIs),
        People: edited(boxes.People),
        Object: edited(boxes.Object),
      },
      regions: regionsOf(row.id, numbers),
    }
  }

  function* itemsOf(
    { id: collectionId, name: collection }: { id: number; name: string },
    numbers: ReadonlyMap<number, number>,
  ): Generator<ItemLine> {
    function* lines(places: readonly { id: number; name: string; dir: string }[]) {
      const rows = db.all<ItemRow>(
        `SELECT i.id, i.type, i.size, i.content, i.taken, i.taken_offset, i.taken_source, i.rating, i.rotation, i.deleted,
           i.missing, i.added, i.tags FROM json_each(?) AS j JOIN items AS i ON i.id = j.value`,
        JSON.stringify(places.map(({ id }) => id)),
      )
      const byId = new Map(rows.map(row => [row.id, row]))
      for (const { id, name, dir } of places) {
        const row = byId.get(id)
        if (row !== undefined) yield itemLine(row, { collection, path: displayPath(dir, name) }, numbers)
      }
    }
    const dirs = db.all<{ id: number; path: string }>('SELECT id, path FROM dirs WHERE collection_id = ?', collectionId)
    let waiting: { id: number; name: string; dir: string }[] = []
    for (const place of inPathOrder(dirs, dir =>
      db.all<{ id: number; name: string }>('SELECT id, name FROM items WHERE dir_id = ?', dir.id),
    )) {
      waiting.push(place)
      if (waiting.length < page) continue
      yield* lines(waiting)
      waiting = []
    }
    yield* lines(waiting)
  }

  return {
    /** Objects to be written one a line. `collectionId` 0: all collections. Hidden items included. */
    *objects(viewer: Viewer, collectionId: number): Generator<object> {
      demandGlobalAdmin(viewer)
      yield { type: 'keepsake-export', schema: formatVersion }
      yield* keystringLines()
      const { lines, numbers } = people()
      yield* lines
      yield* objectLines()
      const collections = db.all<{ id: number; name: string; path: string }>(
        'SELECT id, name, path FROM collections WHERE ? = 0 OR id = ? ORDER BY name COLLATE NOCASE, id',
        collectionId,
        collectionId,
      )
      for (const { name, path } of collections) yield { type: 'collection', name, path } satisfies CollectionLine
      for (const collection of collections) yield* itemsOf(collection, numbers)
    },
  }
}
