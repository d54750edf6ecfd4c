/** `keepsake scan`: brings collections up to date with their directories. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { Viewer } from '../../../core/accounts/access.ts'
import type { CollectionRow } from '../../../core/collections/collections.ts'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Library } from '../../../core/library.ts'
import type { Progress } from '../../../core/work/job-kind.ts'
import type { JobRow } from '../../../core/work/job-row.ts'
import { Failure } from '../../../schema/errors.ts'
import { plural } from '../../../schema/figures.ts'
import { interruption } from '../../exit.ts'
import { createDisplay, progressObjects } from '../../finish-job.ts'
import { type Creation, openFor, optionsOf } from '../../options.ts'
import { type Output, shellWord } from '../../output.ts'
import { withOutput } from '../../session.ts'
import type { DryRunTarget } from './scan-dry-run.ts'
import { type ScanOptions, scanOnServer } from './scan-on-server.ts'
import { awaitUnlessBusy, printProblemCount, printProblems } from './scan-problems.ts'

interface Target {
  row: CollectionRow
  below: string | null
  isNew: boolean
}

const figureNames = [
  'collections',
  'found',
  'new',
  'changed',
  'moved',
  'missing',
  'failed',
  'problems',
  'seconds',
] as const

/** The figures of one scan, or of all: fields of the summary that ends `--json`. */
type Summary = Record<(typeof figureNames)[number], number>

function summaryOf(of: (name: keyof Summary) => number): Summary {
  return Object.fromEntries(figureNames.map(name => [name, of(name)])) as Summary
}

function numberTo64(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > 64)
    throw new InvalidArgumentError('It must be a number from 1 to 64.')
  return Number(text)
}

async function resolveTargets(library: Library, viewer: Viewer, word: string, options: ScanOptions): Promise<Target[]> {
  if (options.all === true) {
    const rows = library.collections.all()
    if (rows.length === 0) throw new Failure('notFound', 'There are no collections. Create one with: keepsake scan DIR')
    return rows.map(row => ({ row, below: null, isNew: false }))
  }
  if (options.dryRun === true) return [library.collections.preview(viewer, word)]
  return [{ ...(await library.collections.resolve(viewer, word, { create: true })), isNew: false }]
}

function summaryLine(name: string, summary: Summary): string {
  const parts = [
    plural(summary.found, 'file'),
    `${summary.new} new`,
    `${summary.changed} changed`,
    `${summary.moved} moved`,
    `${summary.missing} missing`,
    `${summary.failed} failed`,
  ]
  return `${name}: ${parts.join(', ')} in ${summary.seconds.toFixed(1)} s`
}

function summaryOfJob(row: JobRow, startedAt: number): Summary {
  const counts: Partial<Summary> = JSON.parse(row.counts)
  const seconds = (performance.now() - startedAt) / 1000
  return { ...summaryOf(name => counts[name] ?? 0), collections: 1, problems: row.problems, seconds }
}

interface Scanning {
  library: Library
  viewer: Viewer
  options: ScanOptions
  output: Output
  signal: AbortSignal
}

/** Runs a queued job and shows its progress; returns null if another process has taken it. */
async function runWithDisplay(
  { library, output, signal }: Scanning,
  id: number,
  title: string,
  report = (_: Progress) => {},
) {
  const display = await createDisplay(output)
  display?.begin(title)
  const onProgress = (progress: Progress) => {
    display?.update(progress)
    report(progress)
  }
  return library.jobs.run(id, { signal, onProgress }).finally(() => display?.end())
}

async function scanOne(scanning: Scanning, { row, below }: Target) {
  const { library, viewer, options, output } = scanning
  const startedAt = performance.now()
  const id = await library.jobs.enqueue(
    viewer,
    'scan',
    {
      collectionId: row.id,
      below: below === null ? '' : Buffer.from(below).toString('base64'),
      full: options.full === true,
      acceptMissing: options.acceptMissing === true,
      jobs: options.jobs ?? 0,
    },
    { inProcess: true },
  )
  const ended = await runWithDisplay(
    scanning,
    id,
    `Scanning ${row.name}`,
    progressObjects(output, { collection: row.name }),
  )
  if (ended === null) throw new Error('another process has taken the scan that was just queued')
  return { ended, summary: summaryOfJob(ended, startedAt) }
}

