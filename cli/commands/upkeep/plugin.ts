/** `keepsake plugin`: plugins that are installed, switching them on and off, and their options. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { OptionTree, OptionValue, Plugin, PluginOptions } from '../../../schema/api/plugins.ts'
import { Failure } from '../../../schema/errors.ts'
import { demandEachOnce } from '../../options.ts'
import { table } from '../../output.ts'
import { rehearsed } from '../../plans/dry-run.ts'
import { type Session, withSession } from '../../session.ts'

async function list({ client, output }: Session): Promise<number> {
  const plugins = await client.plugins.list()
  if (output.json) for (const plugin of plugins) output.object({ type: 'plugin', ...plugin })
  else if (plugins.length > 0) {
    const rows = plugins.map(plugin => [
      String(plugin.id),
      forTerminal(plugin.module),
      forTerminal(plugin.version),
      plugin.problem === null ? (plugin.active ? 'on' : 'off') : 'broken',
      forTerminal(plugin.problem ?? plugin.description),
    ])
    for (const line of table([['ID', 'PLUGIN', 'VERSION', 'STATE', ''], ...rows])) output.line(line)
  }
  output.end(
    { plugins: plugins.length },
    plugins.length === 0 ? 'No plugins. Their folders lie in plugins/ of the data directory.' : undefined,
  )
  return 0
}

async function pluginOf({ client }: Session, word: string): Promise<Plugin> {
  const found = (await client.plugins.list()).find(
    ({ id, module, name }) => module === word || String(id) === word || name === word,
  )
  if (found === undefined) throw new Failure('notFound', `There is no plugin '${word}'. See: keepsake plugin list`)
  return found
}

async function toggle(session: Session, word: string, active: boolean, dryRun: boolean): Promise<number> {
  const { client, output } = session
  const plugin = await pluginOf(session, word)
  const state = active ? 'on' : 'off'
  const asked = { params: { id: plugin.id }, body: { active } }
  if (dryRun) {
    const words = `'${plugin.module}' would be ${state}.`
    return rehearsed(session, ({ plugins }) => plugins.toggle(asked), words, { plugin: plugin.module, active })
  }
  const now = await client.plugins.toggle(asked)
  if (output.json) output.object({ type: 'plugin', ...now })
  output.end({ plugins: 1 }, `'${forTerminal(plugin.module)}' is ${state}.`)
  return 0
}

/** The value of a dotted name. */
function valueAt(tree: OptionTree, name: string): OptionValue | undefined {
  let at: OptionTree | OptionValue | undefined = tree
  for (const part of name.split('.')) at = typeof at === 'object' ? at[part] : undefined
  return typeof at === 'object' ? undefined : at
}

function tell({ output }: Session, { types, values, secrets }: PluginOptions): number {
  const rows: string[][] = []
  for (const [name, type] of Object.entries(types).sort(([a], [b]) => a.localeCompare(b))) {
    const value = type.secret === true ? (secrets.includes(name) ? '(set)' : '(not set)') : valueAt(values, name)
    if (output.json)
      output.object({ type: 'option', name, kind: type.type, value: value ?? null, label: type.label ?? '' })
    rows.push([forTerminal(name), forTerminal(String(value ?? '')), type.type, forTerminal(type.label ?? '')])
  }
  if (!output.json && rows.length > 0)
    for (const line of table([['OPTION', 'VALUE', 'TYPE', ''], ...rows])) output.line(line)
  output.end({ options: rows.length }, rows.length === 0 ? 'It has no options.' : undefined)
  return 0
}

/** 'a.b=3' as {a: {b: 3}}, by the types of the options. */
function treeOf(given: readonly string[], types: PluginOptions['types']): OptionTree {
  const tree: OptionTree = {}
  for (const part of given) {
    const at = part.indexOf('=')
    const name = part.slice(0, at)
    const type = at < 1 ? undefined : types[name]
    if (type === undefined)
      throw new Failure(
        'invalid',
        `'${part}' is no option=value. There are: ${Object.keys(types).sort().join(', ') || 'none'}.`,
      )
    const text = part.slice(at + 1)
    const value =
      type.type === 'number' ? Number(text) : type.type === 'boolean' ? /^(true|yes|on|1)$/i.test(text) : text
    if (Number.isNaN(value)) throw new Failure('invalid', `${name} is a number: '${text}' is none.`)
    const parts = name.split('.')
    let inner = tree
    for (const step of parts.slice(0, -1)) {
      const known = inner[step]
      const next: OptionTree = typeof known === 'object' ? known : {}
      inner[step] = next
      inner = next
    }
    inner[parts.at(-1) ?? name] = value
  }
  return tree
}

async function options(session: Session, word: string, given: readonly string[], dryRun: boolean): Promise<number> {
  const { client } = session
  await demandEachOnce(given)
  const { id } = await pluginOf(session, word)
  const params = { id }
  const now = await client.plugins.options({ params })
  if (given.length === 0) return tell(session, now)
  const tree = treeOf(given, now.types)
  const asked = { params, body: { options: tree } }
  if (dryRun) {
    const words = `${given.join(', ')} would be set.`
    return rehearsed(session, ({ plugins }) => plugins.setOptions(asked), words, { options: tree })
  }
  return tell(session, await client.plugins.setOptions(asked))
}

export function pluginCommand(): Command {
  const plugin = new Command('plugin').description('plugins: trusted code that adds to the pages and the server')
  plugin
    .command('list')
    .description('list plugins that are installed')
    .action((_options: object, command: Command) => withSession(command, list))
  for (const [verb, active] of [
    ['on', true],
    ['off', false],
  ] as const)
    plugin
      .command(verb)
      .description(`switch a plugin ${verb}`)
      .argument('<plugin>', 'name of its folder, or its id')
      .option('--dry-run', 'only say what would be done')
      .action((word: string, given: { dryRun?: boolean }, command: Command) =>
        withSession(command, session => toggle(session, word, active, given.dryRun === true)),
      )
  plugin
    .command('options')
    .description('print the options of a plugin, or set some')
    .argument('<plugin>', 'name of its folder, or its id')
    .argument('[option=value...]', 'what is to be set')
    .option('--dry-run', 'only say what would be set')
    .action((word: string, given: string[], { dryRun }: { dryRun?: boolean }, command: Command) =>
      withSession(command, session => options(session, word, given, dryRun === true)),
    )
  return plugin
}
