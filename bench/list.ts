/** Times of lists, filters, totals and months at sizes up to a million items, beside the floor of one plain statement. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { anonymousWith, rightsOf, terminalViewer, type Viewer } from '../core/access.ts'
import { systemClock } from '../core/clock.ts'
import { type LibraryDatabase, openDatabase, serverWaiting, terminalWaiting } from '../core/database.ts'
import { itemColumns } from '../core/item-json.ts'
import { createItems, type Items } from '../core/items.ts'
import type { FilterQuery, PageQuery } from '../schema/api/items.ts'
import { migrations } from '../schema/migrations.ts'
import { seedLibrary } from './seed-library.ts'

const usage = `usage: bun bench/list.ts [--json] [--seed N] [ITEMS …]     (ITEMS: 10000 100000 1000000)`

interface Figure {
  items: number
  who: string
  what: string
  /** Milliseconds. */
  p50: number
  p99: number
  /** Microseconds of processor time a call. */
  cpu: number
  /** What `design/performance.md` asks for: p50 in milliseconds. */
  target: number | null
  total: number
}

/** Collections of the seeded library, and its most used words: always the same ids (see seed-library.ts). */
const often = 1
const secondOften = 2
const keyword = (id: number, mode: 0 | 1 = 0) => ({ type: 'Keyword' as const, mode, id })

interface Case {
  what: string
  query: FilterQuery & PageQuery
  /** Target for a page, for its total when it is counted for the first time, and for the months; null where there is none. */
  page: number | null
  total?: number
  months?: number
}

const summer = Date.UTC(2019, 5, 1) / 1000
const cases: Case[] = [
  { what: 'first page', query: {}, page: 1, months: 5 },
  { what: 'page in the middle', query: { page: Number.NaN }, page: null },
  { what: 'three months', query: { timestampStart: summer, timestampEnd: summer + 92 * 86_400 }, page: 2 },
  { what: 'every July', query: { startMonth: 7 }, page: 2 },
  { what: 'keyword', query: { filtergroups: [[keyword(often)]] }, page: 2, months: 25 },
  {
    what: 'two keywords',
    query: { filtergroups: [[keyword(often), keyword(secondOften)]] },
    page: 8,
    total: 20,
    months: 25,
  },
  { what: 'keyword but not another', query: { filtergroups: [[keyword(often), keyword(secondOften, 1)]] }, page: 8 },
  { what: 'not a keyword', query: { filtergroups: [[keyword(often, 1)]] }, page: null },
  {
    what: 'a person or a keyword',
    query: { filtergroups: [[{ type: 'Person', mode: 0, id: 1 }], [keyword(40)]] },
    page: null,
  },
  { what: 'rating:>=3', query: { q: 'rating:>=3' }, page: null },
  { what: 'type:video', query: { q: 'type:video' }, page: null },
  { what: 'camera:canon', query: { q: 'camera:canon' }, page: null },
  { what: 'words: family', query: { q: 'family' }, page: null },
  { what: 'words: img', query: { q: 'img' }, page: null },
  { what: 'words: -family', query: { q: '-family' }, page: null },
  { what: 'near, 20 km', query: { radius: 20_000 }, page: null },
  { what: 'by name', query: { sort: 'name' }, page: null },
  { what: 'by arrival', query: { sort: '-added' }, page: null },
]

const pageSize = 100

/** After enough calls for the compiler to have done its work; what it does beside them is processor time too. */
function measure(calls: number, call: () => unknown): { p50: number; p99: number; cpu: number } {
  const warm = performance.now() + 400
  for (let n = 0; n < calls && performance.now() < warm; n++) call()
  const times: number[] = []
  const before = process.cpuUsage()
  for (let n = 0; n < calls; n++) {
    const start = performance.now()
    call()
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), cpu: (user + system) / calls }
}

/** Fewer calls of what takes long; enough of the rest for a 99th percentile. */
function callsFor(call: () => unknown): number {
  const start = performance.now()
  call()
  return Math.max(5, Math.min(300, Math.floor(1500 / (performance.now() - start))))
}

/** A seeded database, made once for each way of making it: the next run finds it in the temporary directory. */
async function seeded(items: number, seed: number): Promise<string> {
  const recipe =
    readFileSync(join(import.meta.dir, 'seed-library.ts'), 'utf8') + migrations.map(({ sql }) => sql).join('')
  const root = join(tmpdir(), 'keepsake-bench-list')
  const hash = Bun.hash(recipe).toString(16)
  const directory = join(root, hash)
  const path = join(directory, `${items}-${seed}.db`)
  if (existsSync(path)) return path
  mkdirSync(directory, { recursive: true })
  // Libraries of an older recipe are good for nothing, and large.
  for (const name of readdirSync(root)) if (name !== hash) rmSync(join(root, name), { recursive: true })
  const making = join(directory, `making-${process.pid}.db`)
  const start = performance.now()
  const db = openDatabase(making, { waiting: terminalWaiting, clock: systemClock, durable: false })
  await seedLibrary(db, { items, seed })
  db.checkpoint('TRUNCATE')
  db.close()
  renameSync(making, path)
  for (const suffix of ['-wal', '-shm']) rmSync(making + suffix, { force: true })
  console.error(`made ${items} items in ${((performance.now() - start) / 1000).toFixed(1)} s: ${path}`)
  return path
}

