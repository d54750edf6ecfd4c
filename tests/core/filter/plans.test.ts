/** In a library of 100,000 items, every list is read with the intended index and without unnecessary sorting. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Seeded, seedLibrary } from '../../../bench/seed-library.ts'
import { anonymousWith, rightsOf, terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { createItems } from '../../../core/items/items.ts'
import { systemClock } from '../../../core/kernel/clock.ts'
import {
  type Bindings,
  type LibraryDatabase,
  openDatabase,
  terminalWaiting,
} from '../../../core/kernel/database/database.ts'
import { countMediumDue, duePage } from '../../../core/scan/renditions-job.ts'
import { pairByIdentifier } from '../../../core/scan/unit-files.ts'
import type { FilterQuery, PageQuery } from '../../../schema/api/items.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

let db: LibraryDatabase
let seeded: Seeded
let visitor: Viewer

beforeAll(async () => {
  db = openDatabase(join(temporaryDirectory(), 'library.db'), {
    waiting: terminalWaiting,
    clock: systemClock,
    durable: false,
  })
  seeded = await seedLibrary(db, { items: 100_000 })
  visitor = anonymousWith(rightsOf(db, null))
}, 180_000)

interface Statement {
  sql: string
  plan: string[]
}

/** Every statement that a call runs, with its plan. */
function statementsOf(work: (items: ReturnType<typeof createItems>) => void): Statement[] {
  return statementsOn(watched => work(createItems({ db: watched })))
}

function statementsOn(work: (db: LibraryDatabase) => void): Statement[] {
  const statements: Statement[] = []
  function note(sql: string, bindings: Bindings) {
    const rows = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...bindings)
    statements.push({ sql, plan: rows.map(({ detail }) => detail) })
  }
  const watched: LibraryDatabase = {
    ...db,
    all(sql, ...bindings) {
      note(typeof sql === 'string' ? sql : sql.sql, bindings)
      return db.all(sql, ...bindings)
    },
    get(sql, ...bindings) {
      note(typeof sql === 'string' ? sql : sql.sql, bindings)
      return db.get(sql, ...bindings)
    },
  }
  work(watched)
  return statements
}

/** Plans that read a whole table. (A 'scan' of the search index for words is fine.) */
function wholeReads(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ sql, plan }) =>
    plan
      .filter(line => /^SCAN (items|i|k|x|keyed|r|regions|f|files|d|dirs)\b/.test(line))
      .map(line => `${line} in ${sql}`),
  )
}

/** Plans that sort items. Sorting a few names is fine. */
const sorts = (statements: readonly Statement[]) =>
  statements
    .filter(({ sql }) => /\b(items|keyed|item_text)\b/.test(sql))
    .flatMap(({ plan }) => plan.filter(line => line.includes('ORDER BY')))

/** The plan of the statement that reads the rows of the page. */
function pageOf(statements: readonly Statement[]): string {
  const page = statements.find(({ sql }) => sql.includes('AS p CROSS JOIN items'))
  if (page === undefined) throw new Error('no page was read')
  return page.plan.join('\n')
}

function list(viewer: Viewer, query: FilterQuery & PageQuery, collectionId = 0): Statement[] {
  return statementsOf(items => {
    const page = items.list(viewer, { collectionId }, { limit: 100, ...query })
    expect(page.items.length).toBeGreaterThan(0)
    const next = page._links.next
    if (next === null) return
    const cursor = new URL(next, 'http://localhost').searchParams.get('cursor')
    items.list(viewer, { collectionId }, { limit: 100, ...query, page: 2, cursor: cursor ?? undefined })
  })
}

