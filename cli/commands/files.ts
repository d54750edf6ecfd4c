/** Commands that move, copy or write files of collections: `sort`, `import`, `transfer`, `meta`. */
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Library } from '../../core/library.ts'
import { collectionOf } from '../collection-of.ts'
import { endWith, interruption } from '../exit.ts'
import { openFor } from '../options.ts'
import { createOutput, endingWithSummary, forTerminal, type Output, plural } from '../output.ts'
import { endOfTask, runTask } from '../run-task.ts'

interface TaskOptions {
  json?: boolean
  quiet?: boolean
}

/** The job that stands in the way, where it only waits: a process that was killed has left it behind. */
async function leftBehind(error: unknown): Promise<{ id: number; kind: string } | null> {
  const { Failure } = await import('../../schema/errors.ts')
  if (!(error instanceof Failure) || error.code !== 'busy') return null
  const { job } = await import('../../schema/api/jobs.ts')
  const { data } = job.safeParse(error.current)
  return data?.state === 'queued' ? data : null
}

/** As often as one command finds something left behind. */
const mostLeftBehind = 5

/** Has a job queued. What a killed command has left unfinished in its way is brought to its end first. */
async function started(
  library: Library,
  output: Output,
  signal: AbortSignal,
  start: () => Promise<number | null>,
): Promise<number | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await start()
    } catch (error) {
      const left = await leftBehind(error)
      if (left === null || tries >= mostLeftBehind || signal.aborted) throw error
      const { id, kind } = left
      output.warn(`A ${kind} was interrupted. It is finished first.`)
      const row = await runTask(library, id, { title: kind, output, signal })
      if (row.state === 'cancelled' || signal.aborted) throw error
    }
  }
}

/** Opens the library, has a job queued by `start`, and brings it to its end. */
function task(
  command: Command,
  options: TaskOptions,
  title: string,
  start: (library: Library, output: Output) => Promise<number | null>,
): Promise<never> {
  const output = createOutput(options)
  return endWith(() =>
    endingWithSummary(output, async () => {
      const signal = interruption()
      const library = await openFor(command, { create: false })
      const id = await started(library, output, signal, () => start(library, output))
      if (id === null) {
        library.close()
        return 0
      }
      const row = await runTask(library, id, { title, output, signal })
      const code = endOfTask(row, output, signal, title)
      library.close()
      return code
    }),
  )
}

async function admin() {
  const { terminalViewer } = await import('../../core/access.ts')
  return terminalViewer
}

export function sortCommand(): Command {
  return new Command('sort')
    .description('sort the files of a managed collection into its folders')
    .argument('<collection>', 'name, id or directory')
    .option('--dry-run', 'say what would be moved, and change nothing')
    .option('--guess', 'also items that only their file dates')
    .option('--json', 'one object a line, ending with a summary')
    .option('--quiet', 'print nothing but problems')
    .action((word: string, options: TaskOptions & { dryRun?: boolean; guess?: boolean }, command: Command) =>
      task(command, options, 'Sort', async (library, output) => {
        const client = library.as(await admin())
        const { id } = await collectionOf(library, word)
        const query = { guess: options.guess === true }
        if (options.dryRun !== true) return (await client.collections.sort({ params: { id }, query })).taskid
        const { moves, total } = await client.collections.sortPlan({ params: { id }, query })
        for (const move of moves) {
          if (output.json) output.object({ type: 'move', ...move })
          else if (move.to === null) output.line(`stays  ${forTerminal(move.from)}: ${forTerminal(move.reason)}`)
          else output.line(`moves  ${forTerminal(move.from)} -> ${forTerminal(move.to)}`)
        }
        const moved = moves.filter(({ to }) => to !== null).length
        if (output.json) output.object({ type: 'summary', schema: 1, dryRun: true, moves: moved, total })
        else output.say(`${plural(moved, 'file')} of ${total} would be moved. Nothing was changed.`)
        return null
      }),
    )
}

