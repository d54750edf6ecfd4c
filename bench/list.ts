/** Times of every list, filter, facet and suggestion at sizes up to a million items, beside the floor of one plain statement. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { listed } from '../core/items/items.sql.ts'
import { systemClock } from '../core/kernel/clock.ts'
import { type LibraryDatabase, openDatabase, terminalWaiting } from '../core/kernel/database/database.ts'
import { select } from '../core/kernel/database/statement.ts'
import { openLibrary } from '../core/library.ts'
import { migrations } from '../schema/migrations.ts'
import { type Case, casesOf, casesWhileHiding } from './list-cases.ts'
import { busySeconds } from './measure.ts'
import { type Beside, seedBeside } from './seed-beside.ts'
import { type Seeded, seedLibrary } from './seed-library.ts'

const usage = `usage: bun bench/list.ts [--json] [--only TEXT] [--slow MS] [--seed N] [ITEMS …]     (ITEMS: 10000 100000 1000000)
  --only TEXT   what has this in its section, name or viewer
  --slow MS     print only what takes at least so long`

interface Times {
  /** Milliseconds. */
  p50: number
  p95: number
  /** Microseconds of processor time a call. */
  cpu: number
}

type Figure = Omit<Case, 'call'> & Times

/** Fewer calls of what takes long. */
async function callsFor(call: () => unknown): Promise<number> {
  const start = performance.now()
  await call()
  return Math.max(5, Math.min(200, Math.floor(600 / (performance.now() - start))))
}

/** After enough calls for the compiler to have done its work; what it does beside them is processor time too. */
async function measure(call: () => unknown): Promise<Times> {
  const sent = async () => JSON.stringify(await call())
  const calls = await callsFor(sent)
  const warm = performance.now() + 150
  for (let n = 0; n < calls && performance.now() < warm; n++) await sent()
  const times: number[] = []
  const before = process.cpuUsage()
  for (let n = 0; n < calls; n++) {
    const start = performance.now()
    await sent()
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), cpu: (user + system) / calls }
}

interface Made {
  data: string
  seeded: Seeded
  beside: Beside
}

/** Of the items that keystrings hide. */
const hidden = 0.1

/** A seeded library, made once for each way of making it: the next run finds it in the temporary directory. */
async function made(items: number, seed: number): Promise<Made> {
  const source = (name: string) => readFileSync(join(import.meta.dir, name), 'utf8')
  const recipe = source('seed-library.ts') + source('seed-beside.ts') + migrations.map(({ sql }) => sql).join('')
  const root = join(tmpdir(), 'keepsake-bench-list')
  const hash = Bun.hash(recipe).toString(16)
  const data = join(root, hash, `${items}-${seed}`)
  const facts = join(data, 'facts.json')
  if (existsSync(facts)) return { data, ...JSON.parse(readFileSync(facts, 'utf8')) }
  // Libraries of an older recipe are good for nothing, and large.
  if (existsSync(root))
    for (const name of readdirSync(root)) if (name !== hash) rmSync(join(root, name), { recursive: true })
  const making = `${data}-making-${process.pid}`
  mkdirSync(making, { recursive: true })
  const start = performance.now()
  const db = openDatabase(join(making, 'library.db'), { waiting: terminalWaiting, clock: systemClock, durable: false })
  const seeded = await seedLibrary(db, { items, seed, hidden })
  const beside = await seedBeside(db, seeded)
  db.checkpoint('TRUNCATE')
  db.close()
  writeFileSync(join(making, 'facts.json'), JSON.stringify({ seeded, beside }))
  renameSync(making, data)
  console.error(`made ${items} items in ${((performance.now() - start) / 1000).toFixed(1)} s: ${data}`)
  return { data, seeded, beside }
}

/** One prepared statement over the index of dates, and its rows as JSON: nothing can be faster. */
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

/** Everything under the most used category is being hidden, and the job that marks it has not started. */
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
  const { data, seeded, beside } = await made(size, seed)
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
    await measureAll([floorOf(db), ...casesOf(library, seeded, beside)])
    const [category = 1] = seeded.categories
    await whileHiding(db, category, () => measureAll(casesWhileHiding(library, seeded, beside)))
    const space = only === '' ? bytesPerItem(db, size) : []
    const { user, system } = process.cpuUsage(before.own)
    const seconds = (performance.now() - before.at) / 1000
    const others = Math.max(0, busySeconds() - before.busy - (user + system) / 1e6) / (seconds * availableParallelism())
    return { size, figures, space, others }
  } finally {
    library.close()
  }
}

/** A call waits for nothing: time beyond its processor time went to other programs. */
function isOver({ p50, cpu, target }: Pick<Figure, 'p50' | 'cpu' | 'target'>): boolean {
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
      isOver({ p50, cpu, target }) ? `  over ${target} ms` : '',
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
    const over = result.figures.filter(isOver).length
    console.log(`\n${size.toLocaleString('en')} items, pages of 100 unless said otherwise\n${table(shown)}`)
    console.log(`\n${result.figures.length} calls measured, ${over} over what they should take`)
    console.log(
      `Others took ${(result.others * 100).toFixed(0)} % of the cores: times count when that is little, else CPU alone.`,
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
