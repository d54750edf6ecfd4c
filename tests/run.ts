/** `npm test`: lint, types, the pages' build, all tests and browser walks, counted together into one last line. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'

const usage = `usage: bun tests/run.ts [--long] [--binary FILE] [PART OF A TEST FILE'S PATH …]
  --long           also tests/long, which takes much longer
  --binary FILE    only the tests of that executable
  PART …           only the test files whose path contains one of these, without lint and types`

const root = join(import.meta.dir, '..')
const reports = join(root, 'tests/.output')
/** A step that hangs is ended, so that the last line always comes. */
const stepLimitMs = (process.argv.includes('--long') ? 180 : 25) * 60 * 1000
/** Two processors or more: files run side by side. A crash of one is then its own failure, not the end of all. */
const width = Math.max(2, Math.min(4, availableParallelism()))

const strict = process.env.KEEPSAKE_CI === '1'
let passed = 0
const failures: string[] = []
const skips: string[] = []

async function run(command: string[], environment: Record<string, string> = {}): Promise<number> {
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    timeout: stepLimitMs,
    killSignal: 'SIGKILL',
  })
  const code = await child.exited
  if (child.signalCode !== null) console.log(`(ended by ${child.signalCode})`)
  return child.signalCode === null ? code : 1
}

function heading(name: string) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 90 - name.length))}`)
}

/** One command that is either right or not. */
async function check(name: string, command: string[]) {
  heading(name)
  if ((await run(command)) === 0) passed++
  else failures.push(name)
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return value.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => entities[entity] ?? '')
}

/** Reads a JUnit report: which cases passed, failed or were skipped, and which of `files` did not report at all. */
function count(report: string, files: string[]) {
  const silent = new Set(files)
  for (const [, tag = '', rest] of report.matchAll(/<testcase(\s[^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const file = relative(root, resolve(root, attribute(tag, 'file')))
    silent.delete(file)
    const group = attribute(tag, 'classname')
    const name = `${file}: ${group === '' ? '' : `${group} › `}${attribute(tag, 'name')}`
    if (rest?.includes('<failure')) failures.push(name)
    else if (rest?.includes('<skipped')) skips.push(name)
    else passed++
  }
  for (const file of silent) failures.push(`${file}: reported nothing (it could not be loaded, or holds no test)`)
}

/** Runs test files with `bun test`. */
async function tests(
  name: string,
  files: string[],
  options: { width: number; timeoutMs: number; environment?: Record<string, string> },
) {
  if (files.length === 0) return
  heading(name)
  const report = join(reports, `${name.replaceAll(' ', '-')}.xml`)
  const before = failures.length
  const code = await run(
    [
      process.execPath,
      'test',
      `--parallel=${options.width}`,
      '--no-orphans',
      '--only-failures',
      `--timeout=${options.timeoutMs}`,
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      ...files.map(file => `./${file}`),
    ],
    options.environment,
  )
  count(existsSync(report) ? readFileSync(report, 'utf8') : '', files)
  if (code !== 0 && failures.length === before) failures.push(`${name}: bun test ended with ${code}`)
}

/** What some tests need of the machine; without it they are skipped. */
function lookForTools() {
  const samples = resolve(root, process.env.KEEPSAKE_SAMPLES ?? '../shared/samples')
  const needs = [
    { name: 'chromium', there: Bun.which('chromium') ?? Bun.which('google-chrome'), without: 'no browser walks' },
    { name: 'ffmpeg', there: Bun.which('ffmpeg'), without: 'no tests of video' },
    { name: 'ffprobe', there: Bun.which('ffprobe'), without: 'no tests of video' },
    { name: `samples at ${samples}`, there: existsSync(samples), without: 'no tests on real photographs' },
  ]
  for (const { name, there, without } of needs) {
    if (there !== null && there !== false) continue
    console.log(`MISSING: ${name} (${without})`)
    if (strict) failures.push(`missing: ${name}`)
  }
}

function testFiles(): string[] {
  const glob = new Bun.Glob('tests/**/*.test.{ts,tsx}')
  return [...glob.scanSync({ cwd: root })].sort()
}

interface Wish {
  long: boolean
  binary: string | null
  parts: string[]
}

function wishOf(args: string[]): Wish {
  const wish: Wish = { long: false, binary: null, parts: [] }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--long') wish.long = true
    else if (arg === '--binary' && args[at + 1] !== undefined) wish.binary = resolve(args[++at] ?? '')
    else if (!arg.startsWith('-')) wish.parts.push(arg)
    else {
      console.error(usage)
      process.exit(arg === '--help' || arg === '-h' ? 0 : 2)
    }
  }
  return wish
}

async function runAll({ long, binary, parts }: Wish) {
  mkdirSync(reports, { recursive: true })
  for (const old of new Bun.Glob('*.xml').scanSync({ cwd: reports })) rmSync(join(reports, old))
  const ofBinary = 'tests/binary.test.ts'
  if (binary !== null) {
    await tests('the executable', [ofBinary], {
      width: 1,
      timeoutMs: 300_000,
      environment: { KEEPSAKE_BINARY: binary },
    })
    return
  }
  lookForTools()
  const chosen = testFiles().filter(
    file => file !== ofBinary && (parts.length === 0 || parts.some(part => file.includes(part))),
  )
  if (chosen.length === 0) failures.push(`no test file's path contains ${parts.join(' or ')}`)
  const walks = chosen.filter(file => file.startsWith('tests/walks/'))
  const lengthy = chosen.filter(file => file.startsWith('tests/long/'))
  const rest = chosen.filter(file => !walks.includes(file) && !lengthy.includes(file))

  if (parts.length === 0) {
    const tool = (name: string) => join(root, 'node_modules/.bin', name)
    await check('lint', [tool('biome'), 'check', '.'])
    await check('types', [tool('tsc'), '--noEmit'])
    await check('types of the web', [tool('tsc'), '--noEmit', '-p', 'web'])
  }
  await check('build of the web', [process.execPath, 'build.ts', 'web', '--if-stale'])
  await tests('tests', rest, { width, timeoutMs: 60_000 })
  // One browser at a time: two on two processors are slow enough to look broken.
  await tests('browser walks', walks, { width: 1, timeoutMs: 180_000 })
  if (long || parts.length > 0) await tests('long tests', lengthy, { width: 1, timeoutMs: 1_800_000 })
}

function tell() {
  if (skips.length > 0) {
    heading(`${skips.length} SKIPPED${strict ? ' (a failure here, for KEEPSAKE_CI is 1)' : ''}`)
    for (const name of skips) console.log(`SKIPPED  ${name}`)
  }
  if (failures.length > 0) {
    heading(`${failures.length} FAILED`)
    for (const name of failures) console.log(`FAILED   ${name}`)
  }
  const failed = failures.length + (strict ? skips.length : 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}

await runAll(wishOf(process.argv.slice(2)))
tell()
