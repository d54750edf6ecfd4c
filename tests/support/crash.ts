/** Kills an operation at each of its system calls, and checks that nothing is lost or duplicated. */
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Viewer } from '../../core/accounts/access.ts'
import type { Library } from '../../core/library.ts'
import { startImport } from '../../core/moving/import-job.ts'
import { startSort } from '../../core/moving/sort-job.ts'
import { startTransfer } from '../../core/moving/transfer-job.ts'
import { cleanEnvironment } from './command.ts'
import {
  type DiskCollection,
  fileHashes,
  findFaults,
  listFiles,
  openMovingLibrary,
  openWorkerLibrary,
} from './moving-library.ts'

/** Directory that the child process creates once it has started, to find the operation's own calls in the trace. */
export const startMark = 'begin'

/** System calls that change files, including the database. A kill at the call after `openat` tests `openat`, too. */
const changing = [
  'rename',
  'renameat2',
  'linkat',
  'link',
  'unlink',
  'unlinkat',
  'mkdir',
  'mkdirat',
  'rmdir',
  'fsync',
  'fdatasync',
  'write',
  'pwrite64',
  'pwritev',
  'writev',
  'ftruncate',
  'utimensat',
  'fchmod',
]

/** A crash point: the n-th call of this name in one thread. */
export interface CrashPoint {
  call: string
  n: number
}

/** An operation, and the library for it: set up once, and restored before each attempt. */
export interface CrashCase {
  operation: 'sort' | 'transfer' | 'import' | 'purge'
  /** The data directory of the library. */
  data: string
  collections: readonly DiskCollection[]
  /** What `startOperation` gets as `ids`. */
  ids: readonly number[]
  /** What happens to the files. `changed`: some are deleted, and only those that should stay are checked. */
  files: 'moved' | 'copied' | 'changed'
}

export async function startOperation(
  library: Library,
  viewer: Viewer,
  operation: string,
  ids: readonly number[],
): Promise<number> {
  const [first = 0, ...rest] = ids
  if (operation === 'sort') return startSort(library, viewer, first, {}, { inProcess: true })
  if (operation === 'transfer') return startTransfer(library, viewer, first, rest, { inProcess: true })
  if (operation === 'purge') return library.jobs.enqueue(viewer, 'purge', { collectionId: first }, { inProcess: true })
  return startImport(library, viewer, { id: first, otherId: rest[0] ?? 0 }, { inProcess: true })
}

const bundles = new Map<string, Promise<string>>()

async function bundle(source: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [source], target: 'bun', packages: 'external' })
  // As far below the root as the source, so that the program finds its packages and its own command.
  const path = join(import.meta.dir, '../.output', `${basename(source, '.ts')}.js`)
  mkdirSync(dirname(path), { recursive: true })
  const written = `${path}.${process.pid}`
  await Bun.write(written, (await outputs[0]?.text()) ?? '')
  renameSync(written, path)
  return path
}

/** The command that runs a source file as one module, which starts twice as fast, above all under strace. */
export async function bundledCommand(source: string): Promise<string[]> {
  const made = bundles.get(source) ?? bundle(source)
  bundles.set(source, made)
  return [process.execPath, await made]
}

/** The command that runs a program under strace, or without it if there are no options. */
export function underStrace(options: readonly string[], program: readonly string[]): string[] {
  if (options.length === 0) return [...program]
  // Faster, because other calls do not stop the program. But strace cannot send signals then.
  const quick = options.some(option => option.includes('signal=')) ? [] : ['--seccomp-bpf']
  return ['strace', '-f', ...quick, ...options, ...program]
}

export const hasStrace = Bun.which('strace') !== null

function directoriesOf({ data, collections }: CrashCase): string[] {
  return [data, ...collections.flatMap(({ root, variants }) => [root, variants])]
}

/** Copies all directories of a case; returns a function that restores them. */
export function saveDirectories(testCase: CrashCase, directory: string): () => void {
  const pairs = directoriesOf(testCase).map((path, n) => ({ path, copy: join(directory, `kept-${n}`) }))
  for (const { path, copy } of pairs) {
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(path, { recursive: true })
    Bun.spawnSync(['cp', '-a', path, copy])
  }
  return () => {
    for (const { path, copy } of pairs) {
      rmSync(path, { recursive: true, force: true })
      Bun.spawnSync(['cp', '-a', copy, path])
    }
  }
}

/** Performs the operation under strace; returns whether it failed or was killed. */
async function runOperation(testCase: CrashCase, strace: string[]): Promise<boolean> {
  const { data, operation, ids } = testCase
  const command = await bundledCommand(join(import.meta.dir, 'crash-child.ts'))
  const program = [...command, JSON.stringify({ data, operation, ids })]
  const child = Bun.spawn(underStrace(strace, program), {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    env: cleanEnvironment(),
  })
  return (await child.exited) !== 0
}

/** Every crash point of the operation itself, found by tracing one run. */
export function crashPointsOf(testCase: CrashCase, directory: string): Promise<CrashPoint[]> {
  return crashPointsOfRun(strace => runOperation(testCase, strace), directory)
}

