/** `keepsake import`: copies missing files into a collection, or reads an export. */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Job } from '../../../schema/api/jobs.ts'
import type { PlannedCopy, PlannedImport, PlanReporter } from '../../../schema/api/plans.ts'
import { Failure } from '../../../schema/errors.ts'
import { plural } from '../../../schema/figures.ts'
import { printJobEnd } from '../../finish-job.ts'
import { jobCommand, type Started } from '../../job-command.ts'
import type { Output } from '../../output.ts'
import { type DryRun, printDryRun, requireStartable } from '../../plans/dry-run.ts'
import { planOption, writePlan } from '../../plans/plan-file.ts'
import { type LocalLibrary, requireLocalLibrary, resolveCollection, type Session } from '../../session.ts'

interface ImportOptions extends DryRun {
  plan?: string
  into: string
  from?: string
  guess?: boolean
}

/** What the argument `<source>` names. A collection takes precedence over a directory or file of the same name. */
type Source = { collection: number } | { directory: string } | { file: string }

async function resolveSource(session: Session, word: string): Promise<Source> {
  if (session.here === null) return { collection: (await resolveCollection(session, word)).id }
  const { library } = session.here
  const path = resolve(word)
  const known = library.collections.all().find(row => row.name === word || row.path === path)
  if (known !== undefined) return { collection: known.id }
  const { kindAtPath } = await import('../../../core/files/path-kind.ts')
  const place = kindAtPath(path)
  if (place === 'directory') return { directory: path }
  if (place === 'file') return { file: realpathSync(path) }
  if (place === 'other') throw new Failure('invalid', `${path} is not a regular file: pipes and devices are not read.`)
  return { collection: (await resolveCollection(session, word)).id }
}

function requireFittingFlags(word: string, source: Source, { guess, from, plan }: ImportOptions): void {
  const what = 'file' in source ? 'a file' : 'collection' in source ? 'a collection' : 'a directory'
  const refuse = (flag: string, needs: string) => {
    throw new Failure('invalid', `${flag} is for ${needs}: '${word}' is ${what}.`)
  }
  if (guess === true && !('directory' in source)) refuse('--guess', 'directories')
  if (from !== undefined && !('file' in source)) refuse('--from', 'exports')
  if (plan !== undefined && 'file' in source)
    throw new Failure('invalid', '--plan is for copying files. For an export, use --dry-run.')
}

/** Plans the import; fails if the import itself would be refused. */
async function planOf(
  session: Session,
  id: number,
  source: Exclude<Source, { file: string }>,
  guess: boolean,
  reporter: PlanReporter<PlannedCopy>,
): Promise<PlannedImport> {
  if ('collection' in source) {
    const params = { id, otherId: source.collection }
    await requireStartable(session, ({ collections }) => collections.import({ params }))
    return session.planner.import({ collection: id, other: source.collection }, reporter)
  }
  const { library, viewer } = requireLocalLibrary(session)
  const { directory } = source
  await requireStartable(session, () => library.importDirectory(viewer, id, directory, { guess }))
  return library.plans.import(viewer, { id, directory, guess }, reporter)
}

async function dryRunCopy(
  session: Session,
  id: number,
  source: Exclude<Source, { file: string }>,
  guess: boolean,
): Promise<Started> {
  const { output, signal } = session
  const reporter = {
    signal,
    report({ from, to, reason }: PlannedCopy) {
      if (output.json) output.object({ type: 'copy', from, to, reason })
      else if (to === null) output.line(`fails   ${forTerminal(from)}: ${forTerminal(reason)}`)
      else output.line(`copies  ${forTerminal(from)} -> ${forTerminal(to)}`)
    },
  }
  const { counts, message } = await planOf(session, id, source, guess, reporter)
  const { copied, skipped, failed } = counts
  const why = message === '' ? '' : ` ${message}`
  const others = `${skipped} skipped, ${failed} cannot be copied`
  output.end(
    { dryRun: true, ...counts },
    `${plural(copied, 'item')} would be copied, ${others}.${why} Nothing was changed.`,
  )
  return { exit: failed > 0 ? 3 : 0 }
}

