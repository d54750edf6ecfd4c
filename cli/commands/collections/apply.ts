/** `keepsake apply`: runs a plan of sort, transfer or import, if nothing has changed since. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { Failure } from '../../../schema/errors.ts'
import { plural } from '../../../schema/figures.ts'
import { jobCommand } from '../../job-command.ts'
import { type DryRun, requireStartable } from '../../plans/dry-run.ts'
import { printFailing, readPlan } from '../../plans/plan-file.ts'
import { requireLocalLibrary } from '../../session.ts'

export function applyCommand(): Command {
  return new Command('apply')
    .description(
      'carry out a plan written by sort, transfer or import; refused (exit code 6) if something has changed since',
    )
    .argument('<file>', 'file written by --plan')
    .option('--dry-run', 'check whether the plan can still be carried out')
    .action((file: string, options: DryRun, command: Command) =>
      jobCommand(command, 'Plan', async session => {
        const { output, signal } = session
        const plan = await readPlan(file)
        const { library, viewer } = requireLocalLibrary(session)
        if (plan.library !== library.data)
          throw new Failure('changed', `This plan is for the library in ${plan.library}, not for ${library.data}.`)
        const changes = await library.plannedWork.changes(viewer, plan, { signal })
        for (const change of changes) {
          if (output.json) output.object({ type: 'changed', ...change })
          else output.line(`changed  ${forTerminal(change.path)}: ${forTerminal(change.reason)}`)
        }
        if (changes.length > 0)
          throw new Failure(
            'changed',
            'Something has changed since the plan was made. Nothing was done: make a new plan.',
          )
        const movingCount = plan.files.filter(({ to }) => to !== null).length
        if (options.dryRun === true) {
          await requireStartable(session, () => library.plannedWork.start(viewer, plan))
          const moved = plan.work.command === 'import' ? 'copied' : 'moved'
          const failed = printFailing(output, plan)
          const others = failed === 0 ? '' : ` ${failed} can’t be ${moved}.`
          output.end(
            { dryRun: true, files: movingCount, failed },
            `${plural(movingCount, 'file')} would be ${moved}. Nothing has changed since the plan was made.${others}`,
          )
          return { exit: failed > 0 ? 3 : 0 }
        }
        return library.plannedWork.start(viewer, plan)
      }),
    )
}
