/** `keepsake transfer`: moves items with their files into another collection. */
import { Command } from 'commander'
import type { PlannedTransfer } from '../../../schema/api/plans.ts'
import { chosenItemIds, type ItemChoice, withMissingItemNamed } from '../../items/item-choice.ts'
import { jobCommand } from '../../job-command.ts'
import { type DryRun, printMove, printMoveCounts, requireStartable } from '../../plans/dry-run.ts'
import { planOption, writePlan } from '../../plans/plan-file.ts'
import { collectionNames, resolveCollection, type Session } from '../../session.ts'

interface TransferOptions extends ItemChoice, DryRun {
  to: string
  plan?: string
}

const maxItems = 100_000

async function dryRun(session: Session, to: { id: number; name: string }, ids: number[]) {
  const { output, signal } = session
  const request = { params: { id: to.id }, body: { items: ids } }
  await requireStartable(session, ({ collections }) => collections.transfer(request))
  const plans: PlannedTransfer[] = []
  const report = (plan: PlannedTransfer) => void plans.push(plan)
  await session.planner.transfer({ collection: to.id, items: ids }, { signal, report })
  const names = await collectionNames(session)
  for (const { collection, from, fails, ...plan } of plans) {
    const name = names.get(collection) ?? ''
    if (output.json) output.object({ type: 'move', collection: name, from, fails, ...plan })
    else printMove(output, from === '' ? `item ${plan.item}` : `${name}/${from}`, { fails, ...plan }, `${to.name}/`)
  }
  return printMoveCounts(output, plans)
}

export function transferCommand(): Command {
  return new Command('transfer')
    .description('move items with their files to another collection')
    .argument('[ids...]', 'item ids; - reads them from standard input')
    .requiredOption('--to <collection>', 'name, id or directory')
    .option('--query <query>', 'items that match this query (as in the search box)')
    .option('--items <ids>', 'item ids, comma-separated')
    .option('--dry-run', 'print what would be moved where, without moving anything')
    .addOption(planOption())
    .action((words: string[], options: TransferOptions, command: Command) =>
      jobCommand(command, 'Transfer', async session => {
        const target = await resolveCollection(session, options.to)
        const items = await chosenItemIds(session, words, options, { maxItems })
        if (options.plan !== undefined) {
          const work = { command: 'transfer' as const, collection: target.id, items }
          return withMissingItemNamed(session, items, writePlan(session, options.plan, work, options))
        }
        if (options.dryRun === true) return withMissingItemNamed(session, items, dryRun(session, target, items))
        const started = session.client.collections.transfer({ params: { id: target.id }, body: { items } })
        const { taskid, step } = await withMissingItemNamed(session, items, started)
        return { job: taskid, step }
      }),
    )
}
