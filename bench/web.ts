/** Measures the pages in a browser with a million items: opening, scrolling, the timeline, viewer, map, search. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright'
import { z } from 'zod'
import { median, mustRun, productCommand, quantile, type Row, rowsAsText } from './measure.ts'
import { cacheDirectory } from './photos.ts'
import { startServer } from './server.ts'
import {
  type Device,
  devices,
  heapOf,
  jumpTimeline,
  openPage,
  recordFrames,
  signedInState,
  startBrowser,
  type Traced,
  traceTasks,
  turnWheel,
  waitUntil,
} from './web-browser.ts'
import { webLibrary } from './web-library.ts'
import { type PaintedFrames, recordPaintedFrames } from './web-painted.ts'
import { type PartSize, partSizes } from './web-parts.ts'
import type { FrameStats } from './web-probe.ts'
import { measureTimeline } from './web-timeline.ts'
import { kinds } from './web-trace.ts'

const usage = `bun bench/web.ts [options]
  --items N       items of the library (1000000)
  --seconds N     of wheel scrolling (30)
  --device NAME   only laptop or phone (both)
  --binary PATH   measure an executable instead of this source
  --only PARTS    cards (grid, viewer, search, map) or timeline (all)
  --traces DIR    save Chromium's traces, for its performance panel
  --json          the result as one object`

interface Options {
  items: number
  seconds: number
  devices: Device[]
  parts: 'cards' | 'timeline' | 'all'
  binary: string | undefined
  traces: string | undefined
}

interface Stage extends Pick<Traced<unknown>, 'tasks' | 'reported'> {
  name: string
}

interface Jump {
  /** Milliseconds after the pointer's last event. */
  whole: number
  full: number
  seen: FrameStats
}

/** Number of jumps and bursts whose times are averaged, because each time is only as exact as a frame is long. */
const repetitions = 7
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

interface Measured {
  device: Device
  stages: Stage[]
  first: number
  full: number
  jumps: { oldest: Jump[]; newest: Jump[] }
  wheel: FrameStats
  painted: PaintedFrames
  heap: { before: number; after: number }
  viewer: { medium: number[]; large: number[]; burst: number }
  map: { cluster: number }
  suggestions: { first: number; next: number[] }
}

/** Scrolls an empty page: the best that this browser can do on this machine. */
async function measureEmptyPage(browser: Browser, device: Device, seconds: number): Promise<Stage> {
  const page = await openPage(browser, device)
  await page.goto('about:blank')
  await page.setContent('<!doctype html><title>Empty</title><div style="height:4000000px"></div>')
  const { tasks, reported } = await traceTasks(browser, page, () => turnWheel(page, seconds))
  await page.context().close()
  return { name: 'an empty page, wheel', tasks, reported }
}

async function measureJump(page: Page, device: Device, to: 0 | 1): Promise<Jump> {
  let whole = 0
  let full = 0
  const seen = await recordFrames(page, async () => {
    await jumpTimeline(page, device, to)
    whole = (await waitUntil(page, 'whole')).since
    full = (await waitUntil(page, 'full')).since
  })
  return { whole, full, seen }
}

const steps = 20
const burstSteps = 15

/** Steps through pictures: first always after the previous one has loaded, then as fast as a held key repeats. */
async function measureViewer(page: Page): Promise<Measured['viewer']> {
  await page.locator('.card-link').first().focus()
  await page.keyboard.press('Enter')
  await waitUntil(page, 'large')
  await Bun.sleep(500)
  const medium: number[] = []
  const large: number[] = []
  for (let n = 0; n < steps; n++) {
    await page.keyboard.press('ArrowRight')
    const reached = { medium: (await waitUntil(page, 'medium')).since, large: (await waitUntil(page, 'large')).since }
    // The invented videos have no file to show.
    if ((await page.evaluate('bench.isPicture()')) === true) {
      medium.push(reached.medium)
      large.push(reached.large)
    }
    await Bun.sleep(300)
  }
  const bursts: number[] = []
  for (let n = 0; n < repetitions; n++) {
    for (let step = 0; step < burstSteps; step++) {
      await page.keyboard.press('ArrowRight')
      await Bun.sleep(33)
    }
    bursts.push((await waitUntil(page, 'medium')).since)
    await Bun.sleep(500)
  }
  await page.keyboard.press('Escape')
  await page.locator('.viewer-stage').waitFor({ state: 'detached' })
  return { medium, large, burst: mean(bursts) }
}

/** Beginnings of words of the invented vocabulary. */
const typedWords = ['fam', 'tra', 'fri', 'spo']

