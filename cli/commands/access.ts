/** `keepsake access`: groups, who is in them, and which collections they open. */
import { Command } from 'commander'
import { collectionOf } from '../collection-of.ts'
import { endWith } from '../exit.ts'
import { openFor } from '../options.ts'
import { createOutput, endingWithSummary, forTerminal, table } from '../output.ts'

interface JsonOption {
  json?: boolean
}

async function opened(command: Command) {
  const library = await openFor(command, { create: false })
  const { terminalViewer } = await import('../../core/access.ts')
  return { library, client: library.as(terminalViewer) }
}

/** The group of this id, or of this name within a collection's list; `notFound` otherwise. */
async function groupOf(library: Awaited<ReturnType<typeof opened>>['library'], word: string): Promise<number> {
  const { Failure } = await import('../../schema/errors.ts')
  const rows = library.db.all<{ id: number }>(
    'SELECT id FROM access_groups WHERE name = ? OR CAST(id AS TEXT) = ? ORDER BY id',
    word,
    word,
  )
  const [row] = rows
  if (row === undefined) throw new Failure('notFound', `There is no group '${word}'. See: keepsake access list`)
  if (rows.length > 1) throw new Failure('conflict', `Several groups are called '${word}'. Give its id.`)
  return row.id
}

const flags = ['admin', 'public', 'view', 'create', 'update'] as const

export function accessCommand(): Command {
  const access = new Command('access').description('who may see and change which collections')
  access
    .command('list')
    .description('groups with what they allow, their collections and members')
    .option('--json', 'one object a line')
    .action((options: JsonOption, command: Command) =>
      endWith(async () => {
        const { library, client } = await opened(command)
        const output = createOutput(options)
        const [, ...collections] = await client.collections.list()
        const lines: string[][] = []
        let groups = 0
        for (const { id, name, access: attached } of collections) {
          for (const group of attached) {
            groups++
            const members = await client.access.members({ params: { accessId: group.id } })
            const names = members.map(({ username }) => username)
            if (output.json) output.object({ type: 'group', collection: id, ...group, members: names })
            const allowed = flags.filter(flag => group[flag]).join(', ')
            lines.push([
              String(group.id),
              forTerminal(group.name),
              forTerminal(name),
              allowed,
              forTerminal(names.join(', ')),
            ])
          }
        }
        if (output.json) output.object({ type: 'summary', schema: 1, groups })
        else for (const line of table([['ID', 'GROUP', 'COLLECTION', 'ALLOWS', 'MEMBERS'], ...lines])) output.line(line)
        library.close()
        return 0
      }),
    )
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
    .action((name: string, options: JsonOption & Partial<Record<(typeof flags)[number], boolean>>, command: Command) =>
      endWith(async () => {
        const output = createOutput(options)
        return endingWithSummary(output, async () => {
          const { library, client } = await opened(command)
          const given = Object.fromEntries(flags.map(flag => [flag, options[flag] === true]))
          const { id } = await client.access.create({ body: { group: { name, ...given } } })
          if (output.json) output.object({ type: 'summary', schema: 1, id })
          output.say(`Made the group '${forTerminal(name)}' with id ${id}.`)
          library.close()
          return 0
        })
      }),
    )
  const change = (
    verb: 'add' | 'drop' | 'attach' | 'detach',
    description: string,
    subject: string,
    act: (session: Awaited<ReturnType<typeof opened>>, group: number, word: string) => Promise<unknown>,
  ) =>
    access
      .command(verb)
      .description(description)
      .argument('<group>', 'id or name of the group')
      .argument(`<${subject}>`, subject === 'user' ? 'user name' : 'name, id or directory')
      .option('--json', 'one object a line')
      .action((group: string, word: string, options: JsonOption, command: Command) =>
        endWith(async () => {
          const output = createOutput(options)
          return endingWithSummary(output, async () => {
            const session = await opened(command)
            await act(session, await groupOf(session.library, group), word)
            if (output.json) output.object({ type: 'summary', schema: 1, state: 'done' })
            output.say('Done.')
            session.library.close()
            return 0
          })
        }),
      )
  change('add', 'put a user into a group', 'user', ({ client }, accessId, username) =>
    client.access.addMember({ params: { accessId, username } }),
  )
  change('drop', 'take a user out of a group', 'user', ({ client }, accessId, username) =>
    client.access.removeMember({ params: { accessId, username } }),
  )
  change('attach', 'open a collection to a group', 'collection', async ({ library, client }, accessId, word) =>
    client.access.attach({ params: { collectionId: (await collectionOf(library, word)).id, accessId } }),
  )
  change('detach', 'close a collection to a group', 'collection', async ({ library, client }, accessId, word) =>
    client.access.detach({ params: { collectionId: (await collectionOf(library, word)).id, accessId } }),
  )
  return access
}
