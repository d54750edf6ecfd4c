/** `keepsake item`: list, show and change items; changes are one step of the history. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { ItemDetails, ItemSort } from '../../../schema/api/items.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { itemSorts } from '../../../schema/limits.ts'
import { chosenItemIds, type ItemChoice, itemPages, withMissingItemNamed } from '../../items/item-choice.ts'
import { cellOf, fieldNames, fieldValue, itemObject, parseFieldNames, usualFields } from '../../items/item-fields.ts'
import { runJob, undoWords } from '../../job-command.ts'
import { requireAtMostOne } from '../../options.ts'
import { type DryRun, dryRunOption, printDryRun, requireStartable } from '../../plans/dry-run.ts'
import { inSession, parseId, resolveCollection, type Session, withNotFoundMessage } from '../../session.ts'
import { quotesHelp } from './explain.ts'
import { tagCommand } from './item-tag.ts'

interface ListOptions {
  collection?: string
  limit?: number
  album?: number
  sort?: ItemSort
  fields?: string
  recycled?: boolean
  missing?: boolean
}

export function countNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above zero.')
  return Number(text)
}

export async function listItems(session: Session, q: string, options: ListOptions): Promise<number> {
  const { output } = session
  requireAtMostOne({ '--recycled': options.recycled, '--missing': options.missing })
  const which = options.recycled === true ? 'deleted' : options.missing === true ? 'missing' : 'live'
  const collectionId = options.collection === undefined ? 0 : (await resolveCollection(session, options.collection)).id
  const fields = options.fields === undefined ? null : parseFieldNames(options.fields)
  const { limit, sort, album } = options
  let listed = 0
  let all = 0
  for await (const { items, total } of itemPages(session, { q, collectionId, which, limit, sort, album })) {
    all = total
    if (output.json) {
      for (const item of items) {
        if (fields === null) output.object(itemObject(item))
        else output.object({ type: 'item', ...Object.fromEntries(fields.map(name => [name, fieldValue(item, name)])) })
      }
    } else if (fields !== null) {
      for (const item of items) output.line(fields.map(name => forTerminal(cellOf(fieldValue(item, name)))).join('\t'))
    } else {
      const rows = items.map(item => usualFields.map(name => cellOf(fieldValue(item, name))))
      if (items.length > 0)
        output.table(rows, listed === 0 ? ['ID', 'TAKEN', 'KIND', 'RATING', 'PATH', 'KEYWORDS'] : undefined)
    }
    listed += items.length
  }
  output.end(
    { items: listed, total: all },
    listed === 0
      ? 'No items available.'
      : listed < all
        ? `${figure(listed)} of ${plural(all, 'item')}.`
        : plural(all, 'item'),
  )
  return 0
}

function rowsOf(item: ItemDetails): string[][] {
  const { camera } = item
  const given: [string, string | number | null | undefined][] = [
    ['id', item.id],
    ['file', item.path],
    ['collection', `${item.collection} (${item.collection_id})`],
    ['kind', `${item.type} ${item.mime}`],
    ['size', `${figure(item.size)} bytes, ${item.width} × ${item.height}`],
    ['duration', item.duration === null ? null : `${item.duration} s`],
    ['taken', `${item.taken_at} (from: ${item.date_source})`],
    ...['rating', 'rotation', 'description', 'keywords', 'category', 'author', 'people', 'objects', 'place'].map(
      (name): [string, string] => [name, cellOf(fieldValue(item, name))],
    ),
    [
      'position',
      item.tags.Locations?.data.latitude == null
        ? null
        : `${item.tags.Locations.data.latitude}, ${item.tags.Locations.data.longitude}`,
    ],
    ['camera', [camera.make, camera.model, camera.lens].filter(part => part !== undefined).join(' ')],
    ['problem', item.problem],
    ...item.files.map((file): [string, string] => [file.role, `${file.name}, ${figure(file.size)} bytes`]),
  ]
  return given.flatMap(([name, value]) => (value == null || value === '' ? [] : [[name, String(value)]]))
}

async function show({ client, output }: Session, word: string): Promise<number> {
  const id = parseId(word, 'item', 'keepsake item list')
  const item = await withNotFoundMessage(`There is no item ${id}.`, client.items.get({ params: { id } }))
  if (output.json) output.object(itemObject(item))
  else output.table(rowsOf(item))
  output.end({ items: 1 })
  return 0
}

type ChangeOptions = ItemChoice & DryRun & { left?: boolean }

type Change = 'recycle' | 'restore' | 'rotate'

interface ChangeResult {
  taskid: number | null
  step: string
  changed: number | null
}

function unchangedText(change: Change, unchanged: number): string {
  const why = change === 'restore' ? 'not in the recycle bin' : 'unchanged'
  return unchanged === 0 ? '' : `, ${figure(unchanged)} ${why}`
}

const has = (item: ItemDetails, name: 'Deleted' | 'Missing') => item.properties.some(one => one.name === name)

/** The line of a dry run that says how the item would change; null if nothing would change. */
async function dryRunLine(
  session: Session,
  change: Change,
  id: number,
  direction: 'left' | 'right',
): Promise<string | null> {
  const item = await withNotFoundMessage(`There is no item ${id}.`, session.client.items.get({ params: { id } }))
  if (change === 'recycle' && (has(item, 'Deleted') || has(item, 'Missing'))) return null
  if (change === 'restore' && !has(item, 'Deleted')) return null
  if (change !== 'rotate') return `${change}s  ${id}  ${item.path}`
  const now = Number(fieldValue(item, 'rotation'))
  return `rotates  ${id}  ${item.path}: ${now}° -> ${(now + (direction === 'right' ? 90 : 270)) % 360}°`
}