/** Returns null for the error `busy`: another process is doing the same work. Rethrows any other error. */
function skipBusy(error: unknown): null {
  if (error instanceof Failure && error.code === 'busy') return null
  throw error
}

/** If faces cannot be searched on this machine, prints a warning and returns null: the scan itself has succeeded. */
const warnWithoutFaces = (output: Output, kind: string) => (error: unknown) => {
  if (kind !== 'faces' || !(error instanceof Failure && error.code === 'unavailable')) throw error
  output.warn(`keepsake: ${error.message}`)
  return null
}

/** Background work that a server would do: tags into files, medium pictures, places, faces, the nightly copy. */
async function runSecondPass(scanning: Scanning): Promise<{ cancelled: boolean }> {
  const { library, viewer, options, output, signal } = scanning
  const { countMediumDue } = await import('../../../core/scan/renditions-job.ts')
  const { countPlacesDue } = await import('../../../core/places/places-job.ts')
  const { isServerRunning } = await import('../../../core/kernel/data/server-lock.ts')
  const wantsFaces = options.faces ?? library.settings['faces.scan']
  const { copyIsDue, copyKind } = await import('../../../core/exchange/backup/copy-job.ts')
  const facesDue = () => (wantsFaces ? library.foundFaces.due(viewer, {}) : 0)
  const writing = library.metadata
    .due()
    .map(collectionId => ({ kind: 'metadata-write', title: 'Tags into files', due: () => 1, input: { collectionId } }))
  const passes = [
    ...writing,
    { kind: 'places', title: 'Place names', due: countPlacesDue, input: {} },
    { kind: 'renditions', title: 'Medium pictures', due: countMediumDue, input: { jobs: options.jobs ?? 0 } },
    { kind: 'faces', title: 'Faces', due: facesDue, input: {} },
    { kind: copyKind, title: 'Copy of the database', due: () => (copyIsDue(library) ? 1 : 0), input: {} },
  ]
  for (const { kind, title, due, input } of passes) {
    if (due(library.db) === 0) continue
    if (signal.aborted) return { cancelled: true }
    if (isServerRunning(library.data)) {
      await library.jobs.enqueue(viewer, kind, input).catch(() => {})
      continue
    }
    const id = await library.jobs.enqueue(viewer, kind, input, { inProcess: true }).catch(skipBusy)
    const ended = id === null ? null : await runWithDisplay(scanning, id, title).catch(warnWithoutFaces(output, kind))
    if (ended?.state === 'cancelled') return { cancelled: true }
  }
  return { cancelled: false }
}

