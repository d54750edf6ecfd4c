/** `keepsake tui`: the library on a whole screen of the terminal. */
import { Command } from 'commander'
import { endWith } from '../exit.ts'
import { dataOf, demandHere } from '../options.ts'

/** A person with a screen must be there: a pipe or a cron job gets a clear answer instead of escape sequences. */
async function demandScreen(): Promise<void> {
  const { Failure } = await import('../../schema/errors.ts')
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    throw new Failure('invalid', "'keepsake tui' needs a terminal. For scripts: keepsake --help")
  if (process.env.TERM === 'dumb')
    throw new Failure('invalid', "'keepsake tui' cannot draw on this terminal (TERM=dumb). See: keepsake --help")
}

export function tuiCommand(): Command {
  return new Command('tui')
    .description('look after the library on a whole screen of the terminal; ? shows the keys')
    .argument('[screen]', 'where to begin: dashboard, collections, items, jobs …', 'dashboard')
    .action((screen: string, _options: object, command: Command) =>
      endWith(async () => {
        await demandHere(command)
        await demandScreen()
        const { screens } = await import('../../ink-tui/screens.ts')
        const names = screens.filter(({ inner }) => inner !== true).map(({ name }) => name)
        if (!names.includes(screen)) {
          const { Failure } = await import('../../schema/errors.ts')
          throw new Failure('invalid', `There is no screen '${screen}'. There are: ${names.join(', ')}`)
        }
        const { openLibrary } = await import('../../core/library.ts')
        // What goes wrong is in the log; the screen shows it there.
        const { createOwnWrites } = await import('../tui/own-writes.ts')
        const own = createOwnWrites()
        const how = { role: 'screen', create: false, stderrLevel: 'none', onWrites: own.listener } as const
        const library = openLibrary({ ...how, data: dataOf(command) })
        const { startTui } = await import('../../ink-tui/start.tsx')
        const { openTuiSession } = await import('../tui/session.ts')
        const { mayLeave } = await import('../../ink-tui/leaving.ts')
        const session = openTuiSession(library, own)
        try {
          const left = await startTui({ session, environment: process.env, first: screen, mayLeave })
          return left === 'left' ? 0 : 130
        } finally {
          await session.jobs.close()
          session.close()
          library.close()
        }
      }),
    )
}
