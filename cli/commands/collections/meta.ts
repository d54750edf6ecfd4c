/** `keepsake meta import|export`: reads metadata from the files of a collection, or writes it to them. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { PlannedReading, PlannedWrite } from '../../../schema/api/plans.ts'
import { plural } from '../../../schema/figures.ts'
import { jobCommand } from '../../job-command.ts'
import { type DryRun, printDryRun, requireStartable } from '../../plans/dry-run.ts'
import { resolveCollection, type Session } from '../../session.ts'

async function dryImport(session: Session, id: number) {
  const { output, signal } = session
  await requireStartable(session, client => client.collections.importMetadata({ params: { id } }))
  let changed = 0
  const report = (reading: PlannedReading) => {
    changed++
    if (output.json) output.object({ type: 'item', ...reading })
    else output.line(`changes  ${forTerminal(reading.path)}: ${reading.changes.join(', ')}`)
  }
  const { unreadable } = await session.planner.importMetadata({ collection: id }, { signal, report })
  for (const { path, reason } of unreadable) output.warn(`  ${forTerminal(path)}: ${forTerminal(reason)}`)
  printDryRun(output, `${plural(changed, 'item')} would be changed.`, { changed, problems: unreadable.length })
  return { exit: unreadable.length > 0 ? 3 : 0 }
}

async function dryExport(session: Session, id: number) {
  const { output, signal } = session
  await requireStartable(session, client => client.collections.exportMetadata({ params: { id } }))
  const counts = { written: 0, unchanged: 0, skipped: 0, failed: 0 }
  const report = (write: PlannedWrite) => {
    counts[write.result]++
    if (write.result === 'unchanged') return
    const { path, files, result, reason } = write
    if (output.json) output.object({ type: 'item', ...write })
    else if (result === 'written') for (const file of files) output.line(`writes   ${forTerminal(file)}`)
    else output.line(`${result.padEnd(7)}  ${forTerminal(path)}: ${forTerminal(reason)}`)
  }
  await session.planner.exportMetadata({ collection: id }, { signal, report })
  const { written, unchanged, skipped, failed } = counts
  const others = `${unchanged} unchanged, ${skipped} skipped, ${failed} failed`
  printDryRun(output, `The files of ${plural(written, 'item')} would be written, ${others}.`, counts)
  return { exit: skipped + failed > 0 ? 3 : 0 }
}

export function metaCommand(): Command {
  const meta = new Command('meta').description('read and write metadata of files')
  meta
    .command('import')
    .description('read the metadata of all files again; it overrides what users wrote')
    .argument('<collection>', 'name, id or directory')
    .option('--dry-run', 'list items whose files differ, without changing anything')
    .action((word: string, options: DryRun, command: Command) =>
      jobCommand(command, 'Metadata import', async session => {
        const { id } = await resolveCollection(session, word)
        if (options.dryRun === true) return dryImport(session, id)
        return { job: (await session.client.collections.importMetadata({ params: { id } })).taskid }
      }),
    )
  meta
    .command('export')
    .description('write tags to sidecars, or to the files if the collection is set so')
    .argument('<collection>', 'name, id or directory')
    .option('--dry-run', 'list the files that would be written, without writing them')
    .action((word: string, options: DryRun, command: Command) =>
      jobCommand(command, 'Metadata export', async session => {
        const { id } = await resolveCollection(session, word)
        if (options.dryRun === true) return dryExport(session, id)
        return { job: (await session.client.collections.exportMetadata({ params: { id } })).taskid }
      }),
    )
  return meta
}
