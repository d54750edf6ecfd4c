/** `keepsake faces`: find faces, show progress and groups, and forget faces. */
import { Command, InvalidArgumentError } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { FaceGroup } from '../../../schema/api/faces.ts'
import { Failure } from '../../../schema/errors.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { requireYes } from '../../confirm.ts'
import { jobCommand } from '../../job-command.ts'
import { requireAtMostOne, sameText } from '../../options.ts'
import { type DryRun, dryRunOption, printDryRun, rehearseChange, requireStartable } from '../../plans/dry-run.ts'
import { inSession, requireLocalLibrary, resolveCollection, type Session } from '../../session.ts'
import { peopleCalled } from './people.ts'

interface IndexOptions extends DryRun {
  all?: boolean
  jobs?: number
}

function processes(text: string): number {
  if (!/^[1-4]$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 4.')
  return Number(text)
}

async function index(session: Session, word: string | undefined, options: IndexOptions) {
  const { client, output } = session
  const collection = word === undefined ? undefined : (await resolveCollection(session, word)).id
  const { all = false, jobs } = options
  if (options.dryRun === true) {
    if (jobs !== undefined) requireLocalLibrary(session, 'keepsake faces index with --jobs')
    await requireStartable(session, ({ faces }) => faces.index({ body: { collection, all } }))
    const { pictures, away: skipped } = await client.faces.due({ query: { collection, all } })
    if (collection !== undefined && skipped[0] !== undefined) throw new Failure('safetyStop', skipped[0])
    const words = [`${plural(pictures, 'picture')} would be searched.`, ...skipped].join(' ')
    return {
      exit: Math.max(printDryRun(output, words, { pictures, problems: skipped.length }), skipped.length > 0 ? 3 : 0),
    }
  }
  if (jobs === undefined) {
    const { taskid } = await client.faces.index({ body: { collection, all } })
    return { job: taskid }
  }
  const { library, viewer } = requireLocalLibrary(session, 'keepsake faces index with --jobs')
  const request = { collection, all, jobs }
  return { job: await library.foundFaces.index(viewer, request, { now: library.clock.now() }) }
}

async function status({ client, output }: Session): Promise<number> {
  const now = await client.faces.status()
  if (output.json) output.object({ type: 'faces', ...now })
  else
    output.table([
      ['model', now.model],
      ['pictures searched', figure(now.looked)],
      ['pictures still to be searched', figure(now.due)],
      ['faces found', figure(now.faces)],
      ['faces with a name', figure(now.named)],
      ['groups without a name', figure(now.groups)],
      ['known faces of people', figure(now.known)],
      ['job', now.job === null ? '' : String(now.job)],
    ])
  output.end({ faces: now.faces, due: now.due })
  return 0
}

/** A group as a row of the table. People have the names that they had when the first listed face was photographed. */
function groupRow(
  { id, count, suggestions, faces }: FaceGroup,
  nameOf: (person: number, at: number) => string,
): string[] {
  const at = faces[0]?.item.taken ?? 0
  const likely = suggestions.map(({ person, similarity }) => `${nameOf(person, at)} ${Math.round(similarity * 100)} %`)
  return [String(id), figure(count), likely.join(', ')]
}

async function groups({ client, output }: Session, options: { ignored?: boolean }): Promise<number> {
  const { nameAtMoment } = await import('../../../schema/person-names.ts')
  const people = new Map((await client.people.list()).map(({ id, names }) => [id, names]))
  const nameOf = (person: number, at: number) => {
    const names = people.get(person) ?? []
    return nameAtMoment(names, at) ?? names.at(-1)?.name ?? ''
  }
  const { groups: found, _meta } = await client.faces.groups({
    query: { limit: 100, ignored: options.ignored === true },
  })
  if (output.json) for (const group of found) output.object({ type: 'face-group', ...group })
  else if (found.length > 0)
    output.table(
      found.map(group => groupRow(group, nameOf)),
      ['ID', 'FACES', 'LIKE'],
    )
  const { total_records: total } = _meta
  output.end(
    { groups: total },
    total === 0 ? `No ${options.ignored === true ? 'ignored ' : ''}groups of unnamed faces.` : undefined,
  )
  return 0
}

interface ForgetOptions extends DryRun {
  all?: boolean
  person?: string
  yes?: boolean
}

/** Id and name of the person with this name or id. If nobody has it, deleted people are searched. */
async function personCalled(session: Session, word: string): Promise<{ id: number; name: string }> {
  const [first, other] = await peopleCalled(session, word)
  if (first === undefined) {
    const deleted = await session.client.faces.gone()
    const one = deleted.find(({ id, names }) => String(id) === word || names.some(name => sameText(name, word)))
    if (one === undefined) throw new Failure('notFound', `There is no person '${word}'. See: keepsake people list`)
    return { id: one.id, name: one.names.at(-1) ?? word }
  }
  if (other !== undefined) throw new Failure('conflict', `Several people are called '${word}'. Give the id.`)
  return { id: first.id, name: first.names.at(-1)?.name ?? word }
}

async function forget(session: Session, options: ForgetOptions): Promise<number> {
  const { client, output } = session
  requireAtMostOne({ '--person': options.person !== undefined, '--all': options.all })
  if (options.all !== true && options.person === undefined) throw new Failure('invalid', 'Give --person or --all.')
  const person = options.person === undefined ? null : await personCalled(session, options.person)
  const whose = person === null ? 'everybody' : `'${person.name}'`
  if (options.dryRun === true) {
    const faces = await client.people.faces()
    // Only the real call can tell how many found faces it deletes.
    const forgotten = person === null ? faces : faces.filter(face => face.person === person.id)
    return rehearseChange(
      session,
      ({ faces }) => faces.forget({ query: person === null ? { all: true } : { person: person.id } }),
      `The face data of ${whose} would be deleted (${forgotten.length} known).`,
      { known: forgotten.length },
    )
  }
  if (options.yes !== true) await requireYes(`Delete the face data of ${whose}? Names and boxes are kept.`)
  const query = person === null ? { all: true } : { person: person.id }
  const deleted = await client.faces.forget({ query })
  output.end(deleted, forTerminal(`Deleted the face data of ${whose}: ${deleted.known} known, ${deleted.found} found.`))
  return 0
}

export function facesCommand(): Command {
  const faces = new Command('faces').description('find, group and forget faces')
  faces
    .command('index')
    .description('look for faces on pictures that are new or have changed')
    .argument('[collection]', 'name or id; without it, all collections')
    .option('--all', 'include pictures that were searched before')
    .option(...dryRunOption)
    .option('--jobs <n>', 'number of pictures searched at the same time', processes)
    .action((word: string | undefined, options: IndexOptions, command: Command) =>
      jobCommand(command, 'Faces', session => index(session, word, options)),
    )
  faces.command('status').description('show the progress of the search for faces').action(inSession(status))
  faces
    .command('groups')
    .description('list groups of unnamed faces')
    .option('--ignored', 'list the ignored groups instead')
    .action(inSession(groups))
  faces
    .command('forget')
    .description('forget what faces look like; names and boxes are kept')
    .option('--person <name>', 'only of this person, by name or id')
    .option('--all', 'of all people')
    .option(...dryRunOption)
    .option('--yes', 'do not ask for confirmation')
    .action(inSession(forget))
  return faces
}
