/** Measures the job that indexes a library again with folded texts, while pages are requested from the server. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../core/kernel/database/database.ts'
import { createBenchLibrary } from './list-library.ts'
import { type LoadResult, load } from './load.ts'
import { median, memoryOf, productCommand, type Row, rowsAsText, treeOf, usageOf } from './measure.ts'
import { cacheDirectory } from './photos.ts'
import { startServer } from './server.ts'

const usage = `bun bench/reindex.ts [options]
  --items N       items of the library (1000000)
  --unchanged     no text of the library is affected; by default, all keywords and people get an 'ß'
  --library FILE  a database made by an earlier version, instead of a new one
  --rate N        pages requested a second meanwhile (20)
  --seconds N     how long pages are requested before the job (20)
  --binary PATH   measure an executable instead of this source
  --json          the result as one object`

const MB = 1024 * 1024

interface Options {
  items: number
  unchanged: boolean
  library: string | undefined
  rate: number
  seconds: number
  binary: string | undefined
}

const open = (path: string) => openDatabase(path, { waiting: terminalWaiting, clock: systemClock })

/** Bytes of the search index and of the database, and the number of items. */
function sizes(path: string) {
  const db = open(path)
  const sum = "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'item_text%'"
  const index = db.get<{ bytes: number }>(sum)?.bytes ?? 0
  const items = db.get<{ n: number }>('SELECT count(*) AS n FROM items')?.n ?? 0
  db.close()
  return { index, items, file: statSync(path).size }
}

/** Changes keywords, categories, authors and people to words whose folded form differs from the indexed one. */
async function changeNames(path: string): Promise<void> {
  const db = open(path)
  await db.transact({ userId: null }, tx => {
    tx.run("UPDATE keystrings SET content = content || 'ß'")
    tx.run("UPDATE person_names SET name = name || 'ß'")
  })
  db.checkpoint('TRUNCATE')
  db.close()
}

const due = 'SELECT taken, item_id FROM search_text_due'

/** Marks all items as indexed in the former form. Returns what requests wait for meanwhile, and what the worker uses. */
async function measureJob(pid: number, path: string, request: () => Promise<LoadResult>) {
  const db = open(path)
  const isDue = () => db.get(due) !== null
  await db.transact({ userId: null }, tx => {
    tx.run('DELETE FROM search_text_due')
    tx.run('INSERT INTO search_text_due VALUES (-17179869184, 0)')
  })
  // The server notices it within seconds.
  while (db.get<{ item_id: number }>(due)?.item_id === 0) await Bun.sleep(20)
  const start = performance.now()
  let memory = 0
  let cpu = 0
  const sampler = setInterval(() => {
    for (const one of treeOf(pid)) {
      if (one === pid) continue
      memory = Math.max(memory, memoryOf(one))
      cpu = Math.max(cpu, usageOf(one).ownCpu)
    }
  }, 200)
  const loads: LoadResult[] = []
  let seconds = 0
  const ended = (async () => {
    while (isDue()) await Bun.sleep(50)
    seconds = (performance.now() - start) / 1000
  })()
  while (isDue()) loads.push(await request())
  await ended
  clearInterval(sampler)
  db.close()
  return { seconds, cpu, memory, loads }
}

async function measureAll(options: Options, work: string) {
  const source = options.library ?? join((await createBenchLibrary(options.items, 1)).data, 'library.db')
  const data = join(work, 'data')
  mkdirSync(data)
  const path = join(data, 'library.db')
  copyFileSync(source, path)
  if (!options.unchanged) await changeNames(path)
  const sizesBefore = sizes(path)
  const product = productCommand(options.binary, work)
  const paths = [
    '/v1/item/list/0?limit=100',
    '/v1/item/list/0?limit=100&q=lund%C3%9F',
    '/v1/item/list/0?limit=100&q=lund',
  ]
  const server = await startServer(product, data)
  try {
    const request = (seconds: number) =>
      load({ port: server.port, headers: {}, paths, connections: 16, rate: options.rate, seconds })
    const quiet = await request(options.seconds)
    const job = await measureJob(server.pid, path, () => request(10))
    return { quiet, job, sizesBefore, sizes: sizes(path) }
  } finally {
    await server.stop()
  }
}

function rowsOf({ quiet, job, sizesBefore, sizes }: Awaited<ReturnType<typeof measureAll>>): Row[] {
  const most = (of: (one: LoadResult) => number) => Math.max(...job.loads.map(of))
  return [
    { name: 'the job', value: job.seconds, unit: 's' },
    { name: 'items a second', value: sizes.items / job.seconds, unit: '/s' },
    { name: 'CPU of its worker, per item', value: (job.cpu * 1e6) / sizes.items, unit: 'µs' },
    { name: 'memory of its worker', value: job.memory / MB, unit: 'MB' },
    { name: 'pages meanwhile: p50', value: median(job.loads.map(({ p50 }) => p50)), unit: 'ms', floor: quiet.p50 },
    { name: 'pages meanwhile: p99', value: most(({ p99 }) => p99), unit: 'ms', floor: quiet.p99 },
    { name: 'pages meanwhile: slowest', value: most(one => one.most), unit: 'ms', floor: quiet.most },
    { name: 'search index', value: sizes.index / MB, unit: 'MB', floor: sizesBefore.index / MB },
    { name: 'database', value: sizes.file / MB, unit: 'MB', floor: sizesBefore.file / MB },
  ]
}

async function main() {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '1000000' },
      unchanged: { type: 'boolean', default: false },
      library: { type: 'string' },
      rate: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '20' },
      binary: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const number = (text: string, least: number, most: number) => z.coerce.number().min(least).max(most).parse(text)
  mkdirSync(cacheDirectory(), { recursive: true })
  const work = mkdtempSync(join(cacheDirectory(), 'reindex-'))
  try {
    const result = await measureAll(
      {
        items: number(values.items, 1000, 2_000_000),
        unchanged: values.unchanged,
        library: values.library,
        rate: number(values.rate, 1, 500),
        seconds: number(values.seconds, 1, 600),
        binary: values.binary,
      },
      work,
    )
    if (values.json) return console.log(JSON.stringify(result))
    for (const line of rowsAsText(rowsOf(result))) console.log(line)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

await main()
