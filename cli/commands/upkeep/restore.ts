/** `keepsake restore`: restores a backup. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { plural } from '../../../schema/figures.ts'
import { interruption } from '../../exit.ts'
import { dataPlace, refuseServerFlag } from '../../options.ts'
import { withOutput } from '../../session.ts'

interface RestoreOptions {
  force?: boolean
  dryRun?: boolean
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'restore a backup or a nightly copy of the database; restore only your own backups: their plugins and settings can run programs',
    )
    .argument('<file>', 'file written by `keepsake backup`, or one from copies/ in the data directory')
    .option('--force', 'set an existing library aside')
    .option('--dry-run', 'check the backup and whether it can be restored here, without changing anything')
    .action((file: string, { force = false, dryRun = false }: RestoreOptions, command: Command) => {
      const signal = interruption()
      return withOutput(command, async output => {
        refuseServerFlag(command)
        const { restoreBackup } = await import('../../../core/exchange/backup/restore-backup.ts')
        const { path: data } = await dataPlace(command)
        output.say(
          'Restore only backups you trust: the server runs their plugins and the tools named in their settings.',
        )
        const { made, items, collections, keepsake, kept } = await restoreBackup({ file, data, force, dryRun, signal })
        const version = keepsake === null ? '' : ` (version ${keepsake})`
        const what = `${plural(items, 'item')} of ${plural(collections, 'collection')}, as of ${made}${version}`
        output.end(
          { ...(dryRun ? { dryRun } : { state: 'done' }), data, made, items, collections, kept },
          dryRun
            ? `The backup is intact: ${what}. Nothing was changed.`
            : `Restored into ${forTerminal(data)}: ${what}.`,
        )
        if (kept !== null) output.say(`The previous library is in ${forTerminal(kept)}.`)
        if (!dryRun) output.say('Next: keepsake scan --all')
        return 0
      })
    })
}
