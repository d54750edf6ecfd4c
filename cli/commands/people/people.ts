/** `keepsake people`: people, their names over time, merging and exporting. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Person, PersonName } from '../../../schema/api/people.ts'
import { Failure } from '../../../schema/errors.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { requireYes } from '../../confirm.ts'
import { runJob } from '../../job-command.ts'
import { sameText } from '../../options.ts'
import { dayOf, printList, writeOut } from '../../output.ts'
import { type DryRun, printDryRun, rehearseChange, requireStartable } from '../../plans/dry-run.ts'
import { inSession, requireOne, type Session, withSession } from '../../session.ts'

const listCommand = 'keepsake people list'

/** The first second of a day such as 1984-05-17; null for any other text. */
export function parseDay(text: string): number | null {
  const at = Date.parse(`${text}T00:00:00Z`)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
  return isDay ? at / 1000 : null
}

/** Parses a day, the value of the option `name`, as seconds. Null if it is '', undefined if the option is absent. */
function parseDayOption(text: string | undefined, name: string): number | null | undefined {
  if (text === undefined) return undefined
  if (text === '') return null
  const day = parseDay(text)
  if (day !== null) return day
  throw new Failure('invalid', `${name} must be a day such as 1984-05-17, not '${text}'.`)
}

/** 'Anna Berg', or 'Anna Lind from 2001-06-02 to 2010-01-01'; the second day is exclusive, as in the API. */
function nameText({ name, active_from, active_to }: PersonName): string {
  const from = active_from === null ? '' : ` from ${dayOf(active_from)}`
  return `${name}${from}${active_to === null ? '' : ` to ${dayOf(active_to)}`}`
}

/** People with this id or name. */
export async function peopleCalled({ client }: Session, word: string): Promise<Person[]> {
  const all = await client.people.list()
  return all.filter(({ id, names }) => String(id) === word || names.some(({ name }) => sameText(name, word)))
}

export async function resolvePerson(session: Session, word: string): Promise<Person> {
  return requireOne(await peopleCalled(session, word), word, { one: 'person', many: 'people', see: listCommand })
}

async function list({ client, output }: Session): Promise<number> {
  const people = (await client.people.list()).sort((a, b) => a.id - b.id)
  return printList(output, people, {
    type: 'person',
    countName: 'people',
    heading: ['ID', 'ITEMS', 'BORN', 'NAMES'],
    none: 'No people.',
    row: ({ id, names, birthdate, itemcount }) => [
      String(id),
      figure(itemcount),
      birthdate ?? '',
      names.map(nameText).join(', '),
    ],
  })
}

interface NameOptions extends DryRun {
  from?: string
  to?: string
}

async function printPerson(session: Session, id: number, words: string): Promise<number> {
  const { client, output } = session
  const person = (await client.people.list()).find(one => one.id === id)
  if (output.json && person !== undefined) output.object({ type: 'person', ...person })
  output.end({ people: 1 }, forTerminal(words))
  return 0
}

/** Changes the name by which the command addresses a person, or the last of the names if the id is given. */
async function rename(session: Session, word: string, name: string, options: NameOptions): Promise<number> {
  const person = await resolvePerson(session, word)
  const old = person.names.find(one => one.name.toLowerCase() === word.toLowerCase()) ?? person.names.at(-1)
  const body = { name, start: parseDayOption(options.from, '--from'), finish: parseDayOption(options.to, '--to') }
  const words = `'${old?.name ?? ''}' (${person.id})`
  const change = ({ people }: Session['client']) =>
    old === undefined
      ? people.addName({ params: { id: person.id }, body })
      : people.updateName({ params: { id: person.id, nameId: old.id }, body })
  if (options.dryRun === true)
    return rehearseChange(session, change, `${words} would be renamed to '${name}'.`, { people: 1 })
  await change(session.client)
  return printPerson(session, person.id, `${words} is now '${name}'.`)
}

