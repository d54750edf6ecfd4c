/** Measures the server: lists and thumbnails per second, their cost, memory, start, and lists during a scan. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../core/kernel/database/database.ts'
import { renditionPath } from '../core/media/cache/renditions.ts'
import { loadSharp } from '../core/media/decode/sharp.ts'
import { imageAddress } from '../schema/addresses.ts'
import { type LoadResult, load } from './load.ts'
import { linesOf, median, memoryOf, mustRun, productCommand, type Row, rowsAsText, usageOf } from './measure.ts'
import { cacheDirectory, type PhotoSet, photoSet } from './photos.ts'
import { randomOf, seedLibrary } from './seed-library.ts'
import { clientOf, type Server, startServer } from './server.ts'

const usage = `bun bench/serve.ts [options]
  --items N         items of the library (20000)
  --seconds N       of each run (3)
  --repeat N        runs of each kind, of which the median counts (3)
  --scan-files N    small pictures that are scanned during the lists (20000; 0: without this part)
  --scan-seconds N  how long lists are requested while the scan runs (60)
  --rate N          list requests a second meanwhile (50)
  --binary PATH     measure an executable instead of this source
  --json            the result as one object`

const connectionCount = 16
const thumbnailCount = 400
const account = { username: 'bench', password: 'bench-password' }
const MB = 1024 * 1024

/** Creates a library, with thumbnails of up to 400 items of a public collection. Returns the ids of those items. */
async function makeLibrary(product: readonly string[], data: string, items: number): Promise<number[]> {
  mkdirSync(join(data, 'cache'), { recursive: true })
  const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock })
  const seeded = await seedLibrary(db, { items })
  const rows = db.all<{ id: number; content: string }>(
    `SELECT id, content FROM items WHERE collection_id = ? AND type = 'image' AND state = 0 AND problem IS NULL
     ORDER BY id DESC LIMIT ${thumbnailCount}`,
    seeded.publicCollections[0] ?? 0,
  )
  db.close()
  for (const { id, content } of rows) {
    const path = renditionPath(join(data, 'cache'), content, 'small')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, await thumbnail(id))
  }
  await mustRun([...product, '--data', data, 'user', 'create', account.username, '--admin'], `${account.password}\n`)
  return rows.map(({ id }) => id)
}

/** A WebP as large as a photograph's small rendition, some 30 KB. */
async function thumbnail(seed: number): Promise<Buffer> {
  const sharp = await loadSharp()
  const random = randomOf(seed)
  const [width, height] = [120, 90]
  const data = Buffer.from(Array.from({ length: width * height * 3 }, () => 64 + Math.floor(random() * 128)))
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(480, 360)
    .webp({ quality: 76, effort: 0 })
    .toBuffer()
}

/** What one kind of request costs. */
interface Cost {
  /** Milliseconds, one request after the other. */
  p50: number
  p99: number
  /** Requests a second over `connectionCount` connections, without a pause. */
  perSecond: number
  /** Microseconds of the server's CPU for one request. */
  cpu: number
  bytes: number
}

interface Requests {
  pid: number
  port: number
  paths: string[]
  headers: Record<string, string>
}

async function measureCost({ pid, ...requests }: Requests, seconds: number, repeat: number): Promise<Cost> {
  const runs: { alone: LoadResult; together: LoadResult; cpu: number }[] = []
  await load({ ...requests, connections: connectionCount, seconds: 1, rate: 0 })
  for (let round = 0; round < repeat; round++) {
    const alone = await load({ ...requests, connections: 1, seconds, rate: 0 })
    const before = usageOf(pid).ownCpu
    const together = await load({ ...requests, connections: connectionCount, seconds, rate: 0 })
    const cpu = ((usageOf(pid).ownCpu - before) / together.requests) * 1e6
    if (alone.refused + together.refused > 0) throw new Error(`requests were refused: ${requests.paths[0]}`)
    runs.push({ alone, together, cpu })
  }
  return {
    p50: median(runs.map(run => run.alone.p50)),
    p99: median(runs.map(run => run.alone.p99)),
    perSecond: median(runs.map(run => run.together.perSecond)),
    cpu: median(runs.map(run => run.cpu)),
    bytes: runs[0]?.alone.bytesEach ?? 0,
  }
}

