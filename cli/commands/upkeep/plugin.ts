/** `keepsake plugin`: list, enable and disable plugins, and their options. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { flatOptions, treeOfOptions } from '../../../schema/api/parts/option-tree.ts'
import type { OptionValue, Plugin, PluginOptions } from '../../../schema/api/plugins.ts'
import { Failure } from '../../../schema/errors.ts'
import { parseSettings } from '../../options.ts'
import { printList } from '../../output.ts'
import { type DryRun, rehearseChange } from '../../plans/dry-run.ts'
import { inSession, type Session } from '../../session.ts'

async function list({ client, output }: Session): Promise<number> {
  return printList(output, await client.plugins.list(), {
    type: 'plugin',
    countName: 'plugins',
    heading: ['ID', 'PLUGIN', 'VERSION', 'STATE', ''],
    none: 'No plugins. Put their folders into plugins/ in the data directory.',
    row: ({ id, module, version, problem, active, description }) => [
      String(id),
      module,
      version,
      problem === null ? (active ? 'on' : 'off') : 'broken',
      problem ?? description,
    ],
  })
}

async function resolvePlugin({ client }: Session, word: string): Promise<Plugin> {
  const found = (await client.plugins.list()).find(
    ({ id, module, name }) => module === word || String(id) === word || name === word,
  )
  if (found === undefined) throw new Failure('notFound', `There is no plugin '${word}'. See: keepsake plugin list`)
  return found
}

async function toggle(session: Session, word: string, active: boolean, { dryRun }: DryRun): Promise<number> {
  const { client, output } = session
  const plugin = await resolvePlugin(session, word)
  const state = active ? 'on' : 'off'
  const request = { params: { id: plugin.id }, body: { active } }
  if (dryRun) {
    const words = `'${plugin.module}' would be ${state}.`
    return rehearseChange(session, ({ plugins }) => plugins.toggle(request), words, { plugin: plugin.module, active })
  }
  const now = await client.plugins.toggle(request)
  if (output.json) output.object({ type: 'plugin', ...now })
  output.end({ plugins: 1 }, `'${forTerminal(plugin.module)}' is ${state}.`)
  return 0
}

function printOptions({ output }: Session, { types, values, secrets }: PluginOptions): number {
  const rows: string[][] = []
  const flat = flatOptions(values)
  for (const [name, type] of Object.entries(types).sort(([a], [b]) => a.localeCompare(b))) {
    const value = type.secret === true ? (secrets.includes(name) ? '(set)' : '(not set)') : flat.get(name)
    if (output.json)
      output.object({ type: 'option', name, kind: type.type, value: value ?? null, label: type.label ?? '' })
    rows.push([name, String(value ?? ''), type.type, type.label ?? ''])
  }
  if (!output.json && rows.length > 0) output.table(rows, ['OPTION', 'VALUE', 'TYPE', ''])
  output.end({ options: rows.length }, rows.length === 0 ? 'It has no options.' : undefined)
  return 0
}

/** Parses 'a.b=3' as a name and a value of the option's type. */
function parseOption(
  { part, name, value: text }: ReturnType<typeof parseSettings>[number],
  types: PluginOptions['types'],
): [string, OptionValue] {
  const type = types[name]
  const known = Object.keys(types).sort().join(', ') || 'none'
  if (type === undefined) throw new Failure('invalid', `'${part}' is not option=value. Options: ${known}.`)
  if (type.type === 'boolean') return [name, /^(true|yes|on|1)$/i.test(text)]
  if (type.type !== 'number') return [name, text]
  if (Number.isNaN(Number(text))) throw new Failure('invalid', `${name} must be a number, not '${text}'.`)
  return [name, Number(text)]
}

async function options(session: Session, word: string, given: readonly string[], { dryRun }: DryRun): Promise<number> {
  const { client } = session
  const settings = parseSettings(given)
  const { id } = await resolvePlugin(session, word)
  const params = { id }
  const now = await client.plugins.options({ params })
  if (given.length === 0) return printOptions(session, now)
  const tree = treeOfOptions(settings.map(setting => parseOption(setting, now.types)))
  const request = { params, body: { options: tree } }
  if (dryRun) {
    const words = `${given.join(', ')} would be set.`
    return rehearseChange(session, ({ plugins }) => plugins.setOptions(request), words, { options: tree })
  }
  return printOptions(session, await client.plugins.setOptions(request))
}

export function pluginCommand(): Command {
  const plugin = new Command('plugin').description('manage plugins: trusted code that extends the pages and the server')
  plugin.command('list').description('list installed plugins').action(inSession(list))
  for (const [verb, active] of [
    ['on', true],
    ['off', false],
  ] as const)
    plugin
      .command(verb)
      .description(`switch a plugin ${verb}`)
      .argument('<plugin>', 'name of its folder, or its id')
      .option('--dry-run', 'print what would be done, without doing it')
      .action(inSession((session, word: string, given: DryRun) => toggle(session, word, active, given)))
  plugin
    .command('options')
    .description('print or set options of a plugin')
    .argument('<plugin>', 'name of its folder, or its id')
    .argument('[option=value...]', 'options to set')
    .option('--dry-run', 'print what would be set, without setting it')
    .action(inSession(options))
  return plugin
}
