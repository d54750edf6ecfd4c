/** `keepsake doctor`: checks the installation, and says how to fix what it finds. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { plural } from '../../../schema/figures.ts'
import { endAtOnceOnSignal } from '../../exit.ts'
import { dataFlag, refuseServerFlag } from '../../options.ts'
import { withOutput } from '../../session.ts'

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check the library and this machine, and repair file permissions; exit code 3 with warnings, 1 with failures',
    )
    .action((_options: object, command: Command) => {
      endAtOnceOnSignal()
      return withOutput(command, async output => {
        refuseServerFlag(command)
        const { examine } = await import('../../../core/upkeep/doctor.ts')
        const counts = { ok: 0, warn: 0, fail: 0 }
        for await (const { check, state, message, remedy } of examine(dataFlag(command), process.env, Date.now())) {
          counts[state]++
          if (output.json) output.object({ type: 'check', check, state, message, remedy })
          else {
            output.line(`${state.padEnd(4)}  ${forTerminal(check)}: ${forTerminal(message)}`)
            if (remedy !== '') output.line(`      -> ${forTerminal(remedy)}`)
          }
        }
        const { ok, warn, fail } = counts
        output.end(
          { state: fail > 0 ? 'failed' : 'done', ...counts },
          `${plural(ok, 'check')} passed, ${plural(warn, 'warning')}, ${plural(fail, 'failure')}.`,
        )
        return fail > 0 ? 1 : warn > 0 ? 3 : 0
      })
    })
}
