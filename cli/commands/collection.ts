/** `keepsake collection`: which collections there are, making, changing and forgetting them. */
import { basename, resolve } from 'node:path'
import { Command } from 'commander'
import type { Collection } from '../../schema/api/collections.ts'
import { collectionOf } from '../collection-of.ts'
import { figure, forTerminal, type Output, plural, table } from '../output.ts'
import { type LibrarySession, withLibrary } from '../with-library.ts'

interface JsonOption {
  json?: boolean
}

export function collectionCommand(): Command {
  const collection = new Command('collection').description('collections of the library')
  collection
    .command('list')
    .description('list collections with their directories and counts')
    .option('--json', 'one object a line')
    .action((options: JsonOption, command: Command) => withLibrary(command, options, list))
  collection
    .command('add')
    .description('make a collection of a directory; `keepsake scan` looks into it')
    .argument('<dir>', 'directory with pictures')
    .option('--name <name>', "name of the collection (the directory's)")
    .option('--readonly', 'never write into the directory')
    .option('--json', 'one object a line')
    .action((dir: string, options: AddOptions, command: Command) =>
      withLibrary(command, options, session => add(session, dir, options), { create: true }),
    )
  collection
    .command('show')
    .description('what is set for a collection, and who may see it')
    .argument('<collection>', 'name, id or directory')
    .option('--json', 'one object a line')
    .action((word: string, options: JsonOption, command: Command) =>
      withLibrary(command, options, session => show(session, word)),
    )
  collection
    .command('set')
    .description('change what is set for a collection')
    .argument('<collection>', 'name, id or directory')
    .argument('<setting=value...>', `${settable.join(', ')}`)
    .option('--json', 'one object a line')
    .action((word: string, given: string[], options: JsonOption, command: Command) =>
      withLibrary(command, options, session => change(session, word, given)),
    )
  collection
    .command('remove')
    .description('forget a collection with its items; its files are never touched')
    .argument('<collection>', 'name, id or directory')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'say what would be forgotten, and forget nothing')
    .option('--json', 'one object a line')
    .action((word: string, options: RemoveOptions, command: Command) =>
      withLibrary(command, options, session => remove(session, word, options)),
    )
  return collection
}

async function list({ client, output }: LibrarySession): Promise<number> {
  const [, ...all] = await client.collections.list()
  if (output.json) {
    for (const one of all) output.object({ type: 'collection', ...one })
    output.object({ type: 'summary', schema: 1, collections: all.length })
  } else if (all.length === 0) output.say('No collections. Make one with: keepsake scan DIR')
  else {
    const rows = all.map(one => [
      String(one.id),
      forTerminal(one.name),
      figure(one.itemcount),
      one.lastscan === '' ? 'never' : one.lastscan.slice(0, 16).replace('T', ' '),
      one.safetyStop === null ? '' : 'stopped',
      forTerminal(one.path),
    ])
    for (const line of table([['ID', 'NAME', 'ITEMS', 'LAST SCAN (UTC)', 'STATE', 'DIRECTORY'], ...rows]))
      output.line(line)
  }
  return 0
}

interface AddOptions extends JsonOption {
  name?: string
  readonly?: boolean
}

async function add({ client, output }: LibrarySession, dir: string, { name, readonly }: AddOptions): Promise<number> {
  const path = resolve(dir)
  const body = { name: name ?? (basename(path) || 'Library'), path, readonly: readonly === true }
  const made = await client.collections.create({ body })
  tellCollection(output, made, `Made the collection '${made.name}'. Look into it with: keepsake scan ${made.id}`)
  return 0
}

async function show({ library, client, output }: LibrarySession, word: string): Promise<number> {
  const { id } = await collectionOf(library, word)
  const found = (await client.collections.list()).find(one => one.id === id)
  if (found === undefined) throw new Error('the collection that was just found is not in the list')
  if (output.json) tellCollection(output, found, '')
  else for (const line of table(settingsOf(found))) output.line(line)
  return 0
}

