/** A collection as CSV: one line an item, in the order of paths, written while it is read. */
import { seesHidden, type Viewer } from '../access.ts'
import type { Collections } from '../collections.ts'
import type { LibraryDatabase } from '../database.ts'
import { conditionOf } from '../item-filter/condition.ts'
import { everything } from '../item-filter/filter.ts'
import { askedOf } from '../item-filter/frame.ts'
import { localTime } from '../item-json.ts'
import { parseTags } from '../item-rows.ts'
import { raw, sql } from '../sql-fragment.ts'
import { visibleItems } from '../visible-items.ts'
import { createVocabulary } from '../vocabulary/vocabulary.ts'

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

function numberCell(value: number | null): string {
  return value === null ? '' : String(value)
}

/** Items of a transaction-free read at a time. */
const page = 500

export function createCollectionExport({ db, collections }: { db: LibraryDatabase; collections: Collections }) {
  const words = createVocabulary(db)

  function* linesOf(viewer: Viewer, collectionId: number, showsHidden: boolean): Generator<string> {
    const { frame, rest } = askedOf(visibleItems(db, viewer, { includeHidden: showsHidden }), everything)
    const at = { taken: raw('i.taken'), id: raw('i.id'), collection: raw('i.collection_id'), items: () => raw('i') }
    const condition = conditionOf(rest, at, { fewRows: true })
    const dirs = db.all<{ id: number; path: string }>(
      'SELECT id, path FROM dirs WHERE collection_id = ? ORDER BY path, id',
      collectionId,
    )
    for (const dir of dirs) {
      const { text, values } =
        sql`SELECT i.id, i.name, i.type, i.size, i.width, i.height, i.duration, i.taken, i.taken_source,
          i.taken_offset, i.rating, i.rotation, i.content, i.tags, i.details, i.state
        FROM items AS i WHERE i.dir_id = ${dir.id} AND i.state IN (${raw(frame.states.join(', '))}) AND ${condition}
        ORDER BY i.name, i.id`
      const rows = db.all<Row>(text, ...values)
      for (let n = 0; n < rows.length; n += page) {
        words.refresh()
        yield rows
          .slice(n, n + page)
          .map(row => lineOf({ ...row, dir: dir.path }, showsHidden))
          .join('')
      }
    }
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
      textCell(place?.placeName ?? ''),
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

export type CollectionExport = ReturnType<typeof createCollectionExport>
