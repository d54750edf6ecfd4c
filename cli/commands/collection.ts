/** `keepsake collection`: which collections there are, making, changing and forgetting them. */
import { basename, resolve } from 'node:path'
import { Command } from 'commander'
import type { Collection } from '../../schema/api/collections.ts'
import { collectionOf } from '../collection-of.ts'
import { endWith } from '../exit.ts'
import { openFor } from '../options.ts'
import { createOutput, figure, forTerminal, table } from '../output.ts'

export function collectionCommand(): Command {
  const collection = new Command('collection').description('collections of the library')
  collection
    .command('list')
    .description('list collections with their directories and counts')
    .option('--json', 'one object a line')
    .action((options: { json?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: false })
        const { terminalViewer } = await import('../../core/access.ts')
        const output = createOutput(options)
        const [, ...list] = await library.as(terminalViewer).collections.list()
        if (output.json) {
          for (const one of list) output.object({ type: 'collection', ...one })
          output.object({ type: 'summary', schema: 1, collections: list.length })
        } else if (list.length === 0) output.say('No collections. Make one with: keepsake scan DIR')
        else {
          const rows = list.map(one => [
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
        library.close()
        return 0
      }),
    )
  collection
    .command('add')
    .description('make a collection of a directory; `keepsake scan` looks into it')
    .argument('<dir>', 'directory with pictures')
    .option('--name <name>', "name of the collection (the directory's)")
    .option('--readonly', 'never write into the directory')
    .option('--json', 'one object a line')
    .action((dir: string, options: { name?: string; readonly?: boolean; json?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: true })
        const { terminalViewer } = await import('../../core/access.ts')
        const path = resolve(dir)
        const made = await library.as(terminalViewer).collections.create({
          body: { name: options.name ?? (basename(path) || 'Library'), path, readonly: options.readonly === true },
        })
        tellCollection(createOutput(options), made, `Made the collection '${made.name}'.`)
        library.close()
        return 0
      }),
    )
  collection
    .command('show')
    .description('what is set for a collection, and who may see it')
    .argument('<collection>', 'name, id or directory')
    .option('--json', 'one object a line')
    .action((word: string, options: { json?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: false })
        const { terminalViewer } = await import('../../core/access.ts')
        const { id } = await collectionOf(library, word)
        const list = await library.as(terminalViewer).collections.list()
        const found = list.find(one => one.id === id)
        if (found === undefined) throw new Error('the collection that was just found is not in the list')
        const output = createOutput(options)
        if (output.json) tellCollection(output, found, '')
        else for (const line of table(settingsOf(found))) output.line(line)
        library.close()
        return 0
      }),
    )
  collection
    .command('set')
    .description('change what is set for a collection')
    .argument('<collection>', 'name, id or directory')
    .argument('<setting=value...>', `${settable.join(', ')}`)
    .option('--json', 'one object a line')
    .action((word: string, given: string[], options: { json?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: false })
        const { terminalViewer } = await import('../../core/access.ts')
        const { collectionChanges } = await import('../../schema/api/collections.ts')
        const { Failure } = await import('../../schema/errors.ts')
        const { id } = await collectionOf(library, word)
        const checked = collectionChanges.safeParse(await changesOf(given))
        if (!checked.success) {
          const [issue] = checked.error.issues
          throw new Failure('invalid', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`)
        }
        const changed = await library.as(terminalViewer).collections.update({ params: { id }, body: checked.data })
        tellCollection(createOutput(options), changed, `Changed '${changed.name}'.`)
        library.close()
        return 0
      }),
    )
  collection
    .command('remove')
    .description('forget a collection with its items; its files are never touched')
    .argument('<collection>', 'name or id')
    .option('--yes', 'do not ask')
    .option('--json', 'one object a line')
    .action((word: string, options: { yes?: boolean; json?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: false })
        const { terminalViewer } = await import('../../core/access.ts')
        const { Failure } = await import('../../schema/errors.ts')
        const { id, name } = await collectionOf(library, word)
        if (
          options.yes !== true &&
          !(await confirmed(`Forget the collection '${name}' and what was written on its items?`))
        )
          throw new Failure('invalid', 'Nothing was changed. To go on without being asked: --yes')
        await library.as(terminalViewer).collections.remove({ params: { id } })
        const output = createOutput(options)
        if (output.json) output.object({ type: 'summary', schema: 1, removed: id })
        output.say(`Forgot '${forTerminal(name)}'. Its files are untouched.`)
        library.close()
        return 0
      }),
    )
  return collection
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
    ['last scan', one.lastscan === '' ? 'never' : one.lastscan],
    ['managed', String(one.managed)],
    ['folderFormat', forTerminal(one.folderFormat)],
    ['fileFormat', forTerminal(one.fileFormat)],
    ['readonly', String(one.readonly)],
    ['writeBack', one.writeBack],
    ['keepPrivate', String(one.keepPrivate)],
    ...groups,
  ]
}

function tellCollection(output: ReturnType<typeof createOutput>, one: Collection, words: string): void {
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