/** The crash points of a program that `run` starts under strace; `run` returns whether the program failed. */
export async function crashPointsOfRun(
  run: (strace: string[]) => Promise<boolean>,
  directory: string,
): Promise<CrashPoint[]> {
  const log = join(directory, 'trace')
  if (await run(['-e', `trace=${changing.join(',')}`, '-o', log])) throw new Error('the operation fails')
  const before = new Map<string, number>()
  const total = new Map<string, number>()
  let hasBegun = false
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const found = /^(\d+)\s+(\w+)\((.*)/.exec(line)
    if (found === null) continue
    const [, thread = '', call = '', rest = ''] = found
    const key = `${thread} ${call}`
    total.set(key, (total.get(key) ?? 0) + 1)
    if (!hasBegun) before.set(key, total.get(key) ?? 0)
    hasBegun ||= rest.includes(`/${startMark}"`)
  }
  const points = new Map<string, CrashPoint>()
  for (const [key, last] of total) {
    const [, call = ''] = key.split(' ')
    for (let n = (before.get(key) ?? 0) + 1; n <= last; n++) points.set(`${call} ${n}`, { call, n })
  }
  return [...points.values()].sort((a, b) => (a.call === b.call ? a.n - b.n : a.call < b.call ? -1 : 1))
}

/** Selects `count` of the points, the same ones for the same seed. */
export function selectPoints(points: readonly CrashPoint[], count: number, seed: number): CrashPoint[] {
  const keyed = points.map(point => ({ point, key: Bun.hash(`${seed} ${point.call} ${point.n}`) }))
  return keyed
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ point }) => point)
}

export interface CrashOutcome {
  point: CrashPoint
  /** False where the process never reached this call. */
  killed: boolean
  faults: string[]
}

function duplicateHashes(paths: readonly string[]): string[] {
  const contents = fileHashes(...paths)
  return contents.filter((hash, n) => contents.indexOf(hash) !== n)
}

/**
 * Kills the operation at one point, recovers as the server does at its start, and checks the result. Then repeats the
 * operation: it must end as if it had not been killed (`expected`: files of each collection after an undisturbed run).
 * Then scans: this must find no changes. `before` are the hashes of files that must remain.
 */
export async function crashAt(
  testCase: CrashCase,
  point: CrashPoint,
  before: readonly string[],
  expected: readonly string[][],
): Promise<CrashOutcome> {
  const killed = await runOperation(testCase, [
    '-o',
    '/dev/null',
    '-e',
    `trace=${point.call}`,
    '-e',
    `inject=${point.call}:signal=SIGKILL:when=${point.n}`,
  ])
  const faults: string[] = []
  const library = openWorkerLibrary(testCase.data)
  try {
    await library.jobs.recover()
    const moving = openMovingLibrary({ library, data: testCase.data, directory: testCase.data })
    const recovering = library.journal.recover()
    // Scans start while files are still being recovered: they must not find temporary files.
    if (testCase.operation === 'transfer') for (const collection of testCase.collections) await moving.scan(collection)
    await recovering
    for (const { name } of library.db.all<{ name: string }>('SELECT name FROM items WHERE missing IS NOT NULL'))
      faults.push(`${name} is missing`)
    const roots = testCase.collections.flatMap(({ root, variants }) => [root, variants])
    faults.push(...findFaults(library, testCase.collections, before))
    if (testCase.files === 'moved' && fileHashes(...roots).length !== before.length) faults.push('a file exists twice')
    const [target] = testCase.collections
    if (testCase.files === 'copied' && target !== undefined) {
      for (const hash of duplicateHashes([target.root])) faults.push(`${hash} is in the target twice`)
    }
    for (const { id } of library.jobs.waiting()) await moving.run(id)
    const { terminalViewer } = await import('../../core/accounts/access.ts')
    const again = await moving.run(await startOperation(library, terminalViewer, testCase.operation, testCase.ids))
    if (again.state !== 'done') faults.push(`the repeated operation ends as ${again.state}`)
    if ((again.figures.failed ?? 0) > 0) faults.push(`the repeated operation fails for ${again.figures.failed} items`)
    const now = testCase.collections.map(({ root }) => listFiles(root))
    if (JSON.stringify(now) !== JSON.stringify(expected))
      faults.push(`the repeated operation gives ${JSON.stringify(now)} and not ${JSON.stringify(expected)}`)
    faults.push(...findFaults(library, testCase.collections, before).map(fault => `after repeating: ${fault}`))
    for (const collection of testCase.collections) {
      const { figures } = await moving.scan(collection)
      const { found: _, ...changes } = figures
      if (Object.values(changes).some(n => n !== 0)) faults.push(`a scan finds ${JSON.stringify(changes)}`)
    }
  } catch (error) {
    faults.push(`recovery or a check throws: ${error instanceof Error ? error.stack : error}`)
  } finally {
    library.close()
  }
  return { point, killed, faults }
}

/** Runs the operation to its end and returns the files of each collection; the caller restores the directories. */
export async function runUndisturbed(testCase: CrashCase): Promise<string[][]> {
  const library = openWorkerLibrary(testCase.data)
  const { terminalViewer } = await import('../../core/accounts/access.ts')
  const job = await startOperation(library, terminalViewer, testCase.operation, testCase.ids)
  await library.jobs.run(job)
  library.close()
  return testCase.collections.map(({ root }) => listFiles(root))
}