async function changeItems(
  session: Session,
  words: readonly string[],
  change: Change,
  options: ChangeOptions,
): Promise<number> {
  const { client, output } = session
  const direction = options.left === true ? 'left' : 'right'
  const items = await chosenItemIds(session, words, options, { which: change === 'restore' ? 'deleted' : 'live' })
  const body = { items }
  const apply = async (request: Session['client']): Promise<ChangeResult> =>
    change === 'rotate'
      ? { changed: null, ...(await request.items.rotateMany({ body: { items, direction } })) }
      : change === 'recycle'
        ? request.items.removeMany({ body })
        : request.items.restoreMany({ body })
  if (options.dryRun === true) {
    await withMissingItemNamed(session, items, requireStartable(session, apply))
    let unchanged = 0
    for (const id of items) {
      const says = await dryRunLine(session, change, id, direction)
      if (says === null) unchanged++
      else if (output.json) output.object({ type: 'change', item: id, change })
      else output.line(forTerminal(says))
    }
    const changing = items.length - unchanged
    const words = `${plural(changing, 'item')} would be changed${unchangedText(change, unchanged)}.`
    return printDryRun(output, words, { items: changing, unchanged })
  }
  const { taskid, step, changed } = await withMissingItemNamed(session, items, apply(client))
  const titles = { recycle: 'Recycle', restore: 'Restore', rotate: 'Rotate' }
  if (taskid !== null) return runJob(session, titles[change], async () => ({ job: taskid, step }))
  const done = { recycle: 'recycled', restore: 'restored', rotate: 'rotated' }
  const did = changed ?? items.length
  const unchanged = items.length - did
  // If nothing changed, the history has no step.
  output.end(
    { items: did, unchanged, ...(did === 0 ? {} : { step }) },
    `${plural(did, 'item')} ${done[change]}${unchangedText(change, unchanged)}.`,
  )
  if (did > 0) output.say(undoWords(step))
  return 0
}

function addChangeCommand(
  item: Command,
  change: Change,
  query = 'items that match this query (as in the search box)',
): Command {
  return item
    .command(change)
    .argument('[ids...]', 'item ids; without any, or with -, they are read from standard input')
    .option('--query <query>', query)
    .option(...dryRunOption)
    .action(
      inSession((session, words: string[], options: ChangeOptions) => changeItems(session, words, change, options), {
        stopsCleanly: true,
      }),
    )
}

export function itemCommand(): Command {
  const item = new Command('item').description('find, show, tag, rotate and recycle items')
  item
    .command('list')
    .description('list items that match a query (as in the search box; see: keepsake explain), newest first')
    .argument(
      '[query...]',
      'words, keyword:beach, year:2019, rating:>=4, -type:video … Default: all items. Put -- before a query that begins with -',
    )
    .option('--collection <collection>', 'only this collection: name, id or directory')
    .option('--limit <n>', 'maximum number of items', countNumber)
    .addOption(new Option('--sort <order>', 'order').choices(itemSorts).default('-taken'))
    .option(
      '--fields <names>',
      `only these fields, comma-separated; printed with tabs between: ${fieldNames.join(', ')}`,
    )
    .option('--recycled', 'items in the recycle bin')
    .option('--missing', 'items whose file is gone')
    .addHelpText('after', `\n${quotesHelp}`)
    .action(inSession((session, words: string[], options: ListOptions) => listItems(session, words.join(' '), options)))
  item
    .command('show')
    .description('show everything known about an item')
    .argument('<id>', 'id of the item')
    .action(inSession(show))
  item.addCommand(tagCommand())
  addChangeCommand(item, 'rotate')
    .description('rotate items by 90 degrees; their files are not changed')
    .option('--left', 'anticlockwise')
  addChangeCommand(item, 'recycle').description('move items to the recycle bin')
  addChangeCommand(
    item,
    'restore',
    'items in the recycle bin that match this query (as in the search box)',
  ).description('restore items from the recycle bin')
  return item
}
