/** `keepsake config`: prints the effective settings and where each came from; reads or writes one setting. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { endAtOnceOnSignal } from '../../exit.ts'
import { dataPlace, refuseServerFlag } from '../../options.ts'
import type { Output } from '../../output.ts'
import { withOutput } from '../../session.ts'

interface SettingRow {
  name: string
  value: unknown
  origin: string
  about: string
}

async function loadEffectiveSettings(command: Command): Promise<{ data: string; rows: SettingRow[] }> {
  const { readSettings } = await import('../../../core/kernel/settings.ts')
  const { settingNames, settingsTable } = await import('../../../schema/settings.ts')
  const data = await dataPlace(command)
  const { written, origins } = readSettings(data.path, { environment: process.env })
  const rows = [
    { name: 'data', value: data.path, origin: data.origin, about: 'data directory' },
    ...settingNames.map(name => ({
      name,
      value: name === 'mapbox_token' && written[name] !== '' ? '(set)' : written[name],
      origin: origins[name],
      about: settingsTable[name].about,
    })),
  ]
  return { data: data.path, rows }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Opens no library, because a wrong setting may prevent opening it. */
function withSettings(command: Command, work: (output: Output) => Promise<number>): Promise<never> {
  endAtOnceOnSignal()
  return withOutput(command, async output => {
    refuseServerFlag(command)
    return work(output)
  })
}

async function list(command: Command, output: Output): Promise<number> {
  const { rows } = await loadEffectiveSettings(command)
  if (output.json) for (const row of rows) output.object({ type: 'setting', ...row })
  else
    output.table(
      rows.map(row => [row.name, textOf(row.value), `(${row.origin})`, row.about]),
      ['SETTING', 'VALUE', 'FROM', 'WHAT IT IS'],
    )
  output.end({ settings: rows.length })
  return 0
}

async function get(command: Command, output: Output, word: string): Promise<number> {
  const { settingNamed } = await import('../../../core/kernel/config-file.ts')
  const name = word === 'data' ? word : settingNamed(word)
  const row = (await loadEffectiveSettings(command)).rows.find(one => one.name === name)
  if (output.json) output.object({ type: 'setting', ...row })
  else output.line(forTerminal(textOf(row?.value)))
  output.end({ settings: 1 })
  return 0
}

async function write(command: Command, output: Output, word: string, value: string | null, dryRun: boolean) {
  const { settingNamed, writeSetting } = await import('../../../core/kernel/config-file.ts')
  const { existsSync, mkdirSync } = await import('node:fs')
  const { isServerRunning } = await import('../../../core/kernel/data/server-lock.ts')
  const { join } = await import('node:path')
  const { environmentName } = await import('../../../schema/settings.ts')
  const name = settingNamed(word)
  const { path: data } = await dataPlace(command)
  // Only a real change creates the directory.
  const changed = await writeSetting(data, name, value, { dryRun: true })
  if (changed && !dryRun) {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    await writeSetting(data, name, value)
  }
  const now = value === null ? `${name} has its default` : `${name} = ${forTerminal(value)}`
  const planned = value === null ? `${name} would have its default` : `${now} would be written`
  output.end(
    { ...(dryRun ? { dryRun } : { state: 'done' }), setting: name, value, changed },
    dryRun ? `${planned}. Nothing was changed.` : `${now}${changed ? '' : ', as before'}.`,
  )
  if (process.env[environmentName(name)] !== undefined)
    output.warn(`The environment variable ${environmentName(name)} overrides it.`)
  if (changed && !dryRun && existsSync(join(data, 'server.lock')) && isServerRunning(data))
    output.say('A running server uses it after a restart.')
  return 0
}

export function configCommand(): Command {
  const config = new Command('config').description('settings')
  config
    .command('list', { isDefault: true })
    .description('print the effective settings and where each comes from')
    .action((_options: object, command: Command) => withSettings(command, output => list(command, output)))
  config
    .command('get')
    .description('print the effective value of a setting')
    .argument('<setting>', 'its name')
    .action((word: string, _options: object, command: Command) =>
      withSettings(command, output => get(command, output, word)),
    )
  const dry = ['--dry-run', 'only check the value'] as const
  config
    .command('set')
    .description('write a setting to config.toml in the data directory')
    .argument('<setting>', 'its name')
    .argument('<value>', 'its value; separate list entries with commas')
    .option(...dry)
    .action((word: string, value: string, options: { dryRun?: boolean }, command: Command) =>
      withSettings(command, output => write(command, output, word, value, options.dryRun === true)),
    )
  config
    .command('unset')
    .description('remove a setting from config.toml')
    .argument('<setting>', 'its name')
    .option(...dry)
    .action((word: string, options: { dryRun?: boolean }, command: Command) =>
      withSettings(command, output => write(command, output, word, null, options.dryRun === true)),
    )
  return config
}
