/** `keepsake transfer`: moves items with their files into another collection. */
import { Command } from 'commander'
import { collectionOf } from '../collection-of.ts'
import { forTerminal, plural } from '../output.ts'
import { type TaskOptions, type TaskSession, task } from '../task-command.ts'

interface TransferOptions extends TaskOptions {
  to: string
  query?: string
  items?: string
}

async function chosen({ library, viewer, output }: TaskSession, { query, items }: TransferOptions): Promise<number[]> {
  const { Failure } = await import('../../schema/errors.ts')
  if ((query === undefined) === (items === undefined))
    throw new Failure('invalid', 'Which items? Give --query or --items.')
  if (items !== undefined) {
    if (!/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/.test(items))
      throw new Failure('invalid', '--items takes ids joined by commas.')
    const ids = items.split(',').map(Number)
    const missing = ids.find(id => library.db.get('SELECT 1 FROM items WHERE id = ?', id) === null)
    if (missing !== undefined) throw new Failure('notFound', `There is no item ${missing}.`)
    return ids
  }
  const found = library.items.idsOf(viewer, 0, { q: query }, { most: 100_000 }).ids
  if (found.length === 0) throw new Failure('notFound', 'No items available')
  if (found.length === 100_000) output.warn('At most 100,000 items go at once: the same command moves the others.')
  return found
}

async function dryRun({ library, viewer, output }: TaskSession, to: { id: number; name: string }, ids: number[]) {
  const plans = await library.plans.transfer(viewer, to.id, ids)
  const names = new Map(library.collections.all().map(row => [row.id, row.name]))
  for (const { collection, from, fails, ...plan } of plans) {
    const name = names.get(collection) ?? ''
    if (output.json) output.object({ type: 'move', collection: name, from, fails, ...plan })
    else {
      const place = forTerminal(from === '' ? `item ${plan.item}` : `${name}/${from}`)
      if (plan.to === null) output.line(`stays  ${place}: ${forTerminal(plan.reason)}`)
      else output.line(`moves  ${place} -> ${forTerminal(`${to.name}/${plan.to}`)}`)
    }
  }
  const moves = plans.filter(plan => plan.to !== null).length
  const failed = plans.filter(({ fails }) => fails).length
  const stay = plans.length - moves - failed
  if (output.json) output.object({ type: 'summary', schema: 1, dryRun: true, moves, stay, failed })
  else {
    const others = failed === 0 ? '' : ` ${failed} can’t be moved,`
    output.say(`${plural(moves, 'item')} would be moved,${others} ${stay} would stay. Nothing was changed.`)
  }
  return { exit: failed > 0 ? 3 : 0 }
}

export function transferCommand(): Command {
  return new Command('transfer')
    .description('move items with their files into another collection')
    .requiredOption('--to <collection>', 'name, id or directory')
    .option('--query <query>', 'items that this finds (as in the search box)')
    .option('--items <ids>', 'ids of items, joined by commas')
    .option('--dry-run', 'say what would be moved where, and change nothing')
    .option('--json', 'one object a line, ending with a summary')
    .option('--quiet', 'print nothing but problems')
    .action((options: TransferOptions, command: Command) =>
      task(command, options, 'Transfer', async session => {
        const { library, viewer } = session
        const target = await collectionOf(library, options.to)
        const items = await chosen(session, options)
        if (options.dryRun === true) return dryRun(session, target, items)
        const { taskid } = await library.as(viewer).collections.transfer({ params: { id: target.id }, body: { items } })
        return { job: taskid }
      }),
    )
}
