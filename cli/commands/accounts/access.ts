/** `keepsake access`: groups, their members, and the collections that they open. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { Failure } from '../../../schema/errors.ts'
import { parseSettings, yesOrNo } from '../../options.ts'
import { type DryRun, dryRunOption, rehearseChange } from '../../plans/dry-run.ts'
import { inSession, parseId, requireOne, resolveCollection, type Session, withNotFoundMessage } from '../../session.ts'

const flags = ['admin', 'public', 'view', 'create', 'update'] as const
type Flags = Record<(typeof flags)[number], boolean>

type Group = Flags & { id: number; name: string }

/** Groups that no collection uses, if the caller may see them. */
async function listUnusedGroups({ client }: Session): Promise<Group[]> {
  try {
    return await client.access.loose()
  } catch (error) {
    if (error instanceof Failure && error.code === 'denied') return []
    throw error
  }
}

/** Visible groups: those of collections, and unused ones. */
async function listGroups(session: Session): Promise<Group[]> {
  const [, ...collections] = await session.client.collections.list()
  const groups = [...collections.flatMap(({ access }) => access), ...(await listUnusedGroups(session))]
  return [...new Map(groups.map(group => [group.id, group])).values()].sort((a, b) => a.id - b.id)
}

/** The id of the group with this id or name; `notFound` otherwise. */
async function resolveGroupId(session: Session, word: string): Promise<number> {
  const found = (await listGroups(session)).filter(({ id, name }) => name === word || String(id) === word)
  return requireOne(found, word, { one: 'group', many: 'groups', see: 'keepsake access list' }).id
}

async function list(session: Session): Promise<number> {
  const { client, output } = session
  const [, ...collections] = await client.collections.list()
  const attached = collections.flatMap(({ id, name, access }) =>
    access.map(group => ({ group, collection: id, collectionName: name })),
  )
  const loose = (await listUnusedGroups(session)).map(group => ({ group, collection: null, collectionName: '' }))
  const rows: string[][] = []
  for (const { group, collection, collectionName } of [...attached, ...loose]) {
    const members = await client.access.members({ params: { accessId: group.id } })
    const names = members.map(({ username }) => username)
    if (output.json) output.object({ type: 'group', collection, ...group, members: names })
    const allowed = flags.filter(flag => group[flag]).join(', ')
    rows.push([String(group.id), group.name, collectionName, allowed, names.join(', ')])
  }
  if (!output.json) output.table(rows, ['ID', 'GROUP', 'COLLECTION', 'ALLOWS', 'MEMBERS'])
  output.end({ groups: rows.length })
  return 0
}

async function create(session: Session, name: string, given: Partial<Flags> & DryRun): Promise<number> {
  const { client, output } = session
  const allowed = Object.fromEntries(flags.map(flag => [flag, given[flag] === true]))
  const body = { group: { name, ...allowed } }
  if (given.dryRun === true)
    return rehearseChange(session, ({ access }) => access.create({ body }), `The group '${name}' would be created.`)
  const { id } = await client.access.create({ body })
  output.end(
    { id },
    `Created the group '${forTerminal(name)}' with id ${id}. Give it access to a collection with: keepsake access attach ${id} COLLECTION`,
  )
  return 0
}

async function explain({ client, output }: Session, { item, user }: { item: string; user?: string }): Promise<number> {
  const id = parseId(item, 'item', 'keepsake item list')
  const explanation = await client.access.explain({
    query: { item: id, ...(user === undefined ? {} : { username: user }) },
  })
  if (output.json) output.object({ type: 'access', ...explanation })
  else {
    const who = explanation.username === null ? 'A visitor' : `'${explanation.username}'`
    const what = `item ${id} (${explanation.name}) of '${explanation.collection.name}'`
    output.line(forTerminal(`${who} ${explanation.sees ? 'sees' : 'does not see'} ${what}.`))
    for (const reason of explanation.reasons) output.line(`  ${forTerminal(reason)}`)
  }
  output.end({ sees: explanation.sees })
  return 0
}

/** Letters of rights: 'v' view, 'c' create, 'u' update, 'a' admin. */
function lettersOf(rights: { view: boolean; create: boolean; update: boolean; admin: boolean }): string {
  if (!rights.view) return '-'
  return ['v', rights.create ? 'c' : '', rights.update ? 'u' : '', rights.admin ? 'a' : ''].join('')
}

async function matrix({ client, output }: Session): Promise<number> {
  const rows = await client.access.matrix()
  if (output.json) for (const row of rows) output.object({ type: 'rights', ...row })
  else {
    const lines = rows.map(({ username, globaladmin, disabled, rights }) => [
      username ?? '(visitors)',
      ...rights.map(lettersOf),
      disabled ? 'disabled' : globaladmin ? 'global admin' : '',
    ])
    output.table(lines, ['USER', ...(rows[0]?.rights ?? []).map(({ name }) => name)])
  }
  output.end({ users: rows.length }, 'v see, c add, u change, a administer')
  return 0
}

