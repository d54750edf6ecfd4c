/** Times every list, filter, facet and suggestion at sizes up to a million items; the floor is one plain statement. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { listed } from '../core/items/items.sql.ts'
import type { LibraryDatabase } from '../core/kernel/database/database.ts'
import { select } from '../core/kernel/database/statement.ts'
import { openLibrary } from '../core/library.ts'
import { casesOf, casesWhileHiding } from './list-cases.ts'
import { createBenchLibrary } from './list-library.ts'
import type { Case } from './list-viewers.ts'
import { busySeconds } from './measure.ts'

const usage = `usage: bun bench/list.ts [--json] [--only TEXT] [--slow MS] [--seed N] [ITEMS …]     (ITEMS: 10000 100000 1000000)
  --only TEXT   only calls with this text in their section, name or viewer
  --slow MS     print only calls that take at least this long`

interface Times {
  /** Milliseconds. */
  p50: number
  p95: number
  /** Microseconds of processor time a call. */
  cpu: number
}

type Figure = Omit<Case, 'call'> & Times

/** How often to repeat a call: less often if it is slow. */
async function callsFor(call: () => unknown): Promise<number> {
  const start = performance.now()
  await call()
  return Math.max(5, Math.min(200, Math.floor(600 / (performance.now() - start))))
}

/** Warms up first, because compiling during the measurement would count as processor time of the calls. */
async function measure(call: () => unknown): Promise<Times> {
  const serialize = async () => JSON.stringify(await call())
  const calls = await callsFor(serialize)
  const warmUntil = performance.now() + 150
  for (let n = 0; n < calls && performance.now() < warmUntil; n++) await serialize()
  const times: number[] = []
  const before = process.cpuUsage()
  for (let n = 0; n < calls; n++) {
    const start = performance.now()
    await serialize()
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), cpu: (user + system) / calls }
}

/** One prepared statement over the index of dates, with its rows as JSON: no list can be faster. */
function floorOf(db: LibraryDatabase): Case {
  const rest = 'FROM items AS i INDEXED BY items_taken WHERE i.state = 0 ORDER BY i.taken DESC, i.id DESC LIMIT 100'
  const statement = select(listed, rest)
  return { section: 'Floor', what: 'one statement and JSON', who: '', target: 1, call: () => db.all(statement) }
}

function bytesPerItem(db: LibraryDatabase, size: number): { name: string; bytes: number }[] {
  const rows = db.all<{ name: string; bytes: number }>('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name')
  return rows
    .map(({ name, bytes }) => ({ name, bytes: bytes / size }))
    .filter(({ bytes }) => bytes >= 1)
    .sort((a, b) => b.bytes - a.bytes)
}

/** Runs the work while a category is being hidden, before the job that marks its items has started. */
async function whileHiding<T>(db: LibraryDatabase, keystring: number, work: () => Promise<T>): Promise<T> {
  const set = (hides: boolean) =>
    db.transact({ userId: null }, tx => {
      tx.run('UPDATE keystrings SET is_associated_items_hidden = ? WHERE id = ?', hides ? 1 : 0, keystring)
      if (hides) tx.run('INSERT INTO pending_hide (keystring_id) VALUES (?)', keystring)
      else tx.run('DELETE FROM pending_hide WHERE keystring_id = ?', keystring)
    })
  await set(true)
  try {
    return await work()
  } finally {
    await set(false)
  }
}

async function run(size: number, seed: number, only: string) {
  const { data, seeded, extras } = await createBenchLibrary(size, seed)
  const library = openLibrary({ role: 'server', data, create: false, stderrLevel: 'none', environment: {} })
  const { db } = library
  const figures: Figure[] = []
  const before = { at: performance.now(), busy: busySeconds(), own: process.cpuUsage() }
  async function measureAll(cases: readonly Case[]) {
    for (const { call, ...one } of cases) {
      if (!`${one.section} ${one.what} ${one.who}`.includes(only)) continue
      figures.push({ ...one, ...(await measure(call)) })
    }
  }
  try {
    await measureAll([floorOf(db), ...casesOf(library, seeded, extras)])
    const [category = 1] = seeded.categories
    await whileHiding(db, category, () => measureAll(casesWhileHiding(library, seeded, extras)))
    const space = only === '' ? bytesPerItem(db, size) : []
    const { user, system } = process.cpuUsage(before.own)
    const seconds = (performance.now() - before.at) / 1000
    const others = Math.max(0, busySeconds() - before.busy - (user + system) / 1e6) / (seconds * availableParallelism())
    return { size, figures, space, others }
  } finally {
    library.close()
  }
}

/**
 * Whether a call misses its target. The smaller of wall time and processor time is compared: a call never waits, so if
 * its wall time is longer, other programs took the difference.
 */
function missesTarget({ p50, cpu, target }: Pick<Figure, 'p50' | 'cpu' | 'target'>): boolean {
  return Math.min(p50, cpu / 1000) > target
}

function table(figures: readonly Figure[]): string {
  const lines = [`${'what'.padEnd(44)} ${'who'.padEnd(8)}  p50 ms    p95 ms    CPU µs     items`]
  let section = ''
  for (const { section: own, what, who, p50, p95, cpu, total, target } of figures) {
    if (own !== section) lines.push(`\n${own}`)
    section = own
    const cells = [
      what.padEnd(44),
      who.padEnd(8),
      p50.toFixed(2).padStart(7),
      p95.toFixed(2).padStart(9),
      cpu.toFixed(0).padStart(9),
      (total === undefined ? '' : String(total)).padStart(9),
      missesTarget({ p50, cpu, target }) ? `  over ${target} ms` : '',
    ]
    lines.push(cells.join(' ').trimEnd())
  }
  return lines.join('\n')
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      slow: { type: 'string', default: '0' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return console.log(usage)
  const sizes = positionals.length > 0 ? positionals.map(Number) : [10_000, 100_000, 1_000_000]
  if (sizes.some(size => !Number.isSafeInteger(size) || size < 1000)) throw new Error(usage)
  const results = []
  for (const size of sizes) {
    const result = await run(size, Number(values.seed), values.only)
    results.push(result)
    if (values.json === true) continue
    const shown = result.figures.filter(({ p50 }) => p50 >= Number(values.slow))
    const over = result.figures.filter(missesTarget).length
    console.log(`\n${size.toLocaleString('en')} items, pages of 100 unless stated otherwise\n${table(shown)}`)
    console.log(`\n${result.figures.length} calls measured, ${over} over their target`)
    console.log(
      `Other programs took ${(result.others * 100).toFixed(0)} % of the cores: if that is much, only CPU is meaningful.`,
    )
    if (result.space.length === 0) continue
    const all = result.space.reduce((sum, { bytes }) => sum + bytes, 0)
    console.log(
      `${all.toFixed(0)} bytes an item: ${result.space.map(({ name, bytes }) => `${name} ${bytes.toFixed(0)}`).join(', ')}`,
    )
  }
  if (values.json === true) console.log(JSON.stringify(results, null, 2))
}

await main()
