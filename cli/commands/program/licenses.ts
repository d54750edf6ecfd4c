/** `keepsake licenses`: the licences of what the executable contains. */
import { Command } from 'commander'
import { writeOut } from '../../output.ts'
import { withOutput } from '../../session.ts'

export function licensesCommand(): Command {
  return new Command('licenses')
    .description('print the licences of the bundled libraries')
    .action((_options: object, command: Command) =>
      withOutput(command, async output => {
        const { noticesFile } = await import('../../third-party-notices.ts')
        const text = noticesFile === null ? '' : await Bun.file(noticesFile).text()
        if (output.json) output.object({ type: 'licenses', text })
        else if (noticesFile !== null) writeOut(text)
        output.end(
          { bytes: text.length },
          text === '' ? 'When run from source, each library has its licence in node_modules.' : undefined,
        )
        return 0
      }),
    )
}
