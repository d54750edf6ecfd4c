/** Measures the job that indexes a library again with folded texts, while pages are requested from the server. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../core/kernel/database/database.ts'
import { createBenchLibrary } from './list-library.ts'
import { type LoadResult, load } from './load.ts'
import { memoryOf, productCommand, type Row, rowsAsText, treeOf, usageOf } from './measure.ts'
import { cacheDirectory } from './photos.ts'
import { startServer } from './server.ts'

const usage = `bun bench/reindex.ts [options]
  --items N       items of the library (1000000)
  --unchanged     no text of the library is affected; by default, every item has a caption with 'ß'
  --library FILE  a database made by an earlier version, instead of a new one
  --rate N        pages requested a second meanwhile (20)
  --seconds N     how long pages are requested before the job (20), and at least during it
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

/** Bytes of the search index. */
function indexSize(path: string): number {
  const db = open(path)
  const sum = "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'item_text%'"
  const bytes = db.get<{ bytes: number }>(sum)?.bytes ?? 0
  db.close()
  return bytes
}

/** Marks all items as indexed in the former form, and gives each a caption that is affected. */
async function makeOld(path: string, changesCaptions: boolean): Promise<number> {
  const db = open(path)
  const last = db.get<{ id: number }>('SELECT max(id) AS id FROM items')?.id ?? 0
  for (let id = 0; changesCaptions && id < last; id += 20_000) {
    await db.transact({ userId: null }, tx => {
      tx.run(
        `UPDATE items SET tags = json_set(tags, '$.Description.v', 1, '$.Description.d',
           coalesce(tags ->> '$.Description.d', '') || ' Straße') WHERE id > ? AND id <= ?`,
        id,
        id + 20_000,
      )
    })
  }
  await db.transact({ userId: null }, tx => {
    tx.run('DELETE FROM search_text_due')
    tx.run('INSERT INTO search_text_due VALUES (-17179869184, 0)')
  })
  db.checkpoint('TRUNCATE')
  db.close()
  return last
}

/** What requests meanwhile waited for, and what the worker of the job used. */
async function measureJob(pid: number, path: string, request: () => Promise<LoadResult>) {
  const db = open(path)
  const isDue = () => db.get('SELECT 1 FROM search_text_due') !== null
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
  const items = await makeOld(path, !options.unchanged)
  const before = { index: indexSize(path), file: statSync(path).size }
  const product = productCommand(options.binary, work)
  const paths = [
    '/v1/item/list/0?limit=100',
    '/v1/item/list/0?limit=100&q=stra%C3%9Fe',
    '/v1/item/list/0?limit=100&q=lund',
  ]
  const server = await startServer(product, data)
  try {
    const request = (seconds: number) =>
      load({ port: server.port, headers: {}, paths, connections: 16, rate: options.rate, seconds })
    const during = await measureJob(server.pid, path, () => request(10))
    const after = await request(options.seconds)
    return { items, before, during, after, index: indexSize(path), file: statSync(path).size }
  } finally {
    await server.stop()
  }
}

function rowsOf({ items, before, during, after, index, file }: Awaited<ReturnType<typeof measureAll>>): Row[] {
  const most = (of: (one: LoadResult) => number) => Math.max(...during.loads.map(of))
  return [
    { name: 'the job', value: during.seconds, unit: 's' },
    { name: 'items a second', value: items / during.seconds, unit: '/s' },
    { name: 'CPU of its worker', value: during.cpu, unit: 's' },
    { name: 'memory of its worker', value: during.memory / MB, unit: 'MB' },
    { name: 'pages meanwhile: p50', value: most(({ p50 }) => p50), unit: 'ms' },
    { name: 'pages meanwhile: p99', value: most(({ p99 }) => p99), unit: 'ms' },
    { name: 'pages meanwhile: slowest', value: most(one => one.most), unit: 'ms' },
    { name: 'pages afterwards: p50', value: after.p50, unit: 'ms' },
    { name: 'pages afterwards: p99', value: after.p99, unit: 'ms' },
    { name: 'pages afterwards: slowest', value: after.most, unit: 'ms' },
    { name: 'search index before', value: before.index / MB, unit: 'MB' },
    { name: 'search index afterwards', value: index / MB, unit: 'MB' },
    { name: 'database before', value: before.file / MB, unit: 'MB' },
    { name: 'database afterwards', value: file / MB, unit: 'MB' },
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
