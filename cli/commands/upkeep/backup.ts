/** `keepsake backup`: a complete copy of the library's data, while everything runs. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { createDisplay } from '../../finish-job.ts'
import { requireLocalLibrary, withSession } from '../../session.ts'

interface BackupOptions {
  out: string
  replace?: boolean
  dryRun?: boolean
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('copy database, settings, secrets and plugins into one verified file; pictures are not included')
    .requiredOption('--out <file>', 'file to write (zip); only its owner may read it')
    .option('--replace', 'overwrite an existing file')
    .option('--dry-run', 'print how large the backup would be, without writing it')
    .action((options: BackupOptions, command: Command) =>
      withSession(
        command,
        async session => {
          const { output, signal } = session
          const { library, viewer } = requireLocalLibrary(session)
          const { requireBackup, makeBackup } = await import('../../../core/exchange/backup/make-backup.ts')
          const where = { out: options.out, replace: options.replace === true }
          if (options.dryRun === true) {
            requireBackup(library, viewer, where)
            const { usedBytes } = await import('./backup.sql.ts')
            const bytes = library.db.get(usedBytes)?.bytes ?? 0
            output.end(
              { dryRun: true, file: options.out, bytes },
              `About ${plural(bytes, 'byte')} would be written. Nothing was written.`,
            )
            return 0
          }
          const display = await createDisplay(output)
          display?.begin('Backup')
          const report = (done: number, total: number, message: string) => display?.update({ done, total, message })
          const made = await makeBackup(library, viewer, { ...where, signal, report }).finally(() => display?.end())
          const { files, bytes, items, collections } = made
          output.end(
            { state: 'done', file: options.out, bytes, files: files.length, items, collections, made: made.made },
            `Wrote and checked ${forTerminal(options.out)}: ${plural(items, 'item')} of ${plural(collections, 'collection')}, ${figure(bytes)} bytes.`,
          )
          return 0
        },
        { stopsCleanly: true },
      ),
    )
}