async function scan(word: string | undefined, options: ScanOptions, command: Command, output: Output): Promise<number> {
  const signal = interruption()
  const { terminalViewer } = await import('../../../core/accounts/access.ts')
  const what = word?.trim() === '' ? undefined : word
  if (options.all === true && what !== undefined) throw new Failure('invalid', 'Give a collection or --all, not both.')
  if (options.all !== true && what === undefined)
    throw new Failure('invalid', 'Give a directory, a collection, or --all.')
  const library = await openFor(command, { create: await creationFor(what, options) })
  const scanning: Scanning = { library, viewer: terminalViewer, options, output, signal }
  const targets = await resolveTargets(library, terminalViewer, what ?? '', options)
  const { requireCollectionsApart } = await import('../../../core/collections/apart.ts')
  if (existsSync(library.data))
    requireCollectionsApart(
      library.data,
      targets.map(({ row }) => row),
    )
  if (options.dryRun === true) {
    const code = await dryRunHere(scanning, targets)
    library.close()
    return code
  }
  let total = summaryOf(() => 0)
  let stopped = 0
  let cancelled = false
  let busy = 0
  for (const target of targets) {
    const scanned = await awaitUnlessBusy(output, target.row, targets.length === 1, scanOne(scanning, target))
    if (scanned === null) {
      busy++
      continue
    }
    const { ended, summary } = scanned
    const before = total
    total = summaryOf(name => before[name] + summary[name])
    printProblems(output, target.row.name, library.problems.list(terminalViewer, target.row.id), ended.id)
    if (output.json)
      output.object({ type: 'collection', id: target.row.id, name: target.row.name, state: ended.state, ...summary })
    cancelled ||= ended.state === 'cancelled'
    if (cancelled) break
    if (ended.state === 'stopped') {
      stopped++
      output.warn(`keepsake: ${forTerminal(target.row.name)}: ${forTerminal(ended.message)}`)
      const { rootState } = await import('../../../core/survey/safety.ts')
      if (rootState(target.row.path).kind !== 'unreadable') {
        output.warn(`If the files are really gone: keepsake scan ${shellWord(target.row.name)} --accept-missing`)
      }
    } else output.say(summaryLine(forTerminal(target.row.name), summary))
  }
  const second = cancelled ? { cancelled } : await runSecondPass(scanning)
  // A Ctrl-C after everything was done did not interrupt anything.
  const interrupted = second.cancelled
  const state = interrupted ? 'interrupted' : stopped > 0 ? 'stopped' : busy > 0 ? 'busy' : 'done'
  if (output.json) output.end({ state, ...total })
  else if (interrupted) output.warn('Interrupted. The results so far are kept; the next scan continues from here.')
  if (!interrupted) printProblemCount(output, total.problems)
  library.close()
  if (interrupted) return 130
  if (stopped > 0) return 7
  if (busy > 0) return 11
  return total.problems > 0 ? 3 : 0
}

async function dryRunHere({ library, options, output, signal }: Scanning, targets: readonly Target[]) {
  const { full = false, acceptMissing = false } = options
  const { forecast } = await import('../../../core/upkeep/forecast.ts')
  const { dryRun } = await import('./scan-dry-run.ts')
  const inspected = targets.map(({ row, below, isNew }) => {
    const request = { below: Buffer.from(below ?? ''), full, acceptMissing, signal }
    const predict: DryRunTarget['predict'] = report => forecast(library.db, row, request, report)
    return { name: row.name, path: row.path, isNew, predict }
  })
  return dryRun(inspected, output)
}

/** Only an existing directory justifies creating a library: cron's `--data` may be misspelt, or its disk missing. */
async function creationFor(word: string | undefined, { dryRun }: ScanOptions): Promise<Creation> {
  const { kindAtPath } = await import('../../../core/files/path-kind.ts')
  const isDirectory = (path: string) => {
    try {
      return kindAtPath(path) === 'directory'
    } catch {
      // This user may not read the path. The word may name a collection; if not, the scan is refused later.
      return false
    }
  }
  if (word === undefined || !isDirectory(resolve(word))) return false
  if (dryRun === true) return 'pretend'
  return async empty =>
    empty.collections.preview((await import('../../../core/accounts/access.ts')).terminalViewer, word)
}

export function scanCommand(): Command {
  return new Command('scan')
    .description('update a collection from its directory; a new directory becomes a collection')
    .argument('[what]', 'directory, or name or id of a collection')
    .option('--all', 'every collection')
    .option('--dry-run', 'print what a scan would do, without changing anything')
    .option('--full', 'open every file again, even if it looks unchanged')
    .option('--accept-missing', 'override the safety stop: mark missing files as missing, however many')
    .option('--faces', 'then look for faces on new pictures')
    .option('--new', 'if the database is damaged or missing, set its remains aside and start a new library')
    .option('--jobs <n>', 'number of pictures decoded at the same time', numberTo64)
    .addHelpText(
      'after',
      `
Exit codes: 0 done, 3 done with problems, 7 safety stop, 11 a scan of that collection is already running, 130 interrupted.
Cron: 15 3 * * * keepsake scan --all --quiet`,
    )
    .action((word: string | undefined, options: ScanOptions, command: Command) => {
      if (optionsOf(command).server !== undefined) return scanOnServer(word, options, command)
      return withOutput(command, output => scan(word, options, command, output))
    })
}
