/** Measures time, CPU and memory of commands and every process that they start. Reads /proc, so it runs on Linux. */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { table } from '../cli/output.ts'
import { isCompiled } from '../core/kernel/worker-command.ts'

/** What a command has used until a certain time. */
export interface Usage {
  /** Since the command was started. */
  seconds: number
  /** CPU seconds of the first process. */
  ownCpu: number
  /** CPU seconds of the first process and all processes below it. */
  treeCpu: number
}

/** A line of `--json`, and what the command had used when it arrived. */
export interface JsonLine {
  at: Usage
  value: Record<string, unknown>
}

export interface Measured {
  code: number
  seconds: number
  /** User and system time of the process and its finished children, as the kernel counts it. */
  cpu: number
  jsonLines: JsonLine[]
  /** Proportional set size of all its processes together, every `sampleMs`. Bytes. */
  memory: { at: number; bytes: number }[]
  /** Share of all cores' time that everything else took meanwhile, including time stolen by other virtual machines. */
  others: number
  err: string
}

/** USER_HZ: the unit of CPU time in /proc, independent of the kernel's own clock. */
const ticksASecond = 100
const sampleMs = 100

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process may have ended.
    return null
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** A process and all running processes below it. */
export function treeOf(pid: number): number[] {
  const below = list(`/proc/${pid}/task`).flatMap(thread =>
    (read(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(text => text !== ''),
  )
  return [pid, ...below.flatMap(child => treeOf(Number(child)))]
}

/** Seconds of CPU: its own, and that of the finished children that it has waited for, with their children. */
function cpuOf(pid: number): { own: number; waited: number } {
  const stat = read(`/proc/${pid}/stat`) ?? ''
  // The name may hold spaces and brackets: fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const seconds = (from: number) => (Number(fields[from] ?? 0) + Number(fields[from + 1] ?? 0)) / ticksASecond
  return { own: seconds(11), waited: seconds(13) }
}

/** Seconds that all cores together were busy since the machine started, including time stolen by other machines. */
export function busySeconds(): number {
  const [line = ''] = (read('/proc/stat') ?? '').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + steal) / ticksASecond
}

export function usageOf(pid: number, startedAt = 0): Usage {
  const pids = treeOf(pid)
  const each = pids.map(cpuOf)
  return {
    seconds: (performance.now() - startedAt) / 1000,
    ownCpu: each[0]?.own ?? 0,
    treeCpu: each.reduce((sum, { own, waited }) => sum + own + waited, 0),
  }
}

/** Memory of a process and all below it; pages that several of them share count once. Bytes. */
export function memoryOf(pid: number): number {
  return treeOf(pid).reduce((sum, one) => {
    const found = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${one}/smaps_rollup`) ?? '')
    return sum + Number(found?.[1] ?? 0) * 1024
  }, 0)
}

/** Runs a command to its end. Records each line of `--json` with what the command had used when the line arrived. */
export async function measure(
  command: readonly string[],
  options: { environment?: Record<string, string>; input?: string; discard?: boolean } = {},
): Promise<Measured> {
  const startedAt = performance.now()
  const busyBefore = busySeconds()
  const child = Bun.spawn([...command], {
    stdin: options.input === undefined ? 'ignore' : Buffer.from(options.input),
    stdout: options.discard === true ? 'ignore' : 'pipe',
    stderr: 'pipe',
    env: { ...cleanEnvironment(), ...options.environment },
  })
  const memory: Measured['memory'] = []
  const sampler = setInterval(() => {
    memory.push({ at: (performance.now() - startedAt) / 1000, bytes: memoryOf(child.pid) })
  }, sampleMs)
  const jsonLines: JsonLine[] = []
  async function readLines() {
    if (child.stdout === undefined) return
    for await (const line of linesOf(child.stdout)) {
      if (line.startsWith('{')) jsonLines.push({ at: usageOf(child.pid, startedAt), value: JSON.parse(line) })
    }
  }
  const [err, code] = await Promise.all([new Response(child.stderr).text(), child.exited, readLines()])
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(sampler)
  const cpu = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
  const others = Math.max(0, busySeconds() - busyBefore - cpu) / (seconds * availableParallelism())
  return { code, seconds, cpu, jsonLines, memory, others, err }
}

/** Lines of a stream as they come. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of stream) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Largest sample between two times, in bytes. */
export function peakOf({ memory }: Measured, from = 0, to = Number.POSITIVE_INFINITY): number {
  return memory.reduce((peak, { at, bytes }) => (at >= from && at <= to ? Math.max(peak, bytes) : peak), 0)
}

/** The environment without settings of the user who measures. */
export function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('KEEPSAKE_'))
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
}

/**
 * The command line of the product: an executable, or this source. Source runs under a copy of Bun, as memory pages that
 * are shared with other Bun processes on the machine would otherwise count only in part.
 */
export function productCommand(binary: string | undefined, workDirectory: string): string[] {
  if (binary !== undefined) return [binary]
  if (isCompiled()) throw new Error('benchmarks run from source only')
  const runtime = join(workDirectory, 'bun')
  copyFileSync(process.execPath, runtime)
  return [runtime, join(import.meta.dir, '../cli/main.ts')]
}

/** Runs a command that must succeed; returns its measurements. */
export async function mustRun(command: readonly string[], input?: string): Promise<Measured> {
  const ran = await measure(command, input === undefined ? {} : { input })
  if (ran.code !== 0) throw new Error(`${command.join(' ')} ended with ${ran.code}: ${ran.err}`)
  return ran
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** The value below which a share of the numbers lies; NaN if there are none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** One figure of a result: the measured value, its floor, and the value to reach. */
export interface Row {
  name: string
  value: number
  unit: string
  floor?: number | undefined
  /** The figure to reach: a value of at most `most`, or of at least `least`. */
  reach?: { most: number } | { least: number } | undefined
}

function formatValue(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
}

function isReached({ value, reach }: Row): boolean {
  if (reach === undefined) return true
  return 'most' in reach ? value <= reach.most : value >= reach.least
}

/** The rows as a table with ratios, and whether each figure is reached. */
export function rowsAsText(rows: readonly Row[]): string[] {
  const lines = rows.map(row => {
    const { name, value, unit, floor, reach } = row
    const limit = reach === undefined ? '' : `${'most' in reach ? '≤' : '≥'} ${Object.values(reach)[0]} ${unit}`
    return [
      name,
      formatValue(value, unit),
      floor === undefined ? '' : formatValue(floor, unit),
      floor === undefined ? '' : (value / floor).toFixed(2),
      limit,
      reach === undefined ? '' : isReached(row) ? 'reached' : 'MISSED',
    ]
  })
  return table([['', 'product', 'floor', 'ratio', 'to reach', ''], ...lines])
}
