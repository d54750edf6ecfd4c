/** `keepsake config`: the effective settings and where each came from. */
import { Command } from 'commander'
import { endWith } from '../exit.ts'
import { dataOf } from '../options.ts'
import { createOutput, forTerminal, table } from '../output.ts'

export function configCommand(): Command {
  return new Command('config')
    .description('print the effective settings and where each came from')
    .option('--json', 'one object a line')
    .action((options: { json?: boolean }, command: Command) =>
      endWith(async () => {
        const { dataDirectory, readSettings } = await import('../../core/settings.ts')
        const { settingNames, settingsTable } = await import('../../schema/settings.ts')
        const output = createOutput(options)
        const data = dataDirectory(dataOf(command), process.env)
        const { written, origins } = readSettings(data.path, { environment: process.env })
        const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
        const rows = [
          { name: 'data', value: data.path, origin: data.origin, about: 'data directory' },
          ...settingNames.map(name => ({
            name,
            value: name === 'mapbox_token' && written[name] !== '' ? '(set)' : written[name],
            origin: origins[name],
            about: settingsTable[name].about,
          })),
        ]
        if (output.json) {
          for (const row of rows) output.object({ type: 'setting', ...row })
          output.object({ type: 'summary', schema: 1, settings: rows.length })
          return 0
        }
        const lines = rows.map(row => [
          row.name,
          forTerminal(shown(row.value)),
          `(${forTerminal(row.origin)})`,
          row.about,
        ])
        for (const line of table([['SETTING', 'VALUE', 'FROM', 'WHAT IT IS'], ...lines])) output.line(line)
        return 0
      }),
    )
}