/** One prepared statement over the index of dates, and its rows as JSON: nothing can be faster. */
function floorOf(db: LibraryDatabase): { p50: number; p99: number; cpu: number } {
  const statement = `SELECT ${itemColumns({ path: false, gone: false })} FROM items AS i INDEXED BY items_taken
    WHERE i.state = 0 ORDER BY i.taken DESC, i.id DESC LIMIT ${pageSize}`
  return measure(300, () => JSON.stringify(db.all(statement)))
}

function figuresFor(db: LibraryDatabase, items: Items, size: number, who: string, viewer: Viewer): Figure[] {
  const figures: Figure[] = []
  // Where the newest picture that has a position was taken.
  const somewhere = items
    .list(viewer, { collectionId: 0 }, { limit: 1000 })
    .items.find(({ tags }) => tags.Locations !== undefined)?.tags.Locations?.data
  const position = { latitude: somewhere?.latitude ?? 0, longitude: somewhere?.longitude ?? 0 }
  for (const { what, query: plain, page, total, months } of cases) {
    const query = plain.radius === undefined ? plain : { ...plain, ...position }
    const whole = items.list(viewer, { collectionId: 0 }, { ...query, page: undefined })._meta.total_records
    const asked = {
      ...query,
      limit: pageSize,
      page: query.page === undefined ? undefined : Math.ceil(whole / pageSize / 2),
    }
    const list = () => JSON.stringify(items.list(viewer, { collectionId: 0 }, asked))
    const add = (name: string, target: number | null, call: () => unknown) =>
      figures.push({ items: size, who, what: name, ...measure(callsFor(call), call), target, total: whole })
    add(what, page, list)
    if (query.sort !== undefined || query.page !== undefined) continue
    // A fresh module remembers no figures: what the first to ask waits for.
    add(`${what}: total`, total ?? null, () => {
      createItems({ db }).list(viewer, { collectionId: 0 }, { ...query, limit: 1 })
    })
    add(`${what}: months`, months ?? null, () => createItems({ db }).timeline(viewer, { collectionId: 0 }, query))
  }
  return figures
}

function bytesPerItem(db: LibraryDatabase, size: number): { name: string; bytes: number }[] {
  const rows = db.all<{ name: string; bytes: number }>('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name')
  return rows
    .map(({ name, bytes }) => ({ name, bytes: bytes / size }))
    .filter(({ bytes }) => bytes >= 1)
    .sort((a, b) => b.bytes - a.bytes)
}

async function run(size: number, seed: number) {
  const db = openDatabase(await seeded(size, seed), { waiting: serverWaiting, clock: systemClock })
  const items = createItems({ db })
  const visitor = anonymousWith(rightsOf(db, null))
  const floor = floorOf(db)
  const some = db.all<{ id: number }>('SELECT id FROM items WHERE state = 0 ORDER BY id LIMIT 1000')
  let n = 0
  const next = () => some[n++ % some.length]?.id ?? 1
  const figures = [
    { items: size, who: '', what: 'floor: one statement and JSON', ...floor, target: null, total: pageSize },
    ...figuresFor(db, items, size, 'everything', terminalViewer),
    ...figuresFor(db, items, size, 'visitor', visitor),
    {
      items: size,
      who: 'everything',
      what: 'one item',
      ...measure(300, () => items.get(terminalViewer, { id: next() }, {})),
      target: null,
      total: 1,
    },
    {
      items: size,
      who: 'everything',
      what: 'finding a picture',
      ...measure(1000, () => items.findForBytes(terminalViewer, next())),
      target: null,
      total: 1,
    },
    {
      items: size,
      who: 'visitor',
      what: 'finding a picture',
      ...measure(1000, () => items.findForBytes(visitor, next())),
      target: null,
      total: 1,
    },
  ]
  const space = bytesPerItem(db, size)
  db.close()
  return { size, figures, space }
}

function table(figures: readonly Figure[]): string {
  const lines = figures.map(({ who, what, p50, p99, cpu, target, total }) => {
    const verdict = target === null ? '' : p50 <= target ? `≤ ${target} ms` : `MISSED ${target} ms`
    return [
      what.padEnd(36),
      who.padEnd(10),
      p50.toFixed(2).padStart(9),
      p99.toFixed(2).padStart(9),
      cpu.toFixed(0).padStart(9),
      String(total).padStart(9),
      `  ${verdict}`,
    ].join(' ')
  })
  const head = `${'what'.padEnd(36)} ${'who sees'.padEnd(10)} ${'p50 ms'.padStart(9)} ${'p99 ms'.padStart(9)} ${'CPU µs'.padStart(9)} ${'items'.padStart(9)}`
  return [head, ...lines].join('\n')
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, seed: { type: 'string' }, help: { type: 'boolean' } },
})
if (values.help === true) {
  console.log(usage)
} else {
  const sizes = positionals.length > 0 ? positionals.map(Number) : [10_000, 100_000, 1_000_000]
  if (sizes.some(size => !Number.isSafeInteger(size) || size < 1000)) throw new Error(usage)
  const results = []
  for (const size of sizes) {
    const result = await run(size, Number(values.seed ?? 1))
    results.push(result)
    if (values.json === true) continue
    const all = result.space.reduce((sum, { bytes }) => sum + bytes, 0)
    console.log(`\n${size.toLocaleString('en')} items, pages of ${pageSize}\n${table(result.figures)}`)
    console.log(
      `\n${all.toFixed(0)} bytes an item: ${result.space.map(({ name, bytes }) => `${name} ${bytes.toFixed(0)}`).join(', ')}`,
    )
  }
  if (values.json === true) console.log(JSON.stringify(results, null, 2))
}
