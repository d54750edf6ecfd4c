/** Measures scans by the real command: photos per second, CPU, memory and disk; the floor is what plain tools need. */
import { appendFileSync, copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { job } from '../schema/api/jobs.ts'
import { type Floor, measureFloor, missingFloorTools, sampleOf } from './floor.ts'
import {
  type Measured,
  measure,
  median,
  memoryOf,
  mustRun,
  peakOf,
  productCommand,
  type Row,
  rowsAsText,
} from './measure.ts'
import { cacheDirectory, linkInto, type PhotoSet, photoSet } from './photos.ts'
import { startServer } from './server.ts'

const usage = `bun bench/scan.ts [options]
  --count N         pictures (1000; more than 100)
  --megapixels M    mean size of a picture (12)
  --repeat N        complete scans, of which the median counts (1)
  --binary PATH     measure an executable instead of this source
  --jobs N          pictures decoded at once (as many as cores)
  --no-floor        without the plain tools
  --floor N         files that the plain tools get (all, at most 2000)
  --json            the result as one object
Both sets of pictures: bun bench/scan.ts && bun bench/scan.ts --count 20000 --megapixels 0.3`

/** Number of files that are added before each rescan that has to find new ones. */
const addedAtOnce = 10
const rescans = 3

interface Pass {
  seconds: number
  cpu: number
  /** CPU of the process that walks and writes, without the decode worker. */
  ownCpu: number
  peak: number
}

interface Scan {
  first: Pass
  second: Pass
  whole: { seconds: number; cpu: number; peak: number }
  failed: number
  /** Share of all cores' time that other programs took meanwhile. */
  others: number
}

const collectionLine = z.object({ type: z.literal('collection'), seconds: z.number(), failed: z.int(), found: z.int() })

/** Splits the measurements of a `keepsake scan --json` at the end of its first pass. */
function passesOf(ran: Measured): Scan {
  const line = ran.jsonLines.find(({ value }) => value.type === 'collection')
  if (line === undefined) throw new Error(`the scan reported nothing: ${ran.err}`)
  const { seconds, failed } = collectionLine.parse(line.value)
  const { at } = line
  const last = ran.jsonLines.at(-1)?.at ?? at
  return {
    first: { seconds, cpu: at.treeCpu, ownCpu: at.ownCpu, peak: peakOf(ran, 0, at.seconds) },
    second: {
      seconds: last.seconds - at.seconds,
      cpu: ran.cpu - at.treeCpu,
      ownCpu: last.ownCpu - at.ownCpu,
      peak: peakOf(ran, at.seconds),
    },
    whole: { seconds: ran.seconds, cpu: ran.cpu, peak: peakOf(ran) },
    failed,
    others: ran.others,
  }
}

/** Bytes of the renditions in a cache, by size. */
function renditionBytes(cache: string): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const entry of readdirSync(join(cache, 'renditions'), { recursive: true, withFileTypes: true })) {
    const size = /-(tiny|small|medium|large)\.\w+$/.exec(entry.name)?.[1]
    if (size !== undefined) sums[size] = (sums[size] ?? 0) + statSync(join(entry.parentPath, entry.name)).size
  }
  return sums
}

/** Seconds of the second pass according to its job, without the command's own time around it. */
async function secondPassSeconds(product: string[], data: string): Promise<number> {
  const { jsonLines } = await mustRun([...product, '--data', data, 'jobs', '--all', '--json'])
  const renditions = jsonLines
    .flatMap(({ value }) => job.safeParse(value).data ?? [])
    .find(({ kind }) => kind === 'renditions')
  return ((renditions?.finished ?? 0) - (renditions?.started ?? 0)) / 1000
}

/** Number of files that a server scans while its memory is measured. */
const servedFiles = 300

/** Peak memory, in bytes, of a server and its child processes while it scans a new directory and makes renditions. */
async function measureServerPeak(
  product: string[],
  set: PhotoSet,
  files: readonly string[],
  work: string,
): Promise<number> {
  const photos = join(work, 'served')
  const data = join(work, 'served-data')
  linkInto(set, sampleOf(files, servedFiles), photos)
  const server = await startServer(product, data, photos)
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(server.pid))
  }, 100)
  try {
    for (;;) {
      await Bun.sleep(2_000)
      const { jsonLines } = await mustRun([...product, '--data', data, 'jobs', '--all', '--json'])
      const jobs = jsonLines.flatMap(({ value }) => job.safeParse(value).data ?? [])
      if (jobs.some(({ kind, finished }) => kind === 'renditions' && finished !== null)) return peak
      if (jobs.some(({ state }) => state === 'failed')) throw new Error("the server's scan failed")
    }
  } finally {
    clearInterval(sampler)
    await server.stop()
  }
}

