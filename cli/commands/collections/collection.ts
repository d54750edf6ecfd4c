/** `keepsake collection`: list, create, change and forget collections. */
import { basename, resolve } from 'node:path'
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Collection } from '../../../schema/api/collections.ts'
import { Failure } from '../../../schema/errors.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { requireYes } from '../../confirm.ts'
import { type Creation, parseSettings, yesOrNo } from '../../options.ts'
import { type Output, printList } from '../../output.ts'
import { type DryRun, dryRunOption, printDryRun, rehearseChange } from '../../plans/dry-run.ts'
import { inSession, resolveCollection, type Session, withSession } from '../../session.ts'

export function collectionCommand(): Command {
  const collection = new Command('collection').description('manage collections')
  collection
    .command('list')
    .description('list collections with their directories and item counts')
    .action(inSession(list))
  collection
    .command('add')
    .description('create a collection from a directory; `keepsake scan` reads it')
    .argument('<dir>', 'directory of pictures')
    .option('--name <name>', "name of the collection (default: the directory's name)")
    .option('--readonly', 'never write to the directory')
    .option(...dryRunOption)
    .action((dir: string, options: AddOptions, command: Command) => {
      const make: Creation = async empty => {
        const { terminalViewer } = await import('../../../core/accounts/access.ts')
        return empty.collections.create(terminalViewer, createRequest(resolve(dir), options))
      }
      return withSession(command, session => add(session, dir, options), {
        create: options.dryRun === true ? 'pretend' : make,
      })
    })
  collection
    .command('show')
    .description('show the settings of a collection and who may see it')
    .argument('<collection>', 'name, id or directory')
    .action(inSession(show))
  collection
    .command('set')
    .description('change the settings of a collection')
    .argument('<collection>', 'name, id or directory')
    .argument('<setting=value...>', `${settableFields.join(', ')}`)
    .option(...dryRunOption)
    .action(inSession(change))
  collection
    .command('remove')
    .description('remove a collection and its items from the library; files are never touched')
    .argument('<collection>', 'name, id or directory')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'print what would be removed, without removing anything')
    .action(inSession(remove))
  return collection
}

async function list({ client, output }: Session): Promise<number> {
  const [, ...all] = await client.collections.list()
  return printList(output, all, {
    type: 'collection',
    countName: 'collections',
    heading: ['ID', 'NAME', 'ITEMS', 'LAST SCAN (UTC)', 'STATE', 'DIRECTORY'],
    none: 'No collections. Create one with: keepsake scan DIR',
    row: one => [
      String(one.id),
      one.name,
      figure(one.itemcount),
      one.lastscan === '' ? 'never' : one.lastscan.slice(0, 16).replace('T', ' '),
      one.safetyStop === null ? '' : 'stopped',
      one.path,
    ],
  })
}

interface AddOptions extends DryRun {
  name?: string
  readonly?: boolean
}

function createRequest(path: string, { name, readonly }: AddOptions) {
  return { name: name ?? (basename(path) || 'Library'), path, readonly: readonly === true }
}

async function add(session: Session, dir: string, options: AddOptions): Promise<number> {
  const { client, output, here } = session
  // With --server, the directory is on the server's machine.
  const path = here === null ? dir : resolve(dir)
  const body = createRequest(path, options)
  if (options.dryRun === true) {
    const words = `A collection '${body.name}' would be created from ${path}.`
    return rehearseChange(session, ({ collections }) => collections.create({ body }), words, { name: body.name, path })
  }
  const made = await client.collections.create({ body })
  printCollection(output, made, `Created the collection '${made.name}'. Scan it with: keepsake scan ${made.id}`)
  return 0
}

async function show(session: Session, word: string): Promise<number> {
  const { output } = session
  const found = await resolveCollection(session, word)
  if (output.json) printCollection(output, found, '')
  else output.table(settingsOf(found))
  return 0
}

async function change(session: Session, word: string, given: string[], { dryRun = false }: DryRun): Promise<number> {
  const { client, output } = session
  const { collectionChanges } = await import('../../../schema/api/collections.ts')
  const { id } = await resolveCollection(session, word)
  const checked = collectionChanges.safeParse(changesOf(given))
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw new Failure('invalid', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`)
  }
  const request = ({ collections }: Session['client']) =>
    collections.update({ params: { id }, body: checked.data }).catch((error: unknown) => {
      // The message names the field as the pages do ('Prefix is required'), so the setting's name is put before it.
      if (!(error instanceof Failure) || error.field === undefined) throw error
      throw new Failure(error.code, `${error.field}: ${error.message}`)
    })
  if (dryRun) return rehearseChange(session, request, `${given.join(', ')} would be set.`, { collection: id })
  const changed = await request(client)
  printCollection(output, changed, `Changed '${changed.name}'.`)
  return 0
}

async function remove(session: Session, word: string, options: DryRun & { yes?: boolean }): Promise<number> {
  const { client, output } = session
  const { id, name, path } = await resolveCollection(session, word)
  if (options.dryRun === true) {
    await session.rehearse(({ collections }) => collections.remove({ params: { id } }))
    const { items, edited } = await client.collections.previewRemoval({ params: { id } })
    const what = `${plural(items, 'item')}, ${figure(edited)} of them edited by users`
    const more = { collection: id, name, path, items, edited }
    return printDryRun(output, `'${name}' would be removed with ${what}. Its files are kept.`, more)
  }
  if (options.yes !== true)
    await requireYes(`Remove the collection '${name}' and everything users wrote about its items?`)
  await client.collections.remove({ params: { id } })
  output.end({ removed: id }, `Removed '${forTerminal(name)}'. Its files are untouched.`)
  return 0
}

/** The settings that `set` can change, named as in the API. */
const settableFields = [
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

const booleanFields = new Set<string>(['managed', 'readonly', 'keepPrivate', 'pairing'])

function changesOf(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    parseSettings(given).map(({ part, name, value }) => {
      if (!settableFields.some(known => known === name))
        throw new Failure('invalid', `'${part}' is not setting=value. Settings: ${settableFields.join(', ')}`)
      if (!booleanFields.has(name)) return [name, value]
      const flag = yesOrNo[value.toLowerCase()]
      if (flag === undefined) throw new Failure('invalid', `${name} is true or false.`)
      return [name, flag]
    }),
  )
}

function settingsOf(one: Collection): string[][] {
  const groups = one.access.map(({ name, ...flags }) => {
    const given = Object.entries(flags).filter(([flag, on]) => flag !== 'id' && on === true)
    return ['group', `${name} (${given.map(([flag]) => flag).join(', ') || 'nothing'})`]
  })
  return [
    ['id', String(one.id)],
    ['name', one.name],
    ['path', one.path],
    ['pathVariant', one.pathVariant],
    ['items', figure(one.itemcount)],
    ['last scan', one.lastscan === '' ? 'never' : `${one.lastscan.slice(0, 19).replace('T', ' ')} UTC`],
    ['managed', String(one.managed)],
    ['folderFormat', one.folderFormat],
    ['fileFormat', one.fileFormat],
    ['readonly', String(one.readonly)],
    ['writeBack', one.writeBack],
    ['keepPrivate', String(one.keepPrivate)],
    ['pairing', String(one.pairing)],
    ...(one.safetyStop === null ? [] : [['stopped', one.safetyStop.reason]]),
    ...groups,
  ]
}

function printCollection(output: Output, one: Collection, words: string): void {
  if (output.json) {
    output.object({ type: 'collection', ...one })
    output.end({ collections: 1 })
  } else output.say(forTerminal(words))
}