/** Types words and measures until suggestions appear. The 150 ms that the page waits for another letter count. */
async function measureSuggestions(page: Page, device: Device): Promise<Measured['suggestions']> {
  if (device === 'phone') await page.getByRole('button', { name: 'Search', exact: true }).click()
  const field = page.getByLabel('Search for keywords').first()
  const took: number[] = []
  for (const word of typedWords) {
    await field.fill('')
    await page.locator('.suggestion').first().waitFor({ state: 'detached' })
    await field.focus()
    await page.keyboard.type(word, { delay: 80 })
    took.push((await waitUntil(page, 'suggestion')).since)
  }
  const [first = Number.NaN, ...next] = took
  return { first, next }
}

async function measureDevice(
  browser: Browser,
  address: string,
  device: Device,
  state: Awaited<ReturnType<typeof signedInState>>,
  options: Options,
): Promise<Measured> {
  const stages: Stage[] = [await measureEmptyPage(browser, device, options.seconds)]
  const page = await openPage(browser, device, state)
  async function measureStage<T>(name: string, act: () => Promise<T>): Promise<T> {
    process.stderr.write(`${device}: ${name}\n`)
    const file = options.traces === undefined ? undefined : join(options.traces, `${device} ${name}.json`)
    const { result, tasks, reported } = await traceTasks(browser, page, act, file)
    stages.push({ name, tasks, reported })
    return result
  }
  const opened = await measureStage('opening', async () => {
    await page.goto(address)
    const first = (await waitUntil(page, 'first')).at
    const full = (await waitUntil(page, 'full')).at
    await Bun.sleep(2500)
    return { first, full }
  })
  const before = await heapOf(page)
  const jumps: Measured['jumps'] = { oldest: [], newest: [] }
  await measureStage('jumps to the oldest and back', async () => {
    for (let n = 0; n < repetitions; n++) {
      jumps.oldest.push(await measureJump(page, device, 1))
      await Bun.sleep(1000)
      jumps.newest.push(await measureJump(page, device, 0))
      await Bun.sleep(1000)
    }
  })
  const rolled = await measureStage('wheel', () => recordFrames(page, () => turnWheel(page, options.seconds)))
  const after = await heapOf(page)
  const shown = await recordPaintedFrames(page, () => turnWheel(page, 10))
  await waitUntil(page, 'full')
  const viewer = await measureStage('viewer', () => measureViewer(page))
  const suggestions = await measureStage('search', () => measureSuggestions(page, device))
  const map = await measureStage('map', async () => {
    await page.goto(`${address}/world-map`)
    const cluster = (await waitUntil(page, 'cluster')).at
    await page
      .locator('.map-foot [role="status"]')
      .getByText(/items have a place|zoom in/)
      .waitFor()
    await Bun.sleep(2000)
    return { cluster }
  })
  await page.context().close()
  return {
    device,
    stages,
    ...opened,
    jumps,
    wheel: rolled,
    painted: shown,
    heap: { before, after },
    viewer,
    map,
    suggestions,
  }
}

const MB = 1024 * 1024
const percent = (part: number, whole: number) => (part / Math.max(1, whole)) * 100

function rowsOf({ device, stages, jumps, wheel: rolled, heap, viewer, ...rest }: Measured): Row[] {
  const { first, full, painted: shown, map, suggestions } = rest
  const row = (name: string, value: number, unit: string, rest: Pick<Row, 'floor' | 'reach'> = {}): Row => ({
    name: `${device}, ${name}`,
    value,
    unit,
    ...rest,
  })
  const jumpRows = (name: string, made: readonly Jump[]) => [
    row(`${name}: until cards with stand-ins`, mean(made.map(({ whole }) => whole)), 'ms'),
    row(`${name}: until all pictures`, mean(made.map(({ full }) => full)), 'ms'),
    row(`${name}: frames with a blank place`, Math.max(...made.map(({ seen }) => seen.blank)), '', {
      reach: { most: 0 },
    }),
  ]
  return [
    row('opening: first picture', first, 'ms'),
    row('opening: screen full of pictures', full, 'ms'),
    ...jumpRows('timeline to the oldest', jumps.oldest),
    ...jumpRows('timeline back to the newest', jumps.newest),
    row('wheel: frames with a blank place', rolled.blank, '', { reach: { most: 0 } }),
    row('wheel, frames as painted', shown.frames, ''),
    row('wheel, frames as painted: with a blank place', shown.blank, '', { reach: { most: 0 } }),
    row('wheel: frames without a placeholder', percent(rolled.whole, rolled.frames), '%'),
    row('wheel: frames with all pictures', percent(rolled.pictures, rolled.frames), '%'),
    row('wheel: frames', rolled.frames, ''),
    row('wheel: from frame to frame, p50', median(rolled.gaps), 'ms'),
    row('wheel: from frame to frame, p99', quantile(rolled.gaps, 0.99), 'ms'),
    row('elements in the grid, most', Math.max(rolled.nodes, ...jumps.oldest.map(({ seen }) => seen.nodes)), '', {
      reach: { most: 999 },
    }),
    row('JavaScript heap, opened', heap.before / MB, 'MB'),
    row('JavaScript heap, after the wheel', heap.after / MB, 'MB'),
    row('viewer, next picture: medium p50', median(viewer.medium), 'ms'),
    row('viewer, next picture: large p50', median(viewer.large), 'ms'),
    row('viewer, next picture: large, slowest', Math.max(...viewer.large), 'ms'),
    row(`viewer, after ${burstSteps} at once: medium`, viewer.burst, 'ms'),
    row('search: first suggestions', suggestions.first, 'ms'),
    row('search: next suggestions', median(suggestions.next), 'ms'),
    row('map, opened again: first groups', map.cluster, 'ms'),
    ...stages.flatMap(({ name, tasks, reported }) => [
      row(`${name}: long tasks`, tasks.count, ''),
      row(`${name}: those reported to the page`, reported.count, ''),
      row(`${name}: longest task`, tasks.longest, 'ms'),
      row(`${name}: most time of our scripts in one task, by the clock`, tasks.script.wall, 'ms'),
      row(`${name}: the same, processor time`, tasks.script.cpu, 'ms', { reach: { most: 100 } }),
    ]),
  ]
}

