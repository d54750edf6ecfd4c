/** `keepsake export`: metadata of the library as CSV, JSON lines, people or XMP sidecars. */

import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Command, Option } from 'commander'
import type { Viewer } from '../../../core/accounts/access.ts'
import { forTerminal, type TextFormat } from '../../../core/kernel/terminal-text.ts'
import type { Library } from '../../../core/library.ts'
import { Failure } from '../../../schema/errors.ts'
import { plural } from '../../../schema/figures.ts'
import { interruption } from '../../exit.ts'
import { createDisplay } from '../../finish-job.ts'
import { openFor } from '../../options.ts'
import { flushOutput, type Output, readerIsGone, writeOut } from '../../output.ts'
import { resolveLocalCollection, withOutput } from '../../session.ts'

interface ExportOptions {
  format: 'csv' | 'json' | 'people' | 'xmp'
  out?: string
  to?: string
  replace?: boolean
  dryRun?: boolean
}

/** Writes texts to standard output, or to a file that appears only when complete. Returns the number of bytes. */
async function writeAll(
  texts: Iterable<string>,
  { format, out }: { format: TextFormat; out: string | undefined },
  signal: AbortSignal,
): Promise<number> {
  if (out === undefined) return writeToStandardOutput(texts, format, signal)
  const temporary = `${out}.${process.pid}.tmp`
  const stream = createWriteStream(temporary, { flags: 'wx' })
  try {
    await pipeline(Readable.from(texts), stream, { signal })
    renameSync(temporary, out)
    return stream.bytesWritten
  } catch (error) {
    rmSync(temporary, { force: true })
    signal.throwIfAborted()
    throw (await import('../../../core/files/output-paths.ts')).outputFailure(error, out)
  }
}

/** Maximum number of bytes that may wait for a slow reader. */
const maxAhead = 1024 * 1024

async function writeToStandardOutput(
  texts: Iterable<string>,
  format: TextFormat,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0
  let ahead = 0
  for (const text of texts) {
    signal.throwIfAborted()
    const length = Buffer.byteLength(text)
    bytes += length
    ahead += length
    writeOut(text, format)
    if (ahead < maxAhead) continue
    await flushOutput()
    // A reader that has stopped (`| head`) is not an error.
    if (readerIsGone()) process.exit(0)
    ahead = 0
  }
  await flushOutput()
  return bytes
}

function linesOf(library: Library, viewer: Viewer, format: 'csv' | 'json' | 'people', id: number): Iterable<string> {
  if (format === 'csv') return library.collectionExport.csv(viewer, id, {}).lines
  if (format === 'people') return [library.exportPeople(viewer)]
  const objects = library.libraryExport.lines(viewer, id)
  return (function* () {
    for (const one of objects) yield `${JSON.stringify(one)}\n`
  })()
}

interface Exporting {
  library: Library
  viewer: Viewer
  /** 0 means all collections. */
  id: number
  options: ExportOptions
  output: Output
  signal: AbortSignal
}

async function exportText(exporting: Exporting, format: 'csv' | 'json' | 'people'): Promise<number> {
  const { library, viewer, id, options, output, signal } = exporting
  const { out, dryRun } = options
  const { requireOutputFile } = await import('../../../core/files/output-paths.ts')
  const { requireOutApart } = await import('../../../core/collections/apart.ts')
  if (out !== undefined) requireOutApart(library, out)
  if (out !== undefined) requireOutputFile(out)
  const lines = linesOf(library, viewer, format, id)
  if (dryRun === true) {
    let bytes = 0
    for (const line of lines) bytes += Buffer.byteLength(line)
    output.end(
      { dryRun: true, file: out ?? null, bytes },
      `${plural(bytes, 'byte')} would be written to ${forTerminal(out ?? 'standard output')}.`,
    )
    return 0
  }
  const bytes = await writeAll(lines, { format: format === 'csv' ? 'csv' : 'json', out }, signal)
  if (out === undefined) return 0
  output.end({ state: 'done', file: out, bytes }, `Wrote ${forTerminal(out)}.`)
  return 0
}