async function change(session: Session, word: string, given: string[], { dryRun = false }: DryRun): Promise<number> {
  const { client, output } = session
  const settings = parseSettings(given)
  const id = await resolveGroupId(session, word)
  const changes = settings.map(({ part, name, value }): [string, string | boolean] => {
    if (name === 'name') return [name, value]
    const flag = yesOrNo[value.toLowerCase()]
    if (flag === undefined || !flags.some(known => known === name))
      throw new Failure(
        'invalid',
        `'${part}' is not a setting: give name=NAME, or ${flags.join(', ')} with =true or =false.`,
      )
    return [name, flag]
  })
  const group = Object.fromEntries(changes)
  const request = { params: { id }, body: { group } }
  if (dryRun)
    return rehearseChange(
      session,
      ({ access }) => access.update(request),
      `The group ${id} would be changed: ${given.join(', ')}.`,
    )
  await client.access.update(request)
  output.end({ id, ...group }, 'Done.')
  return 0
}

/** A sentence that names the group's members; it follows another sentence. */
async function membersText({ client }: Session, accessId: number): Promise<string> {
  const names = (await client.access.members({ params: { accessId } })).map(({ username }) => username)
  return names.length === 0 ? ' It has no members yet.' : ` Members: ${names.join(', ')}.`
}

export function accessCommand(): Command {
  const access = new Command('access').description('manage who may see and change which collections')
  access.command('list').description('list groups with their rights, collections and members').action(inSession(list))
  access
    .command('explain')
    .description('explain why a user can or cannot see an item')
    .requiredOption('--item <id>', 'id of the item')
    .option('--user <name>', 'user name; without it, a visitor who is not signed in')
    .action(inSession(explain))
  access.command('matrix').description("list everybody's rights in every collection").action(inSession(matrix))
  access
    .command('create')
    .description(
      'create a group; attach it to collections afterwards (until then only you and global admins can change it)',
    )
    .argument('<name>', 'name of the group')
    .option('--admin', 'all rights in its collections')
    .option('--public', 'every visitor may view its collections')
    .option('--view', 'see')
    .option('--create', 'add items')
    .option('--update', 'change tags, rotate, recycle')
    .option(...dryRunOption)
    .action(inSession(create))
  access
    .command('set')
    .description("change a group's rights or name")
    .argument('<group>', 'group id or name')
    .argument('<setting=value...>', `name, ${flags.join(', ')}`)
    .option(...dryRunOption)
    .action(inSession(change))
  const addCommand = (
    verb: 'add' | 'drop' | 'attach' | 'detach',
    description: string,
    subject: string,
    work: (session: Session, group: number, word: string) => Promise<unknown>,
    /** A sentence about the group, which is printed with the result. */
    about: (session: Session, group: number) => Promise<string> = async () => '',
  ) =>
    access
      .command(verb)
      .description(description)
      .argument('<group>', 'group id or name')
      .argument(`<${subject}>`, subject === 'user' ? 'user name' : 'name, id or directory')
      .option(...dryRunOption)
      .action(
        inSession(async (session, group: string, word: string, { dryRun }: DryRun) => {
          const id = await resolveGroupId(session, group)
          const more = await about(session, id)
          if (dryRun === true) {
            const rehearsal = (client: Session['client']) => work({ ...session, client }, id, word)
            return rehearseChange(session, rehearsal, `${description}: group ${id}, ${word}.${more}`)
          }
          await work(session, id, word)
          session.output.end({ state: 'done' }, forTerminal(`Done.${more}`))
          return 0
        }),
      )
  const noUserText = (username: string) => `There is no user '${username}' there. See: keepsake user list`
  addCommand('add', 'add a user to a group', 'user', ({ client }, accessId, username) =>
    withNotFoundMessage(noUserText(username), client.access.addMember({ params: { accessId, username } })),
  )
  addCommand('drop', 'remove a user from a group', 'user', ({ client }, accessId, username) =>
    withNotFoundMessage(noUserText(username), client.access.removeMember({ params: { accessId, username } })),
  )
  addCommand(
    'attach',
    'give a group access to a collection; a dry run lists its members',
    'collection',
    async (session, accessId, word) =>
      session.client.access.attach({ params: { collectionId: (await resolveCollection(session, word)).id, accessId } }),
    membersText,
  )
  addCommand('detach', 'end the access of a group to a collection', 'collection', async (session, accessId, word) => {
    const { id, name } = await resolveCollection(session, word)
    return withNotFoundMessage(
      `That group has no access to the collection '${name}'.`,
      session.client.access.detach({ params: { collectionId: id, accessId } }),
    )
  })
  return access
}
