/** `keepsake access`: groups, who is in them, and which collections they open. */
import { Command } from 'commander'
import type { Library } from '../../core/library.ts'
import { collectionOf } from '../collection-of.ts'
import { forTerminal, table } from '../output.ts'
import { type LibrarySession, named, withLibrary } from '../with-library.ts'

interface JsonOption {
  json?: boolean
}

const flags = ['admin', 'public', 'view', 'create', 'update'] as const
type Flags = Record<(typeof flags)[number], boolean>

/** The group of this id or name; `notFound` otherwise. */
async function groupOf(library: Library, word: string): Promise<number> {
  const { Failure } = await import('../../schema/errors.ts')
  const rows = library.db.all<{ id: number }>(
    'SELECT id FROM access_groups WHERE name = ? OR CAST(id AS TEXT) = ? ORDER BY id',
    word,
    word,
  )
  const [row] = rows
  if (row === undefined) throw new Failure('notFound', `There is no group '${word}'. See: keepsake access list`)
  if (rows.length === 1) return row.id
  const ids = rows.map(({ id }) => id).join(', ')
  throw new Failure('conflict', `Several groups are called '${word}': ${ids}. Give the id.`)
}

/** Groups that open no collection: nobody's list shows them. */
function looseGroups({ db }: Library): (Flags & { id: number; name: string })[] {
  const rows = db.all<Record<(typeof flags)[number], number> & { id: number; name: string }>(
    'SELECT * FROM access_groups WHERE id NOT IN (SELECT group_id FROM collection_access) ORDER BY name, id',
  )
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    admin: row.admin === 1,
    public: row.public === 1,
    view: row.view === 1,
    create: row.create === 1,
    update: row.update === 1,
  }))
}

async function list({ library, client, output }: LibrarySession): Promise<number> {
  const [, ...collections] = await client.collections.list()
  const attached = collections.flatMap(({ id, name, access }) =>
    access.map(group => ({ group, collection: id, collectionName: name })),
  )
  const loose = looseGroups(library).map(group => ({ group, collection: null, collectionName: '' }))
  const lines: string[][] = []
  for (const { group, collection, collectionName } of [...attached, ...loose]) {
    const members = await client.access.members({ params: { accessId: group.id } })
    const names = members.map(({ username }) => username)
    if (output.json) output.object({ type: 'group', collection, ...group, members: names })
    const allowed = flags.filter(flag => group[flag]).join(', ')
    lines.push([
      String(group.id),
      forTerminal(group.name),
      forTerminal(collectionName),
      allowed,
      forTerminal(names.join(', ')),
    ])
  }
  if (output.json) output.object({ type: 'summary', schema: 1, groups: lines.length })
  else for (const line of table([['ID', 'GROUP', 'COLLECTION', 'ALLOWS', 'MEMBERS'], ...lines])) output.line(line)
  return 0
}

async function create({ client, output }: LibrarySession, name: string, given: Partial<Flags>): Promise<number> {
  const allowed = Object.fromEntries(flags.map(flag => [flag, given[flag] === true]))
  const { id } = await client.access.create({ body: { group: { name, ...allowed } } })
  if (output.json) output.object({ type: 'summary', schema: 1, id })
  output.say(
    `Made the group '${forTerminal(name)}' with id ${id}. Open a collection to it with: keepsake access attach`,
  )
  return 0
}

const yesOrNo: Record<string, boolean> = { true: true, yes: true, on: true, false: false, no: false, off: false }

async function change({ library, client, output }: LibrarySession, word: string, given: string[]): Promise<number> {
  const { Failure } = await import('../../schema/errors.ts')
  const id = await groupOf(library, word)
  const changes = given.map((part): [string, string | boolean] => {
    const at = part.indexOf('=')
    const [name, value] = [part.slice(0, at), part.slice(at + 1)]
    if (name === 'name') return [name, value]
    const flag = yesOrNo[value.toLowerCase()]
    if (at < 1 || flag === undefined || !flags.some(known => known === name))
      throw new Failure(
        'invalid',
        `'${part}' is no setting: give name=NAME, or ${flags.join(', ')} with =true or =false.`,
      )
    return [name, flag]
  })
  const group = Object.fromEntries(changes)
  await client.access.update({ params: { id }, body: { group } })
  if (output.json) output.object({ type: 'summary', schema: 1, id, ...group })
  output.say('Done.')
  return 0
}

export function accessCommand(): Command {
  const access = new Command('access').description('who may see and change which collections')
  access
    .command('list')
    .description('groups with what they allow, their collections and members')
    .option('--json', 'one object a line')
    .action((options: JsonOption, command: Command) => withLibrary(command, options, list))
  access
    .command('create')
    .description('make a group; attach it to collections afterwards')
    .argument('<name>', 'name of the group')
    .option('--admin', 'everything in its collections')
    .option('--public', 'every visitor may see')
    .option('--view', 'see')
    .option('--create', 'add items')
    .option('--update', 'change tags, rotate, recycle')
    .option('--json', 'one object a line')
    .action((name: string, options: JsonOption & Partial<Flags>, command: Command) =>
      withLibrary(command, options, session => create(session, name, options)),
    )
  access
    .command('set')
    .description('change what a group allows, or its name')
    .argument('<group>', 'id or name of the group')
    .argument('<setting=value...>', `name, ${flags.join(', ')}`)
    .option('--json', 'one object a line')
    .action((word: string, given: string[], options: JsonOption, command: Command) =>
      withLibrary(command, options, session => change(session, word, given)),
    )
  const act = (
    verb: 'add' | 'drop' | 'attach' | 'detach',
    description: string,
    subject: string,
    work: (session: LibrarySession, group: number, word: string) => Promise<unknown>,
  ) =>
    access
      .command(verb)
      .description(description)
      .argument('<group>', 'id or name of the group')
      .argument(`<${subject}>`, subject === 'user' ? 'user name' : 'name, id or directory')
      .option('--json', 'one object a line')
      .action((group: string, word: string, options: JsonOption, command: Command) =>
        withLibrary(command, options, async session => {
          await work(session, await groupOf(session.library, group), word)
          if (session.output.json) session.output.object({ type: 'summary', schema: 1, state: 'done' })
          session.output.say('Done.')
          return 0
        }),
      )
  const noUser = (username: string) => `There is no user '${username}' there. See: keepsake user list`
  act('add', 'put a user into a group', 'user', ({ client }, accessId, username) =>
    named(noUser(username), client.access.addMember({ params: { accessId, username } })),
  )
  act('drop', 'take a user out of a group', 'user', ({ client }, accessId, username) =>
    named(noUser(username), client.access.removeMember({ params: { accessId, username } })),
  )
  act('attach', 'open a collection to a group', 'collection', async ({ library, client }, accessId, word) =>
    client.access.attach({ params: { collectionId: (await collectionOf(library, word)).id, accessId } }),
  )
  act('detach', 'close a collection to a group', 'collection', async ({ library, client }, accessId, word) => {
    const { id, name } = await collectionOf(library, word)
    return named(
      `The collection '${name}' is not open to that group.`,
      client.access.detach({ params: { collectionId: id, accessId } }),
    )
  })
  return access
}
