/** `keepsake sort`: puts the files of a managed collection into its folders. */
import { Command } from 'commander'
import { collectionOf } from '../collection-of.ts'
import { forTerminal, plural } from '../output.ts'
import { type TaskOptions, type TaskSession, task } from '../task-command.ts'

async function dryRun({ library, viewer, output }: TaskSession, id: number, guess: boolean) {
  const { moves } = await library.as(viewer).collections.sortPlan({ params: { id }, query: { guess } })
  for (const move of moves) {
    if (output.json) output.object({ type: 'move', ...move })
    else if (move.to === null) output.line(`stays  ${forTerminal(move.from)}: ${forTerminal(move.reason)}`)
    else output.line(`moves  ${forTerminal(move.from)} -> ${forTerminal(move.to)}`)
  }
  const moved = moves.filter(({ to }) => to !== null).length
  const stay = moves.length - moved
  if (output.json) output.object({ type: 'summary', schema: 1, dryRun: true, moves: moved, stay })
  else output.say(`${plural(moved, 'item')} would be moved, ${stay} would stay. Nothing was changed.`)
  return { exit: 0 }
}

export function sortCommand(): Command {
  return new Command('sort')
    .description('sort the files of a managed collection into its folders')
    .argument('<collection>', 'name, id or directory')
    .option('--dry-run', 'say what would be moved, and change nothing')
    .option('--guess', 'also items that only their file dates')
    .option('--json', 'one object a line, ending with a summary')
    .option('--quiet', 'print nothing but problems')
    .action((word: string, options: TaskOptions & { guess?: boolean }, command: Command) =>
      task(command, options, 'Sort', async session => {
        const { library, viewer } = session
        const { id } = await collectionOf(library, word)
        const guess = options.guess === true
        if (options.dryRun === true) return dryRun(session, id, guess)
        return { job: (await library.as(viewer).collections.sort({ params: { id }, query: { guess } })).taskid }
      }),
    )
}
