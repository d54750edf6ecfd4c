/** `npm test`: lint, types, the build, tests and browser walks, counted together in the last line. */
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
const stepLimitMs = (process.argv.includes('--long') ? 180 : 40) * 60 * 1000
/** How many test files run side by side. With at least two, the crash of one file does not end the whole run. */
const parallelFiles = Math.max(2, Math.min(4, availableParallelism()))

const strict = process.env.KEEPSAKE_CI === '1'
let passed = 0
const failures: string[] = []
const skips: string[] = []
/** Tests that failed once and then passed: a race, of the test or of the program. */
const unsteady: string[] = []

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

/** Runs a command that passes or fails as a whole. */
async function check(name: string, command: string[]) {
  heading(name)
  if ((await run(command)) === 0) passed++
  else failures.push(name)
}

/** Runs such commands one after the other. */
async function checkAll(commands: Record<string, string[]>) {
  for (const [name, command] of Object.entries(commands)) await check(name, command)
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return value.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => entities[entity] ?? '')
}

/** One test as its runner reported it; `file` is relative to the project. */
interface Case {
  file: string
  name: string
  state: 'passed' | 'failed' | 'skipped'
}

/** Reads a JUnit report; a file that did not report at all is one failed case. */
function casesOf(report: string, files: string[]): Case[] {
  const cases: Case[] = []
  for (const [, tag = '', rest] of report.matchAll(/<testcase(\s[^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const file = relative(root, resolve(root, attribute(tag, 'file')))
    const group = attribute(tag, 'classname')
    const name = `${file}: ${group === '' ? '' : `${group} › `}${attribute(tag, 'name')}`
    const state = rest?.includes('<failure') ? 'failed' : rest?.includes('<skipped') ? 'skipped' : 'passed'
    cases.push({ file, name, state })
  }
  for (const file of files) {
    if (cases.some(one => one.file === file)) continue
    cases.push({ file, name: `${file}: reported nothing (it could not be loaded, or holds no test)`, state: 'failed' })
  }
  return cases
}

function record(cases: Case[]) {
  passed += cases.filter(({ state }) => state === 'passed').length
  failures.push(...cases.filter(({ state }) => state === 'failed').map(({ name }) => name))
  skips.push(...cases.filter(({ state }) => state === 'skipped').map(({ name }) => name))
}

interface TestOptions {
  parallel: number
  timeoutMs: number
  environment?: Record<string, string>
}

/** Runs test files with `bun test`. */
async function runTests(name: string, files: string[], options: TestOptions): Promise<Case[]> {
  if (files.length === 0) return []
  heading(name)
  const report = join(reports, `${name.replaceAll(' ', '-')}.xml`)
  rmSync(report, { force: true })
  const code = await run(
    [
      process.execPath,
      'test',
      `--parallel=${options.parallel}`,
      '--no-orphans',
      '--only-failures',
      `--timeout=${options.timeoutMs}`,
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      ...files.map(file => `./${file}`),
    ],
    options.environment,
  )
  const cases = casesOf(existsSync(report) ? readFileSync(report, 'utf8') : '', files)
  if (code === 0 || cases.some(({ state }) => state === 'failed')) return cases
  return [...cases, { file: '', name: `${name}: bun test ended with ${code}`, state: 'failed' }]
}

/**
 * Runs test files side by side. Many of them start processes, terminals and browsers, which are late now and then on a
 * busy machine. Files that failed therefore run again, one at a time. A test that passes only then is listed as
 * unsteady; a test that fails twice has failed.
 */
async function runWithRetry(name: string, files: string[], options: TestOptions): Promise<Case[]> {
  const first = await runTests(name, files, options)
  const again = files.filter(file => first.some(one => one.file === file && one.state === 'failed'))
  const second = await runTests(`${name} that failed once`, again, { ...options, parallel: 1 })
  const failed = (cases: Case[], test: string) => cases.some(one => one.name === test && one.state === 'failed')
  unsteady.push(...second.map(one => one.name).filter(test => failed(first, test) && !failed(second, test)))
  return [...first.filter(({ file }) => !again.includes(file)), ...second]
}

const anyOf = (...names: string[]) => names.some(name => Bun.which(name) !== null)

/** Reports missing programs and samples. Tests that need them are skipped. */
function reportMissing() {
  const samples = resolve(root, process.env.KEEPSAKE_SAMPLES ?? '../shared/samples')
  const needs = [
    {
      name: 'chromium',
      there: anyOf('chromium-headless-shell', 'chromium', 'google-chrome'),
      without: 'no browser walks',
    },
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

interface RunOptions {
  long: boolean
  binary: string | null
  parts: string[]
}

function parseArguments(args: string[]): RunOptions {
  const options: RunOptions = { long: false, binary: null, parts: [] }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--long') options.long = true
    else if (arg === '--binary' && args[at + 1] !== undefined) options.binary = resolve(args[++at] ?? '')
    else if (!arg.startsWith('-')) options.parts.push(arg)
    else {
      console.error(usage)
      process.exit(arg === '--help' || arg === '-h' ? 0 : 2)
    }
  }
  return options
}

async function runAll({ long, binary, parts }: RunOptions) {
  mkdirSync(reports, { recursive: true })
  const binaryTest = 'tests/binary.test.ts'
  if (binary !== null) {
    const environment = { KEEPSAKE_BINARY: binary }
    record(await runTests('the executable', [binaryTest], { parallel: 1, timeoutMs: 300_000, environment }))
    return
  }
  reportMissing()
  const chosen = testFiles().filter(
    file => file !== binaryTest && (parts.length === 0 || parts.some(part => file.includes(part))),
  )
  if (chosen.length === 0) failures.push(`no test file's path contains ${parts.join(' or ')}`)
  const walks = chosen.filter(file => file.startsWith('tests/walks/'))
  const longTests = chosen.filter(file => file.startsWith('tests/long/'))
  const rest = chosen.filter(file => !walks.includes(file) && !longTests.includes(file))

  if (parts.length === 0) {
    const tool = (name: string) => join(root, 'node_modules/.bin', name)
    await Promise.all([
      checkAll({
        lint: [tool('biome'), 'check', '.'],
        'nothing unused': [tool('knip'), '--no-config-hints'],
        'nothing for tests alone': [tool('knip'), '--production', '--no-config-hints'],
      }),
      checkAll({ types: [tool('tsc'), '--noEmit'], 'types of the web': [tool('tsc'), '--noEmit', '-p', 'web'] }),
    ])
  }
  // The tests start hundreds of commands. The executable starts four times as fast as the source, and users run it.
  const isWholeRun = parts.length === 0
  if (isWholeRun) await check('build of the web and the executable', [process.execPath, 'build.ts'])
  else await check('build of the web', [process.execPath, 'build.ts', 'web', '--if-stale'])
  const program = join(root, 'dist/keepsake')
  const environment: Record<string, string> = {
    ...(isWholeRun && existsSync(program) ? { TESTED_PROGRAM: program } : {}),
    ...(long ? { LONG_TESTS: '1' } : {}),
  }
  record(
    await runWithRetry('tests', rest, { parallel: parallelFiles, timeoutMs: long ? 300_000 : 60_000, environment }),
  )
  record(await runWithRetry('browser walks', walks, { parallel: parallelFiles, timeoutMs: 180_000, environment }))
  if (long || parts.length > 0) {
    record(await runTests('long tests', longTests, { parallel: 1, timeoutMs: 1_800_000, environment }))
  }
}

function printSummary() {
  if (skips.length > 0) {
    heading(`${skips.length} SKIPPED${strict ? ' (they count as failures, because KEEPSAKE_CI is 1)' : ''}`)
    for (const name of skips) console.log(`SKIPPED  ${name}`)
  }
  if (unsteady.length > 0) {
    heading(`${unsteady.length} PASSED ONLY THE SECOND TIME`)
    for (const name of unsteady) console.log(`UNSTEADY ${name}`)
  }
  if (failures.length > 0) {
    heading(`${failures.length} FAILED`)
    for (const name of failures) console.log(`FAILED   ${name}`)
  }
  const failed = failures.length + (strict ? skips.length : 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}

await runAll(parseArguments(process.argv.slice(2)))
printSummary()