interface Rescan {
  seconds: number
  cpu: number
}

interface Result {
  set: { count: number; megapixels: number; madeBy: string; bytesEach: number; directories: number }
  floor: Floor | null
  scans: Scan[]
  bytes: Record<string, number>
  database: number
  start: number
  unchanged: Rescan[]
  added: Rescan[]
  changed: Rescan[]
  servedPeak: number
}

async function rescan(command: string[], found: number): Promise<Rescan> {
  const ran = await measure(command)
  const { whole } = passesOf(ran)
  const line = ran.jsonLines.find(({ value }) => value.type === 'collection')
  if (collectionLine.parse(line?.value).found !== found) throw new Error('the rescan found another number of files')
  return { seconds: whole.seconds, cpu: whole.cpu }
}

/** Replaces a file by a changed copy under the same name, as editors do. */
function rewrite(path: string, round: number) {
  const copy = join(dirname(path), `.new-${basename(path)}`)
  copyFileSync(path, copy)
  appendFileSync(copy, Buffer.from([round]))
  renameSync(copy, path)
}

interface Options {
  count: number
  megapixels: number
  repeat: number
  binary: string | undefined
  jobs: string[]
  /** Files for the plain tools; 0: none. */
  floor: number
}

async function measureAll(options: Options, set: PhotoSet, work: string): Promise<Result> {
  const product = productCommand(options.binary, work)
  const photos = join(work, 'photos')
  const addedLater = sampleOf(set.files, addedAtOnce * rescans)
  const files = set.files.filter(file => !addedLater.includes(file))
  linkInto(set, files, photos)
  const missing = missingFloorTools()
  if (missing !== null && options.floor > 0) process.stderr.write(`${missing}\n`)
  const result: Result = {
    set: {
      count: files.length,
      megapixels: options.megapixels,
      madeBy: set.madeBy,
      bytesEach: set.bytes / set.files.length,
      directories: new Set(files.map(dirname)).size,
    },
    floor: missing === null && options.floor > 0 ? await measureFloor(set, sampleOf(files, options.floor), work) : null,
    scans: [],
    bytes: {},
    database: 0,
    start: 0,
    unchanged: [],
    added: [],
    changed: [],
    servedPeak: await measureServerPeak(product, set, files, work),
  }

  let data = ''
  for (let round = 0; round < options.repeat; round++) {
    if (data !== '') rmSync(data, { recursive: true })
    data = join(work, `data-${round}`)
    const scan = passesOf(await mustRun([...product, '--data', data, 'scan', photos, '--json', ...options.jobs]))
    scan.second.seconds = await secondPassSeconds(product, data)
    result.scans.push(scan)
  }
  result.bytes = renditionBytes(join(data, 'cache'))
  result.database = statSync(join(data, 'library.db')).size

  const command = [...product, '--data', data, 'scan', photos, '--json', ...options.jobs]
  let found = files.length
  for (let round = 0; round < rescans; round++) {
    result.start = median([(await mustRun([...product, '--data', data, 'jobs'])).cpu])
    result.unchanged.push(await rescan(command, found))
  }
  for (let round = 0; round < rescans; round++) {
    linkInto(set, addedLater.slice(round * addedAtOnce, (round + 1) * addedAtOnce), photos)
    found += addedAtOnce
    result.added.push(await rescan(command, found))
  }
  for (let round = 0; round < rescans; round++) {
    rewrite(join(photos, files[Math.floor(files.length / 2)] ?? ''), round)
    result.changed.push(await rescan(command, found))
  }
  return result
}