async function exportSidecars({ library, viewer, id, options, output, signal }: Exporting): Promise<number> {
  const directory = resolve(options.to ?? '')
  const { requireOutputFolder, outputFailure } = await import('../../../core/files/output-paths.ts')
  library.sidecarExport.requireApart(directory)
  requireOutputFolder(directory)
  const dryRun = options.dryRun === true
  const counts = { written: 0, unchanged: 0, skipped: 0, failed: 0 }
  const request = { directory, replace: options.replace === true, dryRun, signal }
  const outcomes = library.sidecarExport.write(viewer, id, request)
  const display = dryRun ? null : await createDisplay(output)
  display?.begin('Sidecars')
  try {
    if (!dryRun) mkdirSync(directory, { recursive: true })
    for await (const { path, result, reason } of outcomes) {
      counts[result]++
      display?.update({ done: counts.written + counts.unchanged, message: path, counts: { ...counts } })
      if (output.json) {
        if (dryRun || reason !== '') output.object({ type: 'sidecar', path, result, reason })
      } else if (reason !== '') output.warn(`  ${forTerminal(path)}: ${forTerminal(reason)}`)
      else if (dryRun && result === 'written') output.line(`writes  ${forTerminal(path)}`)
    }
  } catch (error) {
    throw outputFailure(error, directory)
  } finally {
    display?.end()
  }
  const { written, unchanged, skipped, failed } = counts
  const others = `${unchanged} unchanged, ${skipped} skipped, ${failed} failed`
  output.end(
    { ...(dryRun ? { dryRun } : { state: 'done' }), ...counts },
    dryRun
      ? `${plural(written, 'sidecar')} would be written, ${others}. Nothing was changed.`
      : `${plural(written, 'sidecar')} written, ${others}.`,
  )
  return skipped + failed > 0 ? 3 : 0
}

async function run(word: string | undefined, options: ExportOptions, command: Command, output: Output) {
  const signal = interruption()
  // '-' is standard output, as elsewhere.
  if (options.out === '-') delete options.out
  const { format, out, to } = options
  const isText = format !== 'xmp'
  if (isText && to !== undefined)
    throw new Failure('invalid', '--to is for sidecars (--format xmp). For a file, use --out FILE.')
  if (!isText && (to === undefined || out !== undefined))
    throw new Failure('invalid', 'Sidecars are written to a folder: keepsake export COLLECTION --format xmp --to DIR')
  if (options.replace === true && isText) throw new Failure('invalid', '--replace is for sidecars (--format xmp).')
  if (output.json && isText && out === undefined && options.dryRun !== true)
    throw new Failure('invalid', '--json reports on a written file: give --out FILE.')
  const library = await openFor(command, { create: false })
  const { terminalViewer } = await import('../../../core/accounts/access.ts')
  const row = word === undefined ? null : await resolveLocalCollection({ library, viewer: terminalViewer }, word)
  if (row === null && (format === 'csv' || format === 'xmp')) {
    const rest = format === 'csv' ? 'csv' : 'xmp --to DIR'
    throw new Failure('invalid', `This format needs a collection: keepsake export COLLECTION --format ${rest}`)
  }
  if (row !== null && format === 'people')
    throw new Failure('invalid', 'People are exported for all collections together.')
  const exporting: Exporting = { library, viewer: terminalViewer, id: row?.id ?? 0, options, output, signal }
  const code = format === 'xmp' ? await exportSidecars(exporting) : await exportText(exporting, format)
  library.close()
  return code
}

export function exportCommand(): Command {
  return new Command('export')
    .description('export what is known about the pictures, not the pictures themselves')
    .argument('[collection]', 'name, id or directory; without it, all collections (JSON and people)')
    .addOption(
      new Option(
        '--format <format>',
        'csv: one line per item; json: everything, one object per line; people: people.json; xmp: sidecars in a folder',
      )
        .choices(['csv', 'json', 'people', 'xmp'])
        .default('json'),
    )
    .option('--out <file>', 'file to write; - or nothing means standard output')
    .option('--to <dir>', 'folder for the sidecars, outside all collections')
    .option('--replace', 'overwrite sidecars in that folder that differ')
    .option('--dry-run', 'print what would be written, without writing anything')
    .addHelpText('after', '\nRestore a JSON export with: keepsake import FILE --into COLLECTION')
    .action((word: string | undefined, options: ExportOptions, command: Command) =>
      withOutput(command, output => run(word, options, command, output)),
    )
}