/** Measures what the same bytes cost from a server that does nothing but send them. */
async function measureFloorCosts(work: string, list: string, thumbnails: number, options: Options) {
  const listPath = join(work, 'list.json')
  const directory = join(work, 'thumbnails')
  mkdirSync(directory)
  writeFileSync(listPath, list)
  for (let n = 0; n < thumbnails; n++) writeFileSync(join(directory, `${n}.webp`), await thumbnail(n))
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'bare-server.ts'), listPath, directory], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  try {
    for await (const line of linesOf(child.stdout)) {
      const requests = { pid: child.pid, port: Number(line), headers: {} }
      const files = Array.from({ length: thumbnails }, (_, n) => `/thumbnail/${n}`)
      return {
        list: await measureCost({ ...requests, paths: ['/list'] }, options.seconds, options.repeat),
        thumbnail: await measureCost({ ...requests, paths: files }, options.seconds, options.repeat),
      }
    }
    throw new Error('the bare server did not start')
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
}

/** Requests lists at an even pace, without a scan and during one. */
async function measureDuringScan(server: Server, token: string, requests: Requests, set: PhotoSet, options: Options) {
  const paced = { ...requests, connections: connectionCount, rate: options.rate }
  const quiet = await load({ ...paced, seconds: Math.min(20, options.scanSeconds) })
  const client = clientOf(server.port, token)
  const { id } = await client.collections.create({
    body: { name: 'Scanned meanwhile', path: set.directory, pathVariant: '', readonly: false },
  })
  const { taskid } = await client.collections.scan({ params: { id } })
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(server.pid))
  }, 200)
  const busy = await load({ ...paced, seconds: options.scanSeconds })
  clearInterval(sampler)
  const job = await client.jobs.get({ params: { id: taskid } })
  if (job.state === 'queued' || job.state === 'running') await client.jobs.cancel({ params: { id: taskid } })
  return { quiet, busy, peak, scanned: job.done, scanState: job.state }
}

interface Options {
  items: number
  seconds: number
  repeat: number
  scanFiles: number
  scanSeconds: number
  rate: number
  binary: string | undefined
}

async function measureAll(options: Options, set: PhotoSet | null, work: string) {
  const product = productCommand(options.binary, work)
  const data = join(work, 'data')
  const ids = await makeLibrary(product, data, options.items)

  const starts: Server[] = []
  for (let round = 0; round < 5; round++) {
    const one = await startServer(product, data)
    starts.push(one)
    await one.stop()
  }
  const server = await startServer(product, data)
  try {
    await Bun.sleep(3_000)
    const atRest = memoryOf(server.pid)
    const { token } = await clientOf(server.port, null).users.login({ body: account })
    const path = '/v1/item/list/0?limit=100'
    const visitor: Requests = { pid: server.pid, port: server.port, paths: [path], headers: {} }
    const signedIn: Requests = { ...visitor, headers: { Authorization: `Bearer ${token}` } }
    const cookie = { Cookie: `keepsake_session=${token}` }
    const pages = Array.from({ length: Math.floor(options.items / 125) }, (_, n) => `${path}&page=${n + 1}`)
    const pictures = ids.map(id => imageAddress({ id, reloads: '1' }, 'small'))
    const cost = (requests: Requests) => measureCost(requests, options.seconds, options.repeat)
    const costs = {
      listVisitor: await cost(visitor),
      listSignedIn: await cost(signedIn),
      // All pages in turn, so that none is still cached when its turn comes again.
      pagesSignedIn: await cost({ ...signedIn, paths: pages }),
      thumbnailVisitor: await cost({ ...visitor, paths: pictures }),
      thumbnailSignedIn: await cost({ ...visitor, paths: pictures, headers: cookie }),
    }
    await Bun.sleep(3_000)
    const afterLoad = memoryOf(server.pid)
    const scan = set === null ? null : await measureDuringScan(server, token, signedIn, set, options)
    const list = await (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: signedIn.headers })).text()
    return { starts, atRest, afterLoad, costs, scan, list, thumbnails: ids.length }
  } finally {
    await server.stop()
  }
}

type Result = Awaited<ReturnType<typeof measureAll>>