export function importCommand(): Command {
  return new Command('import')
    .description('copy what a directory or a collection has and another collection lacks')
    .argument('<source>', 'directory, or name or id of a collection')
    .requiredOption('--into <collection>', 'where it is copied to')
    .option('--json', 'one object a line, ending with a summary')
    .option('--quiet', 'print nothing but problems')
    .action((source: string, options: TaskOptions & { into: string }, command: Command) =>
      task(command, options, 'Import', async library => {
        const viewer = await admin()
        const { id } = await collectionOf(library, options.into)
        const { statSync } = await import('node:fs')
        const known = library.collections.all().find(row => row.name === source || row.path === resolve(source))
        const isDirectory = statSync(resolve(source), { throwIfNoEntry: false })?.isDirectory() === true
        if (known === undefined && isDirectory) return library.importDirectory(viewer, id, resolve(source))
        const other = await collectionOf(library, source)
        return (await library.as(viewer).collections.import({ params: { id, otherId: other.id } })).taskid
      }),
    )
}

export function transferCommand(): Command {
  return new Command('transfer')
    .description('move items with their files into another collection')
    .requiredOption('--to <collection>', 'name, id or directory')
    .option('--query <query>', 'items that this finds (as in the search box)')
    .option('--items <ids>', 'ids of items, joined by commas')
    .option('--dry-run', 'say how many would be moved, and change nothing')
    .option('--json', 'one object a line, ending with a summary')
    .option('--quiet', 'print nothing but problems')
    .action(
      (options: TaskOptions & { to: string; query?: string; items?: string; dryRun?: boolean }, command: Command) =>
        task(command, options, 'Transfer', async (library, output) => {
          const viewer = await admin()
          const { Failure } = await import('../../schema/errors.ts')
          const target = await collectionOf(library, options.to)
          if ((options.query === undefined) === (options.items === undefined))
            throw new Failure('invalid', 'Which items? Give --query or --items.')
          if (options.items !== undefined && !/^[1-9]\d*(,[1-9]\d*)*$/.test(options.items))
            throw new Failure('invalid', '--items takes ids joined by commas.')
          const items =
            options.items === undefined
              ? library.items.idsOf(viewer, 0, { q: options.query }, { most: 100_000 }).ids
              : options.items.split(',').map(Number)
          if (items.length === 0) throw new Failure('notFound', 'No items available')
          if (options.dryRun === true) {
            if (output.json) output.object({ type: 'summary', schema: 1, dryRun: true, items: items.length })
            else output.say(`${plural(items.length, 'item')} would be moved to '${forTerminal(target.name)}'.`)
            return null
          }
          return (await library.as(viewer).collections.transfer({ params: { id: target.id }, body: { items } })).taskid
        }),
    )
}

export function metaCommand(): Command {
  const meta = new Command('meta').description('metadata of files')
  meta
    .command('import')
    .description('read the metadata of all files anew: it wins over what users wrote')
    .argument('<collection>', 'name, id or directory')
    .option('--json', 'one object a line, ending with a summary')
    .option('--quiet', 'print nothing but problems')
    .action((word: string, options: TaskOptions, command: Command) =>
      task(command, options, 'Metadata import', async library => {
        const { id } = await collectionOf(library, word)
        return (await library.as(await admin()).collections.importMetadata({ params: { id } })).taskid
      }),
    )
  meta
    .command('export')
    .description('write tags into sidecars, or into the files where the collection says so')
    .argument('<collection>', 'name, id or directory')
    .option('--json', 'one object a line, ending with a summary')
    .option('--quiet', 'print nothing but problems')
    .action((word: string, options: TaskOptions, command: Command) =>
      task(command, options, 'Metadata export', async library => {
        const { id } = await collectionOf(library, word)
        return (await library.as(await admin()).collections.exportMetadata({ params: { id } })).taskid
      }),
    )
  return meta
}
