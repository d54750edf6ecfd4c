/** `keepsake export`: what people know about their pictures, out of the library: CSV, JSON lines, people. */

import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Command, Option } from 'commander'
import { collectionOf } from '../collection-of.ts'
import { endWith, interruption } from '../exit.ts'
import { openFor } from '../options.ts'
import { createOutput, forTerminal } from '../output.ts'

interface ExportOptions {
  format: 'csv' | 'json' | 'people'
  out?: string
}

/** Writes texts to standard output, or to a file that is there whole or not at all. */
async function writeAll(texts: Iterable<string>, out: string | undefined, signal: AbortSignal): Promise<void> {
  const temporary = out === undefined ? null : `${out}.${process.pid}.tmp`
  const stream = temporary === null ? process.stdout : createWriteStream(temporary, { flags: 'wx' })
  try {
    for (const text of texts) {
      signal.throwIfAborted()
      if (!stream.write(text)) await once(stream, 'drain')
    }
    if (temporary === null || out === undefined) return
    stream.end()
    await finished(stream)
    renameSync(temporary, out)
  } catch (error) {
    if (temporary !== null) rmSync(temporary, { force: true })
    throw error
  }
}

export function exportCommand(): Command {
  return new Command('export')
    .description('write out what is known about the pictures; the pictures themselves stay where they are')
    .argument('[collection]', 'name, id or directory; without it, all (not as CSV)')
    .addOption(
      new Option('--format <format>', 'csv: a line an item; json: everything, an object a line; people: people.json')
        .choices(['csv', 'json', 'people'])
        .default('json'),
    )
    .option('--out <file>', 'write to a file instead of standard output')
    .action((word: string | undefined, options: ExportOptions, command: Command) =>
      endWith(async () => {
        const signal = interruption()
        // A reader who has had enough (`| head`) is no error: it is seen to before anything is written.
        const output = createOutput({})
        const library = await openFor(command, { create: false })
        const { terminalViewer } = await import('../../core/access.ts')
        const { Failure } = await import('../../schema/errors.ts')
        const row = word === undefined ? null : await collectionOf(library, word)
        if (options.format === 'csv') {
          if (row === null)
            throw new Failure('invalid', 'CSV is of one collection: keepsake export COLLECTION --format csv')
          await writeAll(library.collectionExport.csv(terminalViewer, row.id, {}).lines, options.out, signal)
        } else if (options.format === 'people') {
          await writeAll([library.exportPeople(terminalViewer)], options.out, signal)
        } else {
          const objects = library.libraryExport.objects(terminalViewer, row?.id ?? 0)
          const lines = (function* () {
            for (const one of objects) yield `${JSON.stringify(one)}\n`
          })()
          await writeAll(lines, options.out, signal)
        }
        if (options.out !== undefined) output.say(`Wrote ${forTerminal(options.out)}.`)
        library.close()
        return 0
      }),
    )
}
