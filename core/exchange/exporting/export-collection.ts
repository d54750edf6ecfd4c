/** A collection as CSV: one line per item, in the order of paths, streamed. */
import { seesHidden, type Viewer } from '../../accounts/access.ts'
import type { Collections } from '../../collections/collections.ts'
import { conditionOf } from '../../filter/condition.ts'
import { everything } from '../../filter/filter.ts'
import { frameQuery } from '../../filter/frame.ts'
import { visibleItems } from '../../filter/visible-items.ts'
import { type ItemDetailsColumn, parseTags, type StoredPlace, type StoredTags } from '../../items/item-row.ts'
import { chunksOf } from '../../kernel/chunks.ts'
import { formatLocalTime } from '../../kernel/clock.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { raw } from '../../kernel/database/sql-fragment.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { createVocabulary } from '../../words/vocabulary.ts'
import { csvItems, dirsOfCollection, subjectsOfItem } from './exporting.sql.ts'

type Row = RowOfQuery<ReturnType<typeof csvItems>> & { dir: string }

/** Text as a cell: quoted where necessary, and never a formula (OWASP: spreadsheets run cells that begin like one). */
export function textCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The name of a place; a name that the library looked up is marked as guessed. */
function placeText(place: StoredPlace | undefined): string {
  if (place === undefined || place.placeName === '') return ''
  return place.auto === 1 ? `${place.placeName} (guessed)` : place.placeName
}

function numberCell(value: number | null): string {
  return value === null ? '' : String(value)
}

interface Line extends Record<'category' | 'keywords' | 'author' | 'people' | 'objects', string[]> {
  row: Row
  tags: StoredTags
  camera: { make?: string; model?: string }
}

const once = (words: readonly string[]) => textCell([...new Set(words)].join('; '))

/** Columns by name, in order. */
const cells: Record<string, (line: Line) => string> = {
  id: ({ row }) => numberCell(row.id),
  path: ({ row }) => textCell(row.dir === '' ? row.name : `${row.dir}/${row.name}`),
  name: ({ row }) => textCell(row.name),
  type: ({ row }) => row.type,
  size: ({ row }) => numberCell(row.size),
  width: ({ row }) => numberCell(row.width),
  height: ({ row }) => numberCell(row.height),
  duration: ({ row }) => numberCell(row.duration),
  date_taken: ({ row }) => formatLocalTime(row.taken),
  date_source: ({ row }) => row.takenSource,
  utc_offset: ({ row }) => numberCell(row.takenOffset),
  latitude: ({ tags }) => numberCell(tags.Locations?.d?.latitude ?? null),
  longitude: ({ tags }) => numberCell(tags.Locations?.d?.longitude ?? null),
  place: ({ tags }) => textCell(placeText(tags.Locations?.d)),
  category: ({ category }) => textCell(category.join('; ')),
  keywords: ({ keywords }) => textCell(keywords.join('; ')),
  people: ({ people }) => once(people),
  objects: ({ objects }) => once(objects),
  description: ({ tags }) => textCell(tags.Description?.d ?? ''),
  author: ({ author }) => textCell(author.join('; ')),
  rating: ({ row }) => numberCell(row.rating),
  camera: ({ camera: { make, model } }) => textCell([make, model].filter(part => part !== undefined).join(' ')),
  rotation: ({ row }) => numberCell(row.rotation),
  hash: ({ row }) => row.content,
}
export const csvColumns = Object.keys(cells)

/** Number of lines that are yielded at a time. */
const pageSize = 500

interface Dir {
  id: number
  path: string
}

/** Compares code units, as `<` does: the order is the same on every machine. */
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Yields rows in the order of their whole paths, read one directory at a time: a directory is sorted among the files
 * beside it by its name with '/'. Each row gets its directory's path as `dir`.
 */
export function* inPathOrder<T extends { id: number; name: string }>(
  dirs: readonly Dir[],
  rowsOf: (dir: Dir) => readonly T[],
): Generator<T & { dir: string }> {
  const known = new Set(dirs.map(({ path }) => path))
  function nearestDirectory({ path }: Dir): string {
    let above = path
    do above = above.slice(0, Math.max(0, above.lastIndexOf('/')))
    while (above !== '' && !known.has(above))
    return above
  }
  const others = dirs.filter(({ path }) => path !== '')
  const inside = Map.groupBy(others, nearestDirectory)
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
    const { frame, rest } = frameQuery(visibleItems(db, viewer, { includeHidden: showsHidden }), everything)
    const at = { taken: raw('i.taken'), id: raw('i.id'), collection: raw('i.collection_id'), items: () => raw('i') }
    const condition = conditionOf(rest, at, { fewRows: true })
    const items = csvItems(frame.states.join(', '), condition.text)
    const dirs = db.all(dirsOfCollection, collectionId)
    const rows = inPathOrder(dirs, ({ id }) => db.all(items, id, ...condition.values))
    for (const some of chunksOf(rows, pageSize)) {
      words.refresh()
      yield some.map(row => lineOf(row, showsHidden)).join('')
    }
  }

  function lineOf(row: Row, showsHidden: boolean): string {
    const tags = parseTags(row.tags)
    const contents = (ids: readonly number[] = []) =>
      ids.flatMap(id => {
        const word = words.keystring(id)
        return word === null || (word.hidden && !showsHidden) ? [] : word.content
      })
    const regions = db.all(subjectsOfItem, row.id)
    const line: Line = {
      row,
      tags,
      // The column needs no check: only the library writes it.
      camera: (JSON.parse(row.details) as ItemDetailsColumn).camera ?? {},
      category: contents(tags.Category?.d),
      keywords: contents(tags.Keywords?.d),
      author: contents(tags.Author?.d),
      people: regions.flatMap(({ personId: id }) => (id === null ? [] : words.personName(id, row.taken))),
      objects: regions.flatMap(({ objectId: id }) => (id === null ? [] : words.objectName(id))),
    }
    return `${Object.values(cells)
      .map(cell => cell(line))
      .join(',')}\r\n`
  }

  return {
    /** Checks rights at once, then streams the lines. Only an unlocked session's value includes hidden items. */
    csv(viewer: Viewer, id: number, query: { includeHidden?: string | undefined }) {
      const { name } = collections.requireRight(viewer, id, 'admin')
      const showsHidden = seesHidden(viewer, query.includeHidden)
      function* lines(): Generator<string> {
        // Spreadsheets misread UTF-8 without a byte order mark.
        yield `\uFEFF${csvColumns.join(',')}\r\n`
        yield* linesOf(viewer, id, showsHidden)
      }
      return { name: `${name}.csv`, lines: lines() }
    },
  }
}
