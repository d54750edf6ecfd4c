/** `keepsake history`: what was done, by whom, and undoing it. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { formatFullTime } from '../../../ink-tui/text.ts'
import type { HistoryStep } from '../../../schema/api/history.ts'
import { Failure } from '../../../schema/errors.ts'
import { figure } from '../../../schema/figures.ts'
import { runJob } from '../../job-command.ts'
import { type DryRun, printDryRun, requireStartable } from '../../plans/dry-run.ts'
import {
  collectionNames,
  inSession,
  parseId,
  resolveCollection,
  type Session,
  withNotFoundMessage,
} from '../../session.ts'
import { countNumber } from '../items/item.ts'

/** Maximum number of steps searched for an abbreviated id, or for 'last'. */
const maxStepsSearched = 2000

async function* stepsOf({ client }: Session, collectionId: number, item: number | undefined) {
  let before: number | undefined
  for (;;) {
    const query = { ...(before === undefined ? {} : { before }), ...(item === undefined ? {} : { item }) }
    const page = await client.history.list({ params: { collectionId }, query })
    yield* page.steps
    if (page.next === null) return
    before = page.next
  }
}

interface ListOptions {
  item?: string
  limit: number
}

async function list(session: Session, word: string | undefined, options: ListOptions): Promise<number> {
  const { output } = session
  const collection = word === undefined ? 0 : (await resolveCollection(session, word)).id
  const item = options.item === undefined ? undefined : parseId(options.item, 'item', 'keepsake item list')
  const names = await collectionNames(session)
  const rows: string[][] = []
  for await (const step of stepsOf(session, collection, item)) {
    if (rows.length === options.limit) break
    if (output.json) output.object({ type: 'step', ...step })
    rows.push([
      step.step.slice(0, 8),
      formatFullTime(step.at),
      step.username ?? '(terminal)',
      step.is_undo && step.operation !== 'undo' ? `undo of ${step.operation}` : step.operation,
      figure(step.items),
      step.undone ? 'undone' : step.undoable ? '' : 'final',
      step.item_name ?? (step.collection_id === null ? '' : (names.get(step.collection_id) ?? '')),
    ])
  }
  if (!output.json && rows.length > 0) output.table(rows, ['STEP', 'WHEN', 'WHO', 'WHAT', 'ITEMS', '', 'OF'])
  output.end({ steps: rows.length }, rows.length === 0 ? 'No changes yet.' : undefined)
  return 0
}

/**
 * The step whose id begins with `word`; a whole id is returned unchecked. 'last' is the newest step that is neither
 * undone nor itself an undo, so that repeating the command goes further back.
 */
async function resolveStep(session: Session, word: string): Promise<HistoryStep | string> {
  if (word.length >= 36) return word
  if (word !== 'last' && !/^[0-9a-f-]{4,}$/.test(word))
    throw new Failure('invalid', `'${word}' is not a step. See: keepsake history list`)
  const found: HistoryStep[] = []
  let inspected = 0
  for await (const step of stepsOf(session, 0, undefined)) {
    if (word === 'last' ? !step.undone && !step.is_undo : step.step.startsWith(word)) found.push(step)
    if ((word === 'last' && found.length > 0) || ++inspected === maxStepsSearched) break
  }
  const [first] = found
  if (first === undefined) throw new Failure('notFound', `There is no step '${word}'. See: keepsake history list`)
  // 'last' does not fall back to an older step: the user would not expect that one to be undone.
  if (word === 'last' && !first.undoable)
    throw new Failure(
      'conflict',
      `The last change (${first.operation}) cannot be undone. Choose another step: keepsake history list`,
    )
  if (found.length > 1) throw new Failure('conflict', `Several steps begin with '${word}'. Give more characters.`)
  return first
}

async function undo(session: Session, word: string, { dryRun = false }: DryRun): Promise<number> {
  const { client, output } = session
  const found = await resolveStep(session, word)
  const step = typeof found === 'string' ? found : found.step
  if (dryRun) {
    let shown = typeof found === 'string' ? null : found
    if (shown === null) for await (const one of stepsOf(session, 0, undefined)) if (one.step === step) shown = one
    if (shown === null) throw new Failure('notFound', `There is no step '${word}'. See: keepsake history list`)
    await requireStartable(session, client => client.history.undo({ params: { step } }))
    if (output.json) output.object({ type: 'step', ...shown })
    const { actorText, stepText } = await import('../../../schema/history-words.ts')
    const { at, item_name: name, items } = shown
    const of = name === null ? '' : `, ${forTerminal(name)}`
    return printDryRun(output, `Would undo: ${stepText(shown)}${of} (${actorText(shown)}, ${formatFullTime(at)}).`, {
      items,
    })
  }
  return runJob(session, 'Undo', async () => {
    const missing = `There is no step '${word}'. See: keepsake history list`
    const { taskid: job } = await withNotFoundMessage(missing, client.history.undo({ params: { step } }))
    return { job }
  })
}

export function historyCommand(): Command {
  const history = new Command('history').description('show what was done, by whom, and undo it')
  history
    .command('list', { isDefault: true })
    .description('list changes, newest first')
    .argument('[collection]', 'name, id or directory; without it, all collections')
    .option('--item <id>', 'only changes to this item')
    .option('--limit <n>', 'maximum number of steps', countNumber, 50)
    .action(inSession(list))
  history
    .command('undo')
    .description('undo a step; later changes are kept and reported')
    .argument(
      '<step>',
      "the step's id, or its beginning as listed; 'last' is the newest change that is neither undone nor an undo",
    )
    .option('--dry-run', 'print what would be undone, without changing anything')
    .action(inSession(undo, { stopsCleanly: true }))
  return history
}
