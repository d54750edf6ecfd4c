/** `keepsake item tag add|remove|set`: tag sets of many items, as one step of the history. */
import { Command } from 'commander'
import type { TagSetName } from '../../schema/api/tags.ts'
import { Failure } from '../../schema/errors.ts'
import { tagSetNames } from '../../schema/limits.ts'
import { chosenItems, type ItemChoice, namingMissing } from '../item-choice.ts'
import { cellOf, fieldValue } from '../item-fields.ts'
import { forTerminal, plural } from '../output.ts'
import { named, type Session, withSession } from '../session.ts'
import { doTask } from '../task-command.ts'

type Mode = 'add' | 'remove' | 'set'

interface TagOptions extends ItemChoice {
  dryRun?: boolean
}

/** Tag sets by the names that people type: as the search language calls them, too. */
const spoken: Record<string, TagSetName> = {
  ...Object.fromEntries(tagSetNames.map(name => [name.toLowerCase(), name])),
  keyword: 'Keywords',
  categories: 'Category',
  person: 'People',
  objects: 'Object',
  date: 'DateTimeOriginal',
  place: 'Locations',
  location: 'Locations',
}

/** The column that shows a tag set. */
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

const lists: ReadonlySet<TagSetName> = new Set(['Category', 'Keywords', 'Author', 'People', 'Object'])

function tagOf(word: string, mode: Mode): TagSetName {
  const tag = Object.hasOwn(spoken, word.toLowerCase()) ? spoken[word.toLowerCase()] : undefined
  if (tag === undefined)
    throw new Failure('invalid', `There is no tag '${word}'. There are: ${tagSetNames.join(', ')}.`)
  if (mode !== 'set' && !lists.has(tag))
    throw new Failure('invalid', `${tag} has one value: keepsake item tag set ${word} VALUE`)
  return tag
}

/** 'Beach; Sea' as two entries. */
function entriesOf(value: string): string[] {
  return value
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '')
}

async function peopleNamed({ client }: Session, wanted: readonly string[]): Promise<{ person: number }[]> {
  const known = await client.people.names()
  return wanted.map(name => {
    const of = new Set(known.filter(one => one.name.toLowerCase() === name.toLowerCase()).map(({ person }) => person))
    const [person] = of
    if (person === undefined) throw new Failure('notFound', `There is no person '${name}'. See: keepsake people list`)
    if (of.size > 1) throw new Failure('conflict', `Several people are called '${name}': ${[...of].join(', ')}.`)
    return { person }
  })
}

async function objectsNamed({ client }: Session, wanted: readonly string[]): Promise<{ object: number }[]> {
  const known = await client.objects.list()
  return wanted.map(name => {
    const found = known.find(one => one.name.toLowerCase() === name.toLowerCase())
    if (found === undefined) throw new Failure('notFound', `There is no object '${name}'.`)
    return { object: found.id }
  })
}

/** '48.1,11.6' or '48.1,11.6,Munich'; a name alone is the name of a place. */
function placeOf(value: string): unknown {
  if (value.trim() === '') return []
  const [, latitude, longitude, name] = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*(?:,\s*(.*))?$/.exec(value) ?? []
  if (latitude === undefined || longitude === undefined)
    return { latitude: null, longitude: null, placeName: value.trim() }
  return { latitude: Number(latitude), longitude: Number(longitude), placeName: name?.trim() ?? '' }
}

/** A value as the call takes it. */
async function dataOf(session: Session, tag: TagSetName, value: string): Promise<unknown> {
  if (tag === 'People') return peopleNamed(session, entriesOf(value))
  if (tag === 'Object') return objectsNamed(session, entriesOf(value))
  if (lists.has(tag)) return entriesOf(value)
  if (tag === 'Locations') return placeOf(value)
  if (tag !== 'Rating') return value
  if (!/^-?[0-5]$/.test(value)) throw new Failure('invalid', 'A rating is -1 to 5.')
  return Number(value)
}

/** How a tag set would read afterwards. */
function afterwards(before: string, tag: TagSetName, mode: Mode, value: string): string {
  if (!lists.has(tag) || mode === 'set') return lists.has(tag) ? entriesOf(value).join('; ') : value
  const given = entriesOf(value)
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const had = entriesOf(before)
  if (mode === 'remove') return had.filter(one => !given.some(other => same(one, other))).join('; ')
  return [...had, ...given.filter(one => !had.some(other => same(one, other)))].join('; ')
}

async function dryRun(session: Session, items: readonly number[], tag: TagSetName, mode: Mode, value: string) {
  const { client, output } = session
  let changed = 0
  for (const id of items) {
    const item = await named(`There is no item ${id}.`, client.items.get({ params: { id } }))
    const before = cellOf(fieldValue(item, fieldOf[tag]))
    const after = afterwards(before, tag, mode, value)
    if (before === after) continue
    changed++
    if (output.json) output.object({ type: 'change', item: id, tag, before, after })
    else output.line(forTerminal(`changes  ${id}  ${item.path}: ${tag} '${before}' -> '${after}'`))
  }
  output.end(
    { dryRun: true, items: changed, unchanged: items.length - changed },
    `${plural(changed, 'item')} would be changed. Nothing was changed.`,
  )
  return 0
}

async function change(session: Session, mode: Mode, given: [string, string, string[]], options: TagOptions) {
  const [word, value, words] = given
  const tagName = tagOf(word, mode)
  const data = await dataOf(session, tagName, value)
  const items = await chosenItems(session, words, options)
  if (options.dryRun === true) return dryRun(session, items, tagName, mode, value)
  const body = { items, changes: [{ tagName, mode, data }] }
  const { taskid, step } = await namingMissing(session, items, session.client.tags.bulk({ body }))
  return doTask(session, tagName, async () => ({ job: taskid, step }))
}

const about: Record<Mode, string> = {
  add: 'add entries to a list: keywords, category, author, people, objects',
  remove: 'take entries out of a list',
  set: 'set a tag set, whatever it is now; an empty value deletes it',
}

export function tagCommand(): Command {
  const tag = new Command('tag').description('change what items are tagged with')
  for (const mode of ['add', 'remove', 'set'] as const) {
    tag
      .command(mode)
      .description(about[mode])
      .argument('<tag>', tagSetNames.join(', '))
      .argument('<value>', mode === 'set' ? 'the value; entries of a list with ; between' : 'entries, with ; between')
      .argument('[ids...]', 'ids of items; without them, or with -, they are read from standard input')
      .option('--query <query>', 'items that this finds (as in the search box)')
      .option('--dry-run', 'say what would be changed, and change nothing')
      .action((word: string, value: string, words: string[], options: TagOptions, command: Command) =>
        withSession(command, session => change(session, mode, [word, value, words], options), { patient: true }),
      )
  }
  return tag
}
