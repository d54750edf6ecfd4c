/** Measures the terminal UI with a library of a million items: time until the first frame, keys, memory. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openScreen, type ScreenCondition, type TerminalScreen } from '../tests/support/terminal-screen.ts'
import { median, memoryOf, productCommand, quantile, type Row, rowsAsText, usageOf } from './measure.ts'
import { cacheDirectory } from './photos.ts'
import { webLibrary } from './web-library.ts'

const usage = `bun bench/tui.ts [options]
  --items N       items of the library (1000000)
  --columns N     of the terminal (120)
  --rows N        of the terminal (40)
  --repeat N      starts of each kind (7)
  --binary PATH   measure an executable instead of this source
  --json          the result as one object`

interface Options {
  items: number
  size: { columns: number; rows: number }
  repeat: number
  binary: string | undefined
}

/** Milliseconds: by the clock, and of processor time. */
interface Start {
  wall: number
  cpu: number
}

const presses = 200

/** Peak memory of the process alone, including shared pages. Bytes. */
function peakResidentOf(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(found?.[1] ?? 0) * 1024
}

/** Starts a command, and measures the time until a frame matches `shows`. */
async function startTui(
  command: readonly string[],
  size: Options['size'],
  shows: ScreenCondition,
): Promise<{ screen: TerminalScreen; start: Start }> {
  const at = performance.now()
  const screen = openScreen(command, size)
  await screen.waitFor(shows)
  const wall = performance.now() - at
  return { screen, start: { wall, cpu: usageOf(screen.pid).treeCpu * 1000 } }
}

async function measureStarts(
  command: readonly string[],
  { size, repeat }: Options,
  shows: ScreenCondition,
): Promise<Start> {
  const all: Start[] = []
  for (let n = 0; n < repeat; n++) {
    const { screen, start } = await startTui(command, size, shows)
    all.push(start)
    await screen.close()
  }
  return { wall: median(all.map(({ wall }) => wall)), cpu: median(all.map(({ cpu }) => cpu)) }
}

/** Presses a key `times` times, each time after the frame of the previous press; returns the milliseconds of each. */
async function measureKeys(screen: TerminalScreen, key: string, times: number): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const before = screen.text()
    const at = performance.now()
    screen.press(key)
    await screen.waitFor(now => now.text() !== before)
    took.push(performance.now() - at)
  }
  return took
}

/** What a user does on the items screen: scrolls, jumps, opens pictures, filters, sorts by name. */
async function walkThrough(command: readonly string[], { size }: Options) {
  const { screen } = await startTui(command, size, /› \d{4}-/)
  const peak = { resident: 0, tree: 0 }
  const measurePeaks = () => {
    peak.resident = Math.max(peak.resident, peakResidentOf(screen.pid))
    peak.tree = Math.max(peak.tree, memoryOf(screen.pid))
  }
  measurePeaks()
  const first = { ...peak }
  const down = await measureKeys(screen, 'down', presses)
  measurePeaks()
  const pages = await measureKeys(screen, 'pagedown', presses)
  measurePeaks()
  const ends = await measureKeys(screen, 'G', 1)
  ends.push(...(await measureKeys(screen, 'g', 1)))
  measurePeaks()
  screen.press('/')
  screen.type('rating:>=3')
  await screen.waitFor('rating:>=3')
  const at = performance.now()
  screen.press('enter')
  await screen.waitFor(/\/ rating:>=3 .*items {2}newest first/)
  const filtered = performance.now() - at
  measurePeaks()
  const named = performance.now()
  screen.press('>', '>')
  await screen.waitFor(/by name/)
  const ordered = performance.now() - named
  await measureKeys(screen, 'pagedown', 50)
  measurePeaks()
  await screen.close()
  return { first, peak, down, pages, ends, filtered, ordered }
}

async function measure(options: Options) {
  mkdirSync(cacheDirectory(), { recursive: true })
  const work = mkdtempSync(join(cacheDirectory(), 'tui-'))
  try {
    const product = productCommand(options.binary, work)
    const { data } = await webLibrary(product, options.items)
    const [runtime = 'bun'] = options.binary === undefined ? product : [process.execPath]
    const floor = await measureStarts(
      [runtime, '-e', "process.stdout.write('ready'); setInterval(() => {}, 1e6)"],
      options,
      'ready',
    )
    const command = [...product, '--data', data, 'tui']
    // A start to warm up: later ones read from the page cache.
    await measureStarts([...command, 'dashboard'], { ...options, repeat: 1 }, 'Collections')
    const dashboard = await measureStarts([...command, 'dashboard'], options, /› .+\d/)
    const items = await measureStarts([...command, 'items'], options, /› \d{4}-/)
    return { floor, dashboard, items, walk: await walkThrough([...command, 'items'], options) }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function rowsOf({ floor, dashboard, items, walk }: Awaited<ReturnType<typeof measure>>): Row[] {
  const megabytes = (bytes: number) => bytes / 1e6
  return [
    { name: 'start, dashboard', value: dashboard.wall, unit: 'ms', floor: floor.wall, reach: { most: 500 } },
    { name: '  processor time', value: dashboard.cpu, unit: 'ms', floor: floor.cpu },
    { name: 'start, items', value: items.wall, unit: 'ms', floor: floor.wall, reach: { most: 500 } },
    { name: '  processor time', value: items.cpu, unit: 'ms', floor: floor.cpu },
    { name: 'key to frame, a row down, p50', value: median(walk.down), unit: 'ms', reach: { most: 50 } },
    { name: '  p95', value: quantile(walk.down, 0.95), unit: 'ms' },
    { name: 'key to frame, a page down, p50', value: median(walk.pages), unit: 'ms', reach: { most: 50 } },
    { name: '  p95', value: quantile(walk.pages, 0.95), unit: 'ms' },
    { name: 'last row and back, the slower', value: Math.max(...walk.ends), unit: 'ms' },
    { name: 'a filter, until its rows', value: walk.filtered, unit: 'ms' },
    { name: 'another order, until its rows', value: walk.ordered, unit: 'ms' },
    { name: 'memory of the process, first frame', value: megabytes(walk.first.resident), unit: 'MB' },
    { name: 'memory of the process, largest', value: megabytes(walk.peak.resident), unit: 'MB', reach: { most: 250 } },
    { name: '  with the processes that draw previews', value: megabytes(walk.peak.tree), unit: 'MB' },
  ]
}

async function main() {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '1000000' },
      columns: { type: 'string', default: '120' },
      rows: { type: 'string', default: '40' },
      repeat: { type: 'string', default: '7' },
      binary: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const result = rowsOf(
    await measure({
      items: Number(values.items),
      size: { columns: Number(values.columns), rows: Number(values.rows) },
      repeat: Number(values.repeat),
      binary: values.binary,
    }),
  )
  const [load = 0] = loadavg()
  if (values.json) console.log(JSON.stringify({ items: Number(values.items), load, rows: result }))
  else {
    for (const line of rowsAsText(result)) console.log(line)
    console.log(`Load of the machine: ${load.toFixed(1)}.`)
  }
}

await main()
process.exit(0)