async function addName(session: Session, word: string, name: string, options: NameOptions): Promise<number> {
  const person = await resolvePerson(session, word)
  const body = { name, start: parseDayOption(options.from, '--from'), finish: parseDayOption(options.to, '--to') }
  const request = { params: { id: person.id }, body }
  if (options.dryRun === true)
    return rehearseChange(
      session,
      ({ people }) => people.addName(request),
      `'${word}' would also be called '${name}'.`,
      { people: 1 },
    )
  await session.client.people.addName(request)
  return printPerson(session, person.id, `'${word}' is also called '${name}' now.`)
}

async function merge(session: Session, word: string, otherWord: string, { dryRun = false }: DryRun): Promise<number> {
  const [person, other] = [await resolvePerson(session, word), await resolvePerson(session, otherWord)]
  const words = `everything of ${other.id} (${other.names.map(({ name }) => name).join(', ')}) becomes that of ${person.id}`
  const params = { id: person.id, otherId: other.id }
  if (dryRun) {
    await requireStartable(session, client => client.people.merge({ params }))
    return printDryRun(session.output, `After the merge, ${words}.`, { people: 1 })
  }
  return runJob(session, 'Merge', async ({ client }) => {
    const { taskid, step } = await client.people.merge({ params })
    return { job: taskid, step }
  })
}

interface UnusedOptions extends DryRun {
  yes?: boolean
  remove?: boolean
}

async function listUnused(session: Session, options: UnusedOptions): Promise<number> {
  const { client, output } = session
  if (options.remove !== true || options.dryRun === true) {
    const ids = new Set(await client.people.unused())
    const people = (await client.people.list()).filter(({ id }) => ids.has(id)).sort((a, b) => a.id - b.id)
    for (const person of people) {
      if (output.json) output.object({ type: 'person', ...person })
      else output.line(`${person.id}  ${forTerminal(person.names.map(nameText).join(', '))}`)
    }
    const words = `${plural(people.length, 'person', 'people')} on no item.${people.length > 0 ? ' Delete them with: keepsake people unused --remove' : ''}`
    output.end({ people: people.length, ...(options.dryRun === true ? { dryRun: true } : {}) }, words)
    return 0
  }
  if (options.yes !== true) await requireYes('Delete all people who are on no item?')
  const { removed } = await client.people.removeUnused()
  output.end({ removed }, `${plural(removed, 'person', 'people')} deleted.`)
  return 0
}

/** Prints people.json unchanged to standard output. */
async function printExport({ here, remote }: Session): Promise<number> {
  const text =
    here === null
      ? ((await (await remote?.get('/v1/export/people'))?.text()) ?? '')
      : here.library.exportPeople(here.viewer)
  writeOut(text, 'json')
  return 0
}

export function peopleCommand(): Command {
  const people = new Command('people').description('manage the people on the pictures')
  people.command('list').description('list people with their names and number of items').action(inSession(list))
  const addNameCommand = (verb: string, description: string, work: typeof rename) =>
    people
      .command(verb)
      .description(description)
      .argument('<person>', 'id or name')
      .argument('<name>', 'the name')
      .option('--from <day>', 'first day of the name, such as 2001-06-02')
      .option('--to <day>', 'day after its last day')
      .option('--dry-run', 'print what would change, without changing anything')
      .action(inSession(work))
  addNameCommand('rename', 'change a name of a person', rename)
  addNameCommand('name', 'add a name to a person', addName)
  people
    .command('merge')
    .description('merge two people: everything of the other moves to this person')
    .argument('<person>', 'id or name of the person to keep')
    .argument('<other>', 'id or name of the person to merge into it')
    .option('--dry-run', 'print what would change, without changing anything')
    .action(inSession(merge, { stopsCleanly: true }))
  people
    .command('unused')
    .description('list or delete people who are on no item, not even a recycled or missing one')
    .option('--remove', 'delete them')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'print who would be deleted, without deleting anybody')
    .action((options: UnusedOptions, command: Command) =>
      withSession(command, async session => {
        // KEEPSAKE_YES may be set for all commands; only the typed flag is an error here.
        if (options.remove !== true && command.getOptionValueSource('yes') === 'cli')
          throw new Failure('invalid', '--yes is only for --remove.')
        return listUnused(session, options)
      }),
    )
  people
    .command('export')
    .description('export all people with their names over time, as people.json')
    .action(inSession(printExport))
  return people
}
