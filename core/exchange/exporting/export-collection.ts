/** A collection as CSV: one line an item, in the order of paths, written while it is read. */
import { seesHidden, type Viewer } from '../../accounts/access.ts'
import type { Collections } from '../../collections/collections.ts'
import { conditionOf } from '../../filter/condition.ts'
import { everything } from '../../filter/filter.ts'
import { askedOf } from '../../filter/frame.ts'
import { visibleItems } from '../../filter/visible-items.ts'
import { parseTags, type StoredPlace } from '../../items/item-row.ts'
import { localTime } from '../../kernel/clock.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { raw, sql } from '../../kernel/database/sql-fragment.ts'
import { createVocabulary } from '../../words/vocabulary.ts'

/** The columns, in their order (decisions §9). */
export const csvColumns = [
  'id',
  'path',
  'name',
  'type',
  'size',
  'width',
  'height',
  'duration',
  'date_taken',
  'date_source',
  'utc_offset',
  'latitude',
  'longitude',
  'place',
  'category',
  'keywords',
  'people',
  'objects',
  'description',
  'author',
  'rating',
  'camera',
  'rotation',
  'hash',
] as const

interface Row {
  id: number
  name: string
  type: string
  size: number
  width: number
  height: number
  duration: number | null
  taken: number
  taken_source: string
  taken_offset: number | null
  rating: number | null
  rotation: number
  content: string
  tags: string
  details: string
  dir: string
}

/** Text as a cell: quoted where it must be, and never a formula (OWASP: a cell that begins so is run by spreadsheets). */
export function textCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A name that the library has found by itself says so. */
function placeOf(place: StoredPlace | undefined): string {
  if (place === undefined || place.placeName === '') return ''
  return place.auto === 1 ? `${place.placeName} (guessed)` : place.placeName
}

function numberCell(value: number | null): string {
  return value === null ? '' : String(value)
}

/** Items of a transaction-free read at a time. */
const page = 500

interface Dir {
  id: number
  path: string
}

/** Code units, as `<` compares: the same everywhere. */
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Rows in the order of their whole paths, read one directory at a time: a directory stands among the files beside it as its
 * name with '/' does. `dir` of each row is filled in.
 */
export function* inPathOrder<T extends { id: number; name: string }>(
  dirs: readonly Dir[],
  rowsOf: (dir: Dir) => readonly T[],
): Generator<T & { dir: string }> {
  const inside = new Map<string, Dir[]>()
  const known = new Set(dirs.map(({ path }) => path))
  for (const dir of dirs) {
    if (dir.path === '') continue
    // The nearest directory above that has a row.
    let above = dir.path
    do above = above.slice(0, Math.max(0, above.lastIndexOf('/')))
    while (above !== '' && !known.has(above))
    const list = inside.get(above)
    if (list === undefined) inside.set(above, [dir])
    else list.push(dir)
  }
  function* below(dir: Dir): Generator<T & { dir: string }> {
    const rest = dir.path === '' ? 0 : dir.path.length + 1
    const entries = [
      ...rowsOf(dir).map(row => ({ text: row.name, id: row.id, row, sub: null })),
      ...(inside.get(dir.path) ?? []).map(sub => ({ text: `${sub.path.slice(rest)}/`, id: sub.id, row: null, sub })),
    ].sort((a, b) => byText(a.text, b.text) || a.id - b.id)
    for (const { row, sub } of entries) {
      if (row !== null) yield { ...row, dir: dir.path }
      if (sub !== null) yield* below(sub)
    }
  }
  const root = dirs.find(({ path }) => path === '')
  yield* below(root ?? { id: 0, path: '' })
}