async function change({ library, client, output }: LibrarySession, word: string, given: string[]): Promise<number> {
  const { collectionChanges } = await import('../../schema/api/collections.ts')
  const { Failure } = await import('../../schema/errors.ts')
  const { id } = await collectionOf(library, word)
  const checked = collectionChanges.safeParse(await changesOf(given))
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw new Failure('invalid', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`)
  }
  const changed = await client.collections.update({ params: { id }, body: checked.data }).catch((error: unknown) => {
    // 'Prefix is required' is what the web calls it.
    if (!(error instanceof Failure) || error.field === undefined) throw error
    throw new Failure(error.code, `${error.field}: ${error.message}`)
  })
  tellCollection(output, changed, `Changed '${changed.name}'.`)
  return 0
}

interface RemoveOptions extends JsonOption {
  yes?: boolean
  dryRun?: boolean
}

async function remove(
  { library, viewer, client, output }: LibrarySession,
  word: string,
  options: RemoveOptions,
): Promise<number> {
  const { id, name, path } = await collectionOf(library, word)
  if (options.dryRun === true) {
    const { items, edited } = library.collectionChanges.removal(viewer, id)
    if (output.json)
      output.object({ type: 'summary', schema: 1, dryRun: true, collection: id, name, path, items, edited })
    else {
      const what = `${plural(items, 'item')}, ${figure(edited)} of them with words of users`
      output.say(`'${forTerminal(name)}' would be forgotten with ${what}. Its files stay. Nothing was changed.`)
    }
    return 0
  }
  if (
    options.yes !== true &&
    !(await confirmed(`Forget the collection '${name}' and what was written on its items?`))
  ) {
    const { Failure } = await import('../../schema/errors.ts')
    throw new Failure('invalid', 'Nothing was changed. To go on without being asked: --yes')
  }
  await client.collections.remove({ params: { id } })
  if (output.json) output.object({ type: 'summary', schema: 1, removed: id })
  output.say(`Forgot '${forTerminal(name)}'. Its files are untouched.`)
  return 0
}

/** What `set` changes, as the call names it. */
const settable = [
  'name',
  'pathVariant',
  'folderFormat',
  'fileFormat',
  'managed',
  'readonly',
  'writeBack',
  'keepPrivate',
  'pairing',
] as const

const yesOrNo: Record<string, boolean> = { true: true, yes: true, on: true, false: false, no: false, off: false }
const booleans = new Set<string>(['managed', 'readonly', 'keepPrivate', 'pairing'])

async function changesOf(given: readonly string[]): Promise<Record<string, unknown>> {
  const { Failure } = await import('../../schema/errors.ts')
  return Object.fromEntries(
    given.map(part => {
      const at = part.indexOf('=')
      const [name, value] = [part.slice(0, at), part.slice(at + 1)]
      if (at < 1 || !settable.some(known => known === name))
        throw new Failure('invalid', `'${part}' is no setting=value. There are: ${settable.join(', ')}`)
      if (!booleans.has(name)) return [name, value]
      const flag = yesOrNo[value.toLowerCase()]
      if (flag === undefined) throw new Failure('invalid', `${name} is true or false.`)
      return [name, flag]
    }),
  )
}

function settingsOf(one: Collection): string[][] {
  const groups = one.access.map(({ name, ...flags }) => {
    const given = Object.entries(flags).filter(([flag, on]) => flag !== 'id' && on === true)
    return ['group', `${forTerminal(name)} (${given.map(([flag]) => flag).join(', ') || 'nothing'})`]
  })
  return [
    ['id', String(one.id)],
    ['name', forTerminal(one.name)],
    ['path', forTerminal(one.path)],
    ['pathVariant', forTerminal(one.pathVariant)],
    ['items', figure(one.itemcount)],
    ['last scan', one.lastscan === '' ? 'never' : `${one.lastscan.slice(0, 19).replace('T', ' ')} UTC`],
    ['managed', String(one.managed)],
    ['folderFormat', forTerminal(one.folderFormat)],
    ['fileFormat', forTerminal(one.fileFormat)],
    ['readonly', String(one.readonly)],
    ['writeBack', one.writeBack],
    ['keepPrivate', String(one.keepPrivate)],
    ['pairing', String(one.pairing)],
    ...(one.safetyStop === null ? [] : [['stopped', forTerminal(one.safetyStop.reason)]]),
    ...groups,
  ]
}

function tellCollection(output: Output, one: Collection, words: string): void {
  if (output.json) {
    output.object({ type: 'collection', ...one })
    output.object({ type: 'summary', schema: 1, collections: 1 })
  } else output.say(forTerminal(words))
}

/** Asks on the terminal; where nobody can answer, the answer is no. */
async function confirmed(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) return false
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`${forTerminal(question)} [y/N] `)
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}
