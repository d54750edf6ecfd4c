/** `keepsake restore`: restores a backup. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { plural } from '../../../schema/figures.ts'
import { interruption } from '../../exit.ts'
import { dataPlace, requireHere } from '../../options.ts'
import { withOutput } from '../../session.ts'

interface RestoreOptions {
  force?: boolean
  dryRun?: boolean
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'put a backup into the data directory, or a nightly copy of the database; restore only your own, for plugins and settings of a backup are trusted like a program',
    )
    .argument('<file>', 'what `keepsake backup` wrote, or a file of the directory copies of the data directory')
    .option('--force', 'where there is a library: keep it aside')
    .option('--dry-run', 'read and check the backup, and whether it could be put there; change nothing')
    .action((file: string, { force = false, dryRun = false }: RestoreOptions, command: Command) => {
      const signal = interruption()
      return withOutput(command, async output => {
        requireHere(command)
        const { restoreBackup } = await import('../../../core/exchange/backup/restore-backup.ts')
        const { path: data } = await dataPlace(command)
        output.say(
          'A backup is trusted like a program: the server runs its plugins and the tools that its settings name.',
        )
        const { made, items, collections, keepsake, kept } = await restoreBackup({ file, data, force, dryRun, signal })
        const version = keepsake === null ? '' : ` (version ${keepsake})`
        const what = `${plural(items, 'item')} of ${plural(collections, 'collection')}, as of ${made}${version}`
        output.end(
          { ...(dryRun ? { dryRun } : { state: 'done' }), data, made, items, collections, kept },
          dryRun
            ? `The backup is sound: ${what}. Nothing was changed.`
            : `Restored into ${forTerminal(data)}: ${what}.`,
        )
        if (kept !== null) output.say(`What was there is in ${forTerminal(kept)}.`)
        if (!dryRun) output.say('Next: keepsake scan --all')
        return 0
      })
    })
}
