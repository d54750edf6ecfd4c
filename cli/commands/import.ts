/** `keepsake import`: copies of files that a collection lacks, or an export that is read again. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { JobRow } from '../../core/job-row.ts'
import { collectionOf } from '../collection-of.ts'
import { forTerminal, type Output, plural } from '../output.ts'
import { endOfTask } from '../run-task.ts'
import { type Started, type TaskOptions, type TaskSession, task } from '../task-command.ts'

interface ImportOptions extends TaskOptions {
  into: string
  from?: string
  guess?: boolean
}

/** What a word means: a collection wins over a directory or file of its name. */
type Source = { collection: number } | { directory: string } | { file: string }

async function sourceOf({ library }: TaskSession, word: string): Promise<Source> {
  const path = resolve(word)
  const known = library.collections.all().find(row => row.name === word || row.path === path)
  if (known !== undefined) return { collection: known.id }
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return { directory: path }
  if (found?.isFile() === true) return { file: realpathSync(path) }
  return { collection: (await collectionOf(library, word)).id }
}

/** Files that would be copied. */
async function dryCopy(
  { library, viewer, output, signal }: TaskSession,
  id: number,
  source: Exclude<Source, { file: string }>,
  guess: boolean,
): Promise<Started> {
  const wish = 'directory' in source ? { id, directory: source.directory, guess } : { id, otherId: source.collection }
  const { counts, message } = await library.plans.import(viewer, wish, {
    signal,
    tell(copy) {
      if (output.json) output.object({ type: 'copy', ...copy })
      else if (copy.to === null) output.line(`fails   ${forTerminal(copy.from)}: ${forTerminal(copy.reason)}`)
      else output.line(`copies  ${forTerminal(copy.from)} -> ${forTerminal(copy.to)}`)
    },
  })
  const { copied, skipped, failed } = counts
  if (output.json) output.object({ type: 'summary', schema: 1, dryRun: true, ...counts })
  else {
    const why = message === '' ? '' : ` ${message}`
    const others = `${skipped} skipped, ${failed} can’t be copied`
    output.say(`${plural(copied, 'item')} would be copied, ${others}.${why} Nothing was changed.`)
  }
  return { exit: failed > 0 ? 3 : 0 }
}

/** Lines of an export that the collection has no item for are told in any case; others where it is only looked. */
function tellRestore(
  { library, viewer, output, signal }: TaskSession,
  wish: { id: number; file: string; from?: string },
  dryRun: boolean,
): { items: number; changed: number; unmatched: number } {
  const shown = 20
  const counts = { items: 0, changed: 0, unmatched: 0 }
  const { words, items } = library.restore.plan(viewer, wish)
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
      else if (counts.unmatched <= shown) output.warn(`  ${forTerminal(one.path)}: the collection has no such picture`)
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

async function restore(session: TaskSession, id: number, file: string, options: ImportOptions): Promise<Started> {
  const { library, viewer, output } = session
  const wish = { id, file, ...(options.from === undefined ? {} : { from: options.from }) }
  const dryRun = options.dryRun === true
  const counts = tellRestore(session, wish, dryRun)
  if (!dryRun) return { job: await library.restore.start(viewer, wish) }
  if (output.json) output.object({ type: 'summary', schema: 1, dryRun: true, ...counts })
  else {
    const { items, changed, unmatched } = counts
    output.say(`${changed} of ${plural(items, 'item')} would be changed, ${unmatched} not found. Nothing was changed.`)
  }
  return { exit: counts.unmatched > 0 ? 3 : 0 }
}

/** What an export says of pictures that are not there is no problem of a file. */
function end(row: JobRow, output: Output, signal: AbortSignal, title: string): number {
  if (row.kind !== 'restore') return endOfTask(row, output, signal, title)
  const code = endOfTask({ ...row, problems: 0 }, output, signal, title)
  return code === 0 && row.problems > 0 ? 3 : code
}

export function importCommand(): Command {
  return new Command('import')
    .description('copy what a directory or a collection has and another collection lacks; or read an export again')
    .argument('<source>', 'directory, name or id of a collection, or a file of `keepsake export`')
    .requiredOption('--into <collection>', 'where it is copied to, or whose items an export tells of')
    .option('--guess', 'sort by the date of the file where no other is known (directories)')
    .option('--from <name>', 'which collection of an export, where it has several')
    .option('--dry-run', 'say what would be copied or changed, and change nothing')
    .option('--json', 'one object a line, ending with a summary')
    .option('--quiet', 'print nothing but problems')
    .action((word: string, options: ImportOptions, command: Command) =>
      task(
        command,
        options,
        'Import',
        async session => {
          const { library, viewer } = session
          const { id } = await collectionOf(library, options.into)
          const source = await sourceOf(session, word)
          if ('file' in source) return restore(session, id, source.file, options)
          const guess = options.guess === true
          if (options.dryRun === true) return dryCopy(session, id, source, guess)
          if ('directory' in source)
            return { job: await library.importDirectory(viewer, id, source.directory, { guess }) }
          const params = { id, otherId: source.collection }
          return { job: (await library.as(viewer).collections.import({ params })).taskid }
        },
        end,
      ),
    )
}
