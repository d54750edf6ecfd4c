/** `keepsake sort`: puts the files of a managed collection into its folders. */
import { Command } from 'commander'
import { jobCommand } from '../../job-command.ts'
import { type DryRun, printMove, printMoveCounts, requireStartable } from '../../plans/dry-run.ts'
import { planOption, writePlan } from '../../plans/plan-file.ts'
import { resolveCollection, type Session } from '../../session.ts'

interface SortOptions extends DryRun {
  guess?: boolean
  plan?: string
}

async function dryRun(session: Session, id: number, guess: boolean) {
  const { client, output } = session
  await requireStartable(session, ({ collections }) => collections.sort({ params: { id }, query: { guess } }))
  const { moves } = await client.collections.sortPlan({ params: { id }, query: { guess } })
  for (const move of moves) {
    if (output.json) output.object({ type: 'move', ...move })
    else printMove(output, move.from, move)
  }
  return printMoveCounts(output, moves)
}

export function sortCommand(): Command {
  return new Command('sort')
    .description('sort the files of a managed collection into its folders')
    .argument('<collection>', 'name, id or directory')
    .option('--dry-run', 'print what would be moved, without moving anything')
    .addOption(planOption())
    .option('--guess', 'include items dated only by their file')
    .action((word: string, options: SortOptions, command: Command) =>
      jobCommand(command, 'Sort', async session => {
        const { id } = await resolveCollection(session, word)
        const guess = options.guess === true
        if (options.plan !== undefined)
          return writePlan(session, options.plan, { command: 'sort', collection: id, guess }, options)
        if (options.dryRun === true) return dryRun(session, id, guess)
        const { taskid, step } = await session.client.collections.sort({ params: { id }, query: { guess } })
        return { job: taskid, step }
      }),
    )
}