function sizesAsText(parts: readonly PartSize[]): string[] {
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1).padStart(9)
  return [
    `${'kB'.padEnd(28)}    plain     gzip   brotli`,
    ...parts.map(
      ({ name, plain, gzip, brotli }) => `${name.padEnd(24)} ${kilobytes(plain)}${kilobytes(gzip)}${kilobytes(brotli)}`,
    ),
  ]
}

/** What the long tasks of each stage spent their time on, in wall time. */
function taskShares({ device, stages }: Measured): string[] {
  return stages
    .filter(({ tasks }) => tasks.count > 0)
    .map(({ name, tasks }) => {
      const parts = kinds.map(kind => `${kind} ${Math.round(tasks.by[kind])}`).join(', ')
      return `${device}, ${name}: ${tasks.count} long tasks, ms of ${parts}`
    })
}

async function main() {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '30' },
      device: { type: 'string' },
      only: { type: 'string', default: 'all' },
      binary: { type: 'string' },
      traces: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const options: Options = {
    items: z.coerce.number().min(2000).max(2_000_000).parse(values.items),
    seconds: z.coerce.number().min(3).max(600).parse(values.seconds),
    devices: values.device === undefined ? ['laptop', 'phone'] : [z.enum(['laptop', 'phone']).parse(values.device)],
    parts: z.enum(['cards', 'timeline', 'all']).parse(values.only),
    binary: values.binary,
    traces: values.traces,
  }
  if (options.traces !== undefined) mkdirSync(options.traces, { recursive: true })
  mkdirSync(cacheDirectory(), { recursive: true })
  const work = mkdtempSync(join(cacheDirectory(), 'web-work-'))
  try {
    const build = join(import.meta.dir, '../build.ts')
    if (options.binary === undefined) await mustRun([process.execPath, build, 'web', '--if-stale'])
    const product = productCommand(options.binary, work)
    const { data, pictures } = await webLibrary(product, options.items)
    const [load] = loadavg()
    const server = await startServer(product, data)
    const address = `http://127.0.0.1:${server.port}`
    const browser = await startBrowser()
    try {
      const parts = await partSizes(address)
      const state = await signedInState(browser, address)
      const measured: Measured[] = []
      const timeline: Row[] = []
      for (const device of options.devices) {
        if (options.parts !== 'timeline') measured.push(await measureDevice(browser, address, device, state, options))
        if (options.parts !== 'cards')
          timeline.push(...(await measureTimeline(browser, address, state, { device, seconds: options.seconds })))
      }
      const rows = [...measured.flatMap(rowsOf), ...timeline]
      if (values.json)
        return console.log(JSON.stringify({ items: options.items, pictures, load, measured, parts, rows }))
      const sizes = options.devices.map(device => `${device} ${devices[device].width} × ${devices[device].height}`)
      console.log(
        `${options.items.toLocaleString('en')} items sharing ${pictures} pictures; ${sizes.join(', ')}; load of the machine before: ${load?.toFixed(1)}`,
      )
      for (const line of [...rowsAsText(rows), '', ...measured.flatMap(taskShares), '', ...sizesAsText(parts)]) {
        console.log(line)
      }
    } finally {
      await browser.close()
      await server.stop()
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

await main()