export function createCollectionExport({ db, collections }: { db: LibraryDatabase; collections: Collections }) {
  const words = createVocabulary(db)

  function* linesOf(viewer: Viewer, collectionId: number, showsHidden: boolean): Generator<string> {
    const { frame, rest } = askedOf(visibleItems(db, viewer, { includeHidden: showsHidden }), everything)
    const at = { taken: raw('i.taken'), id: raw('i.id'), collection: raw('i.collection_id'), items: () => raw('i') }
    const condition = conditionOf(rest, at, { fewRows: true })
    const dirs = db.all<Dir>('SELECT id, path FROM dirs WHERE collection_id = ?', collectionId)
    let rows: Row[] = []
    for (const row of inPathOrder(dirs, dir => {
      const { text, values } =
        sql`SELECT i.id, i.name, i.type, i.size, i.width, i.height, i.duration, i.taken, i.taken_source,
          i.taken_offset, i.rating, i.rotation, i.content, i.tags, i.details, i.state
        FROM items AS i WHERE i.dir_id = ${dir.id} AND i.state IN (${raw(frame.states.join(', '))}) AND ${condition}`
      return db.all<Row>(text, ...values)
    })) {
      rows.push(row)
      if (rows.length < page) continue
      words.refresh()
      yield rows.map(one => lineOf(one, showsHidden)).join('')
      rows = []
    }
    words.refresh()
    yield rows.map(one => lineOf(one, showsHidden)).join('')
  }

  function subjectsOf(row: Row): { people: string; objects: string } {
    const regions = db.all<{ person_id: number | null; object_id: number | null }>(
      'SELECT person_id, object_id FROM regions WHERE item_id = ? ORDER BY id',
      row.id,
    )
    const people = regions.flatMap(({ person_id: id }) => (id === null ? [] : words.personName(id, row.taken)))
    const objects = regions.flatMap(({ object_id: id }) => (id === null ? [] : words.objectName(id)))
    return { people: [...new Set(people)].join('; '), objects: [...new Set(objects)].join('; ') }
  }

  function lineOf(row: Row, showsHidden: boolean): string {
    const tags = parseTags(row.tags)
    const contents = (ids: readonly number[] | undefined) =>
      (ids ?? [])
        .flatMap(id => {
          const word = words.keystring(id)
          return word === null || (word.hidden && !showsHidden) ? [] : word.content
        })
        .join('; ')
    const place = tags.Locations?.d
    const { people, objects } = subjectsOf(row)
    // The column is written by item-rows alone.
    const details: { camera?: { make?: string; model?: string } } = JSON.parse(row.details)
    const cells = [
      numberCell(row.id),
      textCell(row.dir === '' ? row.name : `${row.dir}/${row.name}`),
      textCell(row.name),
      row.type,
      numberCell(row.size),
      numberCell(row.width),
      numberCell(row.height),
      numberCell(row.duration),
      localTime(row.taken),
      row.taken_source,
      numberCell(row.taken_offset),
      numberCell(place?.latitude ?? null),
      numberCell(place?.longitude ?? null),
      textCell(placeOf(place)),
      textCell(contents(tags.Category?.d)),
      textCell(contents(tags.Keywords?.d)),
      textCell(people),
      textCell(objects),
      textCell(tags.Description?.d ?? ''),
      textCell(contents(tags.Author?.d)),
      numberCell(row.rating),
      textCell([details.camera?.make, details.camera?.model].filter(part => part !== undefined).join(' ')),
      numberCell(row.rotation),
      row.content,
    ]
    return `${cells.join(',')}\r\n`
  }

  return {
    /** Rights are checked at once, lines come as they are read. Hidden items only with the value of an unlocked session. */
    csv(viewer: Viewer, id: number, query: { includeHidden?: string | undefined }) {
      const { name } = collections.demand(viewer, id, 'admin')
      const showsHidden = seesHidden(viewer, query.includeHidden)
      function* lines(): Generator<string> {
        // Spreadsheets take UTF-8 for something else without its mark.
        yield `\uFEFF${csvColumns.join(',')}\r\n`
        yield* linesOf(viewer, id, showsHidden)
      }
      return { name: `${name}.csv`, lines: lines() }
    },
  }
}