function rowsOf(result: Result): Row[] {
  const { set, floor, scans, bytes, database, start, unchanged, added, changed, servedPeak } = result
  const { count } = set
  const of = (pick: (scan: Scan) => number) => median(scans.map(pick))
  // The limits hold for pictures of 12 megapixels (on two cores).
  const ifTwelveMegapixels = <Limit>(limit: Limit) => (set.megapixels === 12 ? limit : undefined)
  const msPerPhoto = (seconds: number) => (seconds * 1000) / count
  const floorCpu = floor === null ? undefined : (floor.thumbnailCpu + floor.metadataCpu) * 1000
  const total = Object.values(bytes).reduce((sum, size) => sum + size, 0)
  const MB = 1024 * 1024
  return [
    {
      name: 'first pass: photos',
      value: of(scan => count / scan.first.seconds),
      unit: '/s',
      floor: floor?.thumbnailsPerSecond,
      reach: ifTwelveMegapixels({ least: 33 }),
    },
    {
      name: 'first pass: CPU a photo',
      value: of(scan => msPerPhoto(scan.first.cpu)),
      unit: 'ms',
      floor: floorCpu,
      reach: ifTwelveMegapixels({ most: 55 }),
    },
    { name: '  of it outside the decode worker', value: of(scan => msPerPhoto(scan.first.ownCpu)), unit: 'ms' },
    { name: 'second pass: photos', value: of(scan => count / scan.second.seconds), unit: '/s' },
    { name: 'second pass: CPU a photo', value: of(scan => msPerPhoto(scan.second.cpu)), unit: 'ms' },
    { name: '  of it outside the decode worker', value: of(scan => msPerPhoto(scan.second.ownCpu)), unit: 'ms' },
    {
      name: 'both passes: CPU a photo',
      value: of(scan => msPerPhoto(scan.whole.cpu)),
      unit: 'ms',
      floor: floorCpu,
      reach: ifTwelveMegapixels({ most: 100 }),
    },
    { name: 'both passes: wall time', value: of(scan => scan.whole.seconds), unit: 's' },
    { name: 'peak memory, scanned by a server', value: servedPeak / MB, unit: 'MB', reach: { most: 250 } },
    { name: 'peak memory of the command', value: of(scan => scan.whole.peak / MB), unit: 'MB', reach: { most: 250 } },
    { name: 'renditions a photo', value: total / count / 1000, unit: 'KB', reach: { most: 130 } },
    { name: 'database a photo', value: database / count / 1000, unit: 'KB' },
    { name: 'a command that only starts: CPU', value: start, unit: 's' },
    { name: 'unchanged rescan: wall time', value: median(unchanged.map(one => one.seconds)), unit: 's' },
    { name: 'unchanged rescan: CPU', value: median(unchanged.map(one => one.cpu)), unit: 's' },
    {
      name: 'rescan after 10 new files: CPU',
      value: median(added.map(one => one.cpu)),
      unit: 's',
      reach: { most: 1 },
    },
    { name: '  wall time', value: median(added.map(one => one.seconds)), unit: 's' },
    { name: 'rescan after 1 changed file: CPU', value: median(changed.map(one => one.cpu)), unit: 's' },
  ]
}

async function main() {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000' },
      megapixels: { type: 'string', default: '12' },
      repeat: { type: 'string', default: '1' },
      binary: { type: 'string' },
      jobs: { type: 'string' },
      'no-floor': { type: 'boolean', default: false },
      floor: { type: 'string', default: '2000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const options: Options = {
    // With fewer pictures, there is no second pass.
    count: z.coerce.number().int().min(101).parse(values.count),
    megapixels: z.coerce.number().min(0.01).parse(values.megapixels),
    repeat: z.coerce.number().int().min(1).parse(values.repeat),
    binary: values.binary,
    jobs: values.jobs === undefined ? [] : ['--jobs', values.jobs],
    floor: values['no-floor'] ? 0 : z.coerce.number().int().min(1).parse(values.floor),
  }
  const set = await photoSet({ count: options.count + addedAtOnce * rescans, megapixels: options.megapixels })
  const work = mkdtempSync(join(cacheDirectory(), 'scan-'))
  try {
    const result = await measureAll(options, set, work)
    const rows = rowsOf(result)
    if (values.json) return console.log(JSON.stringify({ ...result, rows }))
    const { count, bytesEach, directories, madeBy } = result.set
    console.log(
      `${count} photos of ${options.megapixels} megapixels and ${(bytesEach / 1e6).toFixed(2)} MB in ${directories} directories (${madeBy}), ${availableParallelism()} cores`,
    )
    if (result.floor !== null)
      console.log(
        `floor on ${result.floor.files} of them: vipsthumbnail ${(result.floor.thumbnailCpu * 1000).toFixed(1)} ms CPU, exiftool ${(result.floor.metadataCpu * 1000).toFixed(1)} ms CPU a file`,
      )
    for (const line of rowsAsText(rows)) console.log(line)
    const others = median(result.scans.map(scan => scan.others))
    console.log(
      `Other programs took ${(others * 100).toFixed(0)} % of the cores during the scans: if that is much, wall times mean little.`,
    )
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

await main()
