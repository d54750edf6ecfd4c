/** `keepsake tui`: the library in a full-screen terminal UI. */
import { Command } from 'commander'
import type { Library } from '../../../core/library.ts'
import type { OwnWrites } from '../../../ink-tui/machine/own-writes.ts'
import { Failure } from '../../../schema/errors.ts'
import { endWith } from '../../exit.ts'
import { dataFlag, optionsOf, refuseServerFlag } from '../../options.ts'
import { createOutput, runWithSummary } from '../../output.ts'

/** Requires an interactive terminal; a pipe or a cron job gets a clear error instead of escape sequences. */
async function requireScreen(): Promise<void> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    throw new Failure('invalid', "'keepsake tui' needs a terminal. For scripts: keepsake --help")
  if (process.env.TERM === 'dumb')
    throw new Failure('invalid', "'keepsake tui' cannot draw on this terminal (TERM=dumb). See: keepsake --help")
}

/** Checks everything that can fail before the terminal UI takes over the screen. */
async function requireAll(screen: string, command: Command): Promise<void> {
  refuseServerFlag(command)
  await requireScreen()
  const { screens } = await import('../../../ink-tui/screens.ts')
  const names: string[] = screens.filter(({ inner }) => !inner).map(({ name }) => name)
  if (names.includes(screen)) return
  throw new Failure('invalid', `There is no screen '${screen}'. Screens: ${names.join(', ')}`)
}

async function show(library: Library, ownWrites: OwnWrites, screen: string): Promise<'left' | 'ended'> {
  const { startTui } = await import('../../../ink-tui/start.tsx')
  const { openTuiSession } = await import('../../tui/session.ts')
  const { prepareToLeave } = await import('../../../ink-tui/quit-questions.ts')
  const session = openTuiSession(library, ownWrites)
  try {
    return await startTui({ session, environment: process.env, first: screen, prepareToLeave })
  } finally {
    await session.jobs.close()
    session.close()
    library.close()
  }
}

async function tui(screen: string, command: Command): Promise<number> {
  await requireAll(screen, command)
  const { openLibrary } = await import('../../../core/library.ts')
  const { createOwnWrites } = await import('../../../ink-tui/machine/own-writes.ts')
  const ownWrites = createOwnWrites()
  // Errors are in the log, which the screen shows.
  const how = { role: 'screen', create: false, stderrLevel: 'none', onWrites: ownWrites.listener } as const
  const library = openLibrary({ ...how, data: dataFlag(command) })
  const outcome = await show(library, ownWrites, screen)
  if (optionsOf(command).json === true)
    createOutput({ json: true }).end(outcome === 'left' ? {} : { state: 'interrupted' })
  return outcome === 'left' ? 0 : 130
}

export function tuiCommand(): Command {
  return new Command('tui')
    .description('manage the library in a full-screen terminal; ? shows the keys')
    .argument('[screen]', 'the first screen: dashboard, collections, items, jobs …', 'dashboard')
    .action((screen: string, _options: object, command: Command) =>
      endWith(() =>
        tui(screen, command).catch((error: unknown) => {
          if (optionsOf(command).json !== true) throw error
          // The output is created only now, because the terminal UI uses standard output while it runs.
          return runWithSummary(createOutput({ json: true }), () => Promise.reject(error))
        }),
      ),
    )
}