/** Prints the export's lines that have no item and, in a dry run, what would change. Returns the counts. */
function printRestore(
  { output, signal }: Session,
  { library, viewer }: LocalLibrary,
  request: { id: number; file: string; from?: string },
  dryRun: boolean,
): { items: number; changed: number; unmatched: number } {
  const shown = 20
  const counts = { items: 0, changed: 0, unmatched: 0 }
  const { words, items } = library.restore.plan(viewer, request)
  for (const word of dryRun ? words : []) {
    if (output.json) output.object({ ...word, type: word.type })
    else output.line(`${word.change.padEnd(8)} ${word.type} ${forTerminal(word.name)}`)
  }
  for (const one of items) {
    signal.throwIfAborted()
    counts.items++
    if (one.item === null) {
      counts.unmatched++
      if (output.json) output.object({ type: 'unmatched', path: one.path })
      else if (dryRun) output.line(`no item  ${forTerminal(one.path)}`)
      else if (counts.unmatched <= shown) output.warn(`  ${forTerminal(one.path)}: not in the collection`)
    } else if (one.changes.length > 0) {
      counts.changed++
      if (!dryRun) continue
      if (output.json) output.object({ type: 'item', ...one })
      else output.line(`changes  ${forTerminal(one.path)}: ${one.changes.join(', ')}`)
    }
  }
  if (!dryRun && !output.json && counts.unmatched > shown) output.warn(`  and ${counts.unmatched - shown} more`)
  return counts
}

async function restore(session: Session, id: number, file: string, options: ImportOptions): Promise<Started> {
  const { output } = session
  const here = requireLocalLibrary(session)
  const request = { id, file, ...(options.from === undefined ? {} : { from: options.from }) }
  const dryRun = options.dryRun === true
  if (dryRun) await requireStartable(session, () => here.library.restore.start(here.viewer, request))
  const counts = printRestore(session, here, request, dryRun)
  if (!dryRun) return { job: await here.library.restore.start(here.viewer, request) }
  const { items, changed, unmatched } = counts
  printDryRun(output, `${changed} of ${plural(items, 'item')} would be changed, ${unmatched} not found.`, counts)
  return { exit: counts.unmatched > 0 ? 3 : 0 }
}

/** A restore counts export lines without an item as problems, but `keepsake problems` does not list them. */
function end(row: Job, output: Output, title: string): number {
  if (row.kind !== 'restore') return printJobEnd(row, output, title)
  const code = printJobEnd({ ...row, problems: 0 }, output, title)
  return code === 0 && row.problems > 0 ? 3 : code
}

export function importCommand(): Command {
  return new Command('import')
    .description('copy new files from a directory or another collection, or restore an export')
    .argument('<source>', 'directory, name or id of a collection, or a file of `keepsake export`')
    .requiredOption('--into <collection>', 'collection to copy to, or to restore the export into')
    .option('--guess', "use the file's date if no other is known (directories only)")
    .option('--from <name>', 'collection of the export, if it has several')
    .option('--dry-run', 'print what would be copied or changed, without changing anything')
    .addOption(planOption())
    .action((word: string, options: ImportOptions, command: Command) =>
      jobCommand(
        command,
        'Import',
        async session => {
          const { id } = await resolveCollection(session, options.into)
          const source = await resolveSource(session, word)
          requireFittingFlags(word, source, options)
          if ('file' in source) return restore(session, id, source.file, options)
          const guess = options.guess === true
          if (options.plan !== undefined) {
            const work = { command: 'import' as const, collection: id, source, guess }
            return writePlan(session, options.plan, work, options)
          }
          if (options.dryRun === true) return dryRunCopy(session, id, source, guess)
          if ('collection' in source) {
            const params = { id, otherId: source.collection }
            return { job: (await session.client.collections.import({ params })).taskid }
          }
          const { library, viewer } = requireLocalLibrary(session)
          return { job: await library.importDirectory(viewer, id, source.directory, { guess }) }
        },
        end,
      ),
    )
}