function rowsOf(result: Result, floor: Awaited<ReturnType<typeof measureFloorCosts>>): Row[] {
  const { starts, atRest, afterLoad, costs, scan } = result
  const costRows = (
    name: string,
    cost: Cost,
    bare: Cost,
    reach: { p50?: number; cpu: number; rate?: number },
  ): Row[] => [
    {
      name: `${name}: p50, one at a time`,
      value: cost.p50,
      unit: 'ms',
      floor: bare.p50,
      reach: reach.p50 === undefined ? undefined : { most: reach.p50 },
    },
    { name: `${name}: p99, one at a time`, value: cost.p99, unit: 'ms', floor: bare.p99 },
    { name: `${name}: CPU of the server`, value: cost.cpu, unit: 'µs', floor: bare.cpu, reach: { most: reach.cpu } },
    {
      name: `${name}: requests, ${connectionCount} connections`,
      value: cost.perSecond,
      unit: '/s',
      floor: bare.perSecond,
      reach: reach.rate === undefined ? undefined : { least: reach.rate },
    },
  ]
  const listReach = { p50: 1, cpu: 400 }
  const pictureReach = { cpu: 100, rate: 10_000 }
  return [
    { name: 'start, until it serves', value: median(starts.map(one => one.start)), unit: 's', reach: { most: 0.35 } },
    { name: 'start, until the first page', value: median(starts.map(one => one.firstPage)), unit: 's' },
    { name: 'memory at rest', value: atRest / MB, unit: 'MB', reach: { most: 80 } },
    { name: 'memory after load', value: afterLoad / MB, unit: 'MB' },
    ...costRows('list of 100, visitor', costs.listVisitor, floor.list, listReach),
    ...costRows('list of 100, signed in', costs.listSignedIn, floor.list, listReach),
    ...costRows('pages of 100 in turn, signed in', costs.pagesSignedIn, floor.list, listReach),
    ...costRows('thumbnail, visitor', costs.thumbnailVisitor, floor.thumbnail, pictureReach),
    ...costRows('thumbnail, signed in', costs.thumbnailSignedIn, floor.thumbnail, pictureReach),
    ...(scan === null
      ? []
      : ([
          { name: 'paced list without a scan: p50', value: scan.quiet.p50, unit: 'ms' },
          { name: 'paced list without a scan: p99', value: scan.quiet.p99, unit: 'ms' },
          { name: 'paced list beside a scan: p50', value: scan.busy.p50, unit: 'ms' },
          { name: 'paced list beside a scan: p99', value: scan.busy.p99, unit: 'ms', reach: { most: 50 } },
          { name: 'paced list beside a scan: slowest', value: scan.busy.most, unit: 'ms' },
          { name: 'peak memory, server and scan', value: scan.peak / MB, unit: 'MB', reach: { most: 250 } },
        ] satisfies Row[])),
  ]
}

async function main() {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '3' },
      repeat: { type: 'string', default: '3' },
      'scan-files': { type: 'string', default: '20000' },
      'scan-seconds': { type: 'string', default: '60' },
      rate: { type: 'string', default: '50' },
      binary: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const number = (text: string, least: number, most: number) => z.coerce.number().min(least).max(most).parse(text)
  const options: Options = {
    items: number(values.items, 2000, 2_000_000),
    seconds: number(values.seconds, 1, 60),
    repeat: number(values.repeat, 1, 20),
    scanFiles: number(values['scan-files'], 0, 100_000),
    scanSeconds: number(values['scan-seconds'], 5, 600),
    rate: number(values.rate, 1, 500),
    binary: values.binary,
  }
  mkdirSync(cacheDirectory(), { recursive: true })
  // The same set as bench/scan.ts has for small pictures.
  const set = options.scanFiles === 0 ? null : await photoSet({ count: options.scanFiles + 30, megapixels: 0.3 })
  const work = mkdtempSync(join(cacheDirectory(), 'serve-'))
  try {
    const result = await measureAll(options, set, work)
    const floor = await measureFloorCosts(work, result.list, result.thumbnails, options)
    const rows = rowsOf(result, floor)
    const { list, starts, ...figures } = result
    if (values.json) return console.log(JSON.stringify({ ...figures, floor, rows }))
    const { costs, scan } = figures
    console.log(
      `${options.items} items; a list has ${(costs.listSignedIn.bytes / 1000).toFixed(0)} KB, a thumbnail ${(costs.thumbnailVisitor.bytes / 1000).toFixed(0)} KB`,
    )
    for (const line of rowsAsText(rows)) console.log(line)
    if (scan !== null)
      console.log(
        `${scan.busy.requests} lists at ${options.rate} a second while ${scan.scanned} files were scanned (the scan was ${scan.scanState})`,
      )
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

await main()