describe('the plan of a list', () => {
  test.each<[string, FilterQuery & PageQuery, RegExp]>([
    ['the first page', {}, /SEARCH i USING INDEX items_taken \(state=\?/],
    ['a deep page', { page: 700 }, /items_taken \(state=\? AND taken</],
    [
      'a range of dates',
      { timestampStart: 1.5e9, timestampEnd: 1.51e9 },
      /items_taken \(state=\? AND taken>\? AND taken<\?\)/,
    ],
    ['oldest first', { sort: 'taken' }, /items_taken \(state=\?/],
    ['by name', { sort: 'name' }, /MERGE \(UNION ALL\)[\s\S]*items_name \(collection_id=\? AND state=\?\)/],
    ['by time added', { sort: '-added' }, /items_added \(collection_id=\? AND state=\?\)/],
    ['every July', { startMonth: 7 }, /items_taken \(state=\? AND taken>\? AND taken<\?\)/],
  ])('%s, for a viewer who sees everything', (_, query, index) => {
    const statements = list(terminalViewer, query)
    expect(pageOf(statements)).toMatch(index)
    expect(wholeReads(statements)).toEqual([])
    expect(sorts(statements)).toEqual([])
  })

  test.each<[string, FilterQuery & PageQuery, RegExp]>([
    ['the first page', {}, /MERGE \(UNION ALL\)[\s\S]*items_collection_taken \(collection_id=\? AND state=\?\)/],
    ['a deep page', { page: 200 }, /items_collection_taken \(collection_id=\? AND state=\? AND taken<\?\)/],
    ['by name', { sort: 'name' }, /items_name \(collection_id=\? AND state=\?\)/],
  ])('%s, for a visitor who sees two of five collections', (_, query, index) => {
    const statements = list(visitor, query)
    expect(pageOf(statements)).toMatch(index)
    expect(wholeReads(statements)).toEqual([])
    expect(sorts(statements)).toEqual([])
  })

  test('a collection is read with its own index, also together with hidden items', () => {
    const [collection = 0] = seeded.collections
    const unlocked = { ...terminalViewer, unlockValue: 'open' }
    const statements = list(unlocked, { includeHidden: 'open' }, collection)
    expect(pageOf(statements)).toMatch(
      /MERGE \(UNION ALL\)[\s\S]*items_collection_taken \(collection_id=\? AND state=\?\)/,
    )
    expect(wholeReads(statements)).toEqual([])
    expect(sorts(statements)).toEqual([])
  })

  test('keywords are read from `keyed`, the rarer one first, and counted by an intersection', () => {
    const [often = 0, second = 0] = seeded.keywords
    for (const viewer of [terminalViewer, visitor]) {
      const one = list(viewer, { filtergroups: [[{ type: 'Keyword', mode: 0, id: often }]] })
      expect(pageOf(one)).toMatch(/SEARCH k USING PRIMARY KEY \(key=\?/)
      expect(wholeReads(one)).toEqual([])
      expect(sorts(one)).toEqual([])

      const two = list(viewer, {
        filtergroups: [
          [
            { type: 'Keyword', mode: 0, id: often },
            { type: 'Keyword', mode: 0, id: second },
          ],
        ],
      })
      expect(pageOf(two)).toMatch(/SEARCH x USING PRIMARY KEY \(key=\? AND taken=\? AND item_id=\?\)/)
      expect(two.some(({ plan }) => plan.includes('MERGE (INTERSECT)'))).toBe(true)
      expect(wholeReads(two)).toEqual([])
      expect(sorts(two)).toEqual([])
    }
  })

  test('filter groups are read as merged streams', () => {
    const statements = list(visitor, {
      filtergroups: [[{ type: 'Keyword', mode: 0, id: seeded.keywords[0] ?? 0 }], [{ type: 'Person', mode: 0, id: 1 }]],
    })
    expect(pageOf(statements)).toMatch(/MERGE \(UNION\)[\s\S]*SEARCH k USING PRIMARY KEY/)
    expect(wholeReads(statements)).toEqual([])
    expect(sorts(statements)).toEqual([])
  })

  test('words are read from the search index, newest first, and checked with the index of dates', () => {
    const statements = list(visitor, { q: 'family' })
    expect(pageOf(statements)).toMatch(
      /SCAN t VIRTUAL TABLE[\s\S]*SEARCH i USING INDEX items_taken \(state=\? AND taken=\? AND id=\? AND collection_id=\?/,
    )
    expect(wholeReads(statements)).toEqual([])
    expect(sorts(statements)).toEqual([])
  })

  test('a year is read from the search index and the index of dates, also together with a frequent word', () => {
    const year = list(terminalViewer, { q: '2014' })
    expect(pageOf(year)).toMatch(/MERGE \(UNION\)[\s\S]*items_taken \(state=\? AND taken>\? AND taken<\?\)/)
    // Each hit of the year is checked for the frequent word; the word's own hits are not collected.
    const both = list(terminalViewer, { q: 'img 2014' })
    expect(pageOf(both)).toMatch(/MERGE \(UNION\)/)
    expect(pageOf(both)).not.toContain('LIST SUBQUERY')
    expect(wholeReads([...year, ...both])).toEqual([])
  })

  test('hits of a frequent word are merged with the sorted index of unlisted items', () => {
    const statements = list(terminalViewer, { q: 'img' })
    const [merged] = statements.filter(({ plan }) => plan.includes('MERGE (EXCEPT)'))
    expect(merged?.plan.join('\n')).toMatch(/SEARCH i USING INDEX items_unlisted/)
    expect(merged?.plan.filter(step => step.includes('TEMP B-TREE'))).toEqual([])
  })

  test('items near a place are read with the index of places, and added items without reading a whole table', () => {
    const somewhere = db.get<{ latitude: number; longitude: number }>(
      'SELECT latitude, longitude FROM items WHERE latitude IS NOT NULL AND state = 0 LIMIT 1',
    )
    const near = list(terminalViewer, { q: `near:${somewhere?.latitude},${somewhere?.longitude},100m` })
    expect(pageOf(near)).toMatch(/items_place \(collection_id=\? AND latitude>\? AND latitude<\?\)/)
    expect(wholeReads(near)).toEqual([])
    const last = db.get<{ added: number }>('SELECT max(added) AS added FROM items')?.added ?? 0
    const added = list(terminalViewer, { q: `added:${new Date(last * 1000).toISOString().slice(0, 10)}..` })
    expect(wholeReads(added)).toEqual([])
  })

  test('months are counted without reading a whole table', () => {
    for (const viewer of [terminalViewer, visitor]) {
      for (const query of [{}, { q: 'keyword:=babe' }, { q: '-keyword:=babe' }, { q: 'family' }, { startMonth: 7 }]) {
        const statements = statementsOf(items => items.timeline(viewer, { collectionId: 0 }, query))
        expect(wholeReads(statements)).toEqual([])
      }
    }
  })

  test('items without a medium rendition and parts of Live Photos are found with their own indexes', async () => {
    const plans = await db.transact({ userId: null }, tx =>
      statementsOn(watched => {
        countMediumDue(watched)
        duePage(watched, 0)
        pairByIdentifier({ ...tx, all: watched.all }, 1, new Set(), 0)
      }).map(({ plan }) => plan.join('\n')),
    )
    expect(plans).toHaveLength(3)
    expect(plans[0]).toMatch(/^SCAN items USING INDEX items_rendition$/)
    expect(plans[1]).toMatch(/^SEARCH items USING INDEX items_rendition/)
    expect(plans[1]).not.toContain('ORDER BY')
    expect(plans[2]).toMatch(/files_pair \(dir_id=\? AND pair=\?\)/)
  })

  test('queries that differ only in their values run the same statements', () => {
    const textsOf = (query: FilterQuery & PageQuery) =>
      [...new Set(list(visitor, query).map(({ sql }) => sql))].filter(sql => /\b(items|keyed)\b/.test(sql))
    const keywords = (id: number) => textsOf({ filtergroups: [[{ type: 'Keyword', mode: 0, id }]] })
    expect(keywords(seeded.keywords[1] ?? 0)).toEqual(keywords(seeded.keywords[2] ?? 0))
    const since = (timestampStart: number) => textsOf({ timestampStart, timestampEnd: timestampStart + 1e8 })
    expect(since(1.5e9)).toEqual(since(1.4e9))
  })
})
