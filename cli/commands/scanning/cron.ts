/** `keepsake cron`: a nightly scan, as a line for cron and as a timer for systemd. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { endWith } from '../../exit.ts'
import { dataPlace, optionsOf, refuseServerFlag } from '../../options.ts'
import { createOutput, shellWord } from '../../output.ts'

function timeOfDay(text: string): string {
  if (!/^([01]?\d|2[0-3]):[0-5]\d$/.test(text)) throw new InvalidArgumentError('It must be a time of day such as 3:15.')
  return text
}

/** A line of a crontab, where '%' would end the command. */
function cronLine(words: readonly string[], at: string): string {
  const [hour = '3', minute = '15'] = at.split(':')
  return `${Number(minute)} ${Number(hour)} * * * ${words
    .map(word => (word.startsWith('--') ? word : shellWord(word)))
    .join(' ')
    .replaceAll('%', '\\%')}`
}

/** A word of a systemd unit file, where '%' and '$' would be expanded. */
function unitWord(word: string): string {
  const text = word.replaceAll('%', '%%').replaceAll('$', () => '$$')
  return /[\s"'\\]/.test(text) ? JSON.stringify(text) : text
}

function systemdUnits(words: readonly string[], at: string): string[] {
  const [hour = '3', minute = '15'] = at.split(':')
  return [
    '# ~/.config/systemd/user/keepsake-scan.service',
    '[Unit]',
    'Description=Scan of the picture library',
    '',
    '[Service]',
    'Type=oneshot',
    'Nice=10',
    `ExecStart=${words.map(unitWord).join(' ')}`,
    '# 3: done with problems; 11: other work was under way.',
    'SuccessExitStatus=3 11',
    '',
    '# ~/.config/systemd/user/keepsake-scan.timer',
    '[Unit]',
    'Description=Nightly scan of the picture library',
    '',
    '[Timer]',
    `OnCalendar=*-*-* ${hour.padStart(2, '0')}:${minute}:00`,
    'Persistent=true',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
    '# systemctl --user daemon-reload && systemctl --user enable --now keepsake-scan.timer',
  ]
}

export function cronCommand(): Command {
  return new Command('cron')
    .description('print a cron line, and a systemd service with its timer, that scan everything every night')
    .addOption(new Option('--for <what>', 'print only one of them').choices(['cron', 'systemd']))
    .option('--at <time>', 'time of day', timeOfDay, '3:15')
    .addHelpText(
      'after',
      '\nScans that overlap are harmless: the second one skips collections that are being scanned, and exits with 11. A server scans by itself (scan_every).',
    )
    .action((options: { for?: 'cron' | 'systemd'; at: string }, command: Command) =>
      endWith(async () => {
        const output = createOutput(optionsOf(command))
        refuseServerFlag(command)
        const { ownCommand } = await import('../../../core/kernel/worker-command.ts')
        // The data directory is named, because neither cron nor a user's systemd has this shell's environment.
        const { path, origin } = await dataPlace(command)
        const named = origin === 'default' ? [] : ['--data', path]
        const words = [...ownCommand(), ...named, 'scan', '--all', '--quiet']
        const line = cronLine(words, options.at)
        const units = systemdUnits(words, options.at)
        if (output.json)
          output.object({
            type: 'cron',
            ...(options.for === 'systemd' ? {} : { line }),
            ...(options.for === 'cron' ? {} : { units: units.join('\n') }),
          })
        else {
          if (options.for !== 'systemd') {
            if (options.for === undefined) output.line('# crontab -e')
            output.line(line)
          }
          if (options.for === undefined) output.line('')
          if (options.for !== 'cron') for (const unit of units) output.line(unit)
        }
        output.end({ state: 'done' })
        return 0
      }),
    )
}
