/** `keepsake item tag add|remove|set`: tag sets of many items, as one step of the history. */
import { Command } from 'commander'
import type { TypedMode } from '../../../core/editing/tag-input.ts'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { TagSetName } from '../../../schema/api/tags.ts'
import { Failure } from '../../../schema/errors.ts'
import { plural } from '../../../schema/figures.ts'
import { tagSetNames } from '../../../schema/limits.ts'
import { chosenItemIds, type ItemChoice, withMissingItemNamed } from '../../items/item-choice.ts'
import { cellOf, fieldValue } from '../../items/item-fields.ts'
import { runJob } from '../../job-command.ts'
import { type DryRun, printDryRun, requireStartable } from '../../plans/dry-run.ts'
import { inSession, type Session, withNotFoundMessage } from '../../session.ts'

type TagOptions = ItemChoice & DryRun

/** The parser of typed values, which is loaded only when the command runs. */
type TagInput = typeof import('../../../core/editing/tag-input.ts')

const fieldOf: Record<TagSetName, string> = {
  DateTimeOriginal: 'taken_at',
  Description: 'description',
  Category: 'category',
  Keywords: 'keywords',
  Author: 'author',
  Locations: 'place',
  People: 'people',
  Object: 'objects',
  Rating: 'rating',
}

function tagOf({ listTags }: TagInput, tag: TagSetName | null, word: string, mode: TypedMode): TagSetName {
  if (tag === null) throw new Failure('invalid', `There is no tag '${word}'. Tags: ${tagSetNames.join(', ')}.`)
  if (mode !== 'set' && !listTags.has(tag))
    throw new Failure('invalid', `${tag} has a single value: keepsake item tag set ${word} VALUE`)
  return tag
}

function valueAfter(tagInput: TagInput, before: string, tag: TagSetName, mode: TypedMode, value: string): string {
  const { listTags, splitEntries } = tagInput
  if (!listTags.has(tag) || mode === 'set') return listTags.has(tag) ? splitEntries(value).join('; ') : value
  const given = splitEntries(value)
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const had = splitEntries(before)
  if (mode === 'remove') return had.filter(one => !given.some(other => same(one, other))).join('; ')
  return [...had, ...given.filter(one => !had.some(other => same(one, other)))].join('; ')
}

async function dryRun(
  session: Session,
  tagInput: TagInput,
  { items, tag, mode, value }: { items: readonly number[]; tag: TagSetName; mode: TypedMode; value: string },
) {
  const { client, output } = session
  let changed = 0
  for (const id of items) {
    const item = await withNotFoundMessage(`There is no item ${id}.`, client.items.get({ params: { id } }))
    const before = cellOf(fieldValue(item, fieldOf[tag]))
    const after = valueAfter(tagInput, before, tag, mode, value)
    if (before === after) continue
    changed++
    if (output.json) output.object({ type: 'change', item: id, tag, before, after })
    else output.line(forTerminal(`changes  ${id}  ${item.path}: ${tag} '${before}' -> '${after}'`))
  }
  const more = { items: changed, unchanged: items.length - changed }
  return printDryRun(output, `${plural(changed, 'item')} would be changed.`, more)
}

async function change(session: Session, mode: TypedMode, given: [string, string, string[]], options: TagOptions) {
  const [word, value, words] = given
  const tagInput = await import('../../../core/editing/tag-input.ts')
  const tagName = tagOf(tagInput, tagInput.parseTagName(word), word, mode)
  const data = await tagInput.parseTagData(session.client, tagName, value)
  const items = await chosenItemIds(session, words, options)
  const body = { items, changes: [{ tagName, mode, data }] }
  if (options.dryRun === true) {
    await withMissingItemNamed(
      session,
      items,
      requireStartable(session, ({ tags }) => tags.bulk({ body })),
    )
    return dryRun(session, tagInput, { items, tag: tagName, mode, value })
  }
  const { taskid, step } = await withMissingItemNamed(session, items, session.client.tags.bulk({ body }))
  return runJob(session, tagName, async () => ({ job: taskid, step }))
}

const modeDescriptions: Record<TypedMode, string> = {
  add: 'add entries to a list: keywords, category, author, people, objects',
  remove: 'remove entries from a list',
  set: 'replace the value of a tag; an empty value removes it',
}

export function tagCommand(): Command {
  const tag = new Command('tag').description('change the tags of items')
  for (const mode of ['add', 'remove', 'set'] as const) {
    tag
      .command(mode)
      .description(modeDescriptions[mode])
      .argument('<tag>', tagSetNames.join(', '))
      .argument('<value>', mode === 'set' ? 'the value; separate list entries with ;' : 'entries, separated by ;')
      .argument('[ids...]', 'item ids; without any, or with -, they are read from standard input')
      .option('--query <query>', 'items that match this query (as in the search box)')
      .option('--dry-run', 'print what would change, without changing anything')
      .action(
        inSession(
          (session, word: string, value: string, words: string[], options: TagOptions) =>
            change(session, mode, [word, value, words], options),
          { stopsCleanly: true },
        ),
      )
  }
  return tag
}
