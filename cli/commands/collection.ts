/** `keepsake collection list`: which collections there are. */
import { Command } from 'commander'
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
  return collection
}
