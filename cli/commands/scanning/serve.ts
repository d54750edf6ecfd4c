/** `keepsake serve [DIR…]`: the web server; directories become collections and are scanned in the background. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { Failure } from '../../../schema/errors.ts'
import { interruption } from '../../exit.ts'
import { dataFlag, refuseServerFlag, requireCreatable, wantsNewLibrary } from '../../options.ts'
import type { Output } from '../../output.ts'
import { withOutput } from '../../session.ts'

interface ServeOptions {
  listen?: string
}

async function serve(dirs: string[], options: ServeOptions, command: Command, output: Output): Promise<number> {
  const signal = interruption()
  refuseServerFlag(command)
  const { listen } = command.getOptionValueSource('listen') === 'env' ? {} : options
  const { openLibrary } = await import('../../../core/library.ts')
  const { startServer } = await import('../../../server/serve.ts')
  const { terminalViewer } = await import('../../../core/accounts/access.ts')
  const { setupPath } = await import('../../../core/kernel/data/secrets.ts')
  await requireCreatable(command, async empty => {
    for (const dir of dirs) empty.collections.preview(terminalViewer, dir)
  })
  const library = openLibrary({
    role: 'server',
    data: dataFlag(command),
    create: true,
    asNew: wantsNewLibrary(command),
    ...(listen === undefined ? {} : { flags: { listen } }),
  })
  // Report a wrong directory before the port is open, while the user still looks at the terminal.
  const targets = []
  for (const dir of dirs) targets.push(await library.collections.resolve(terminalViewer, dir, { create: true }))
  const server = await startServer(library)
  for (const { row } of targets) {
    try {
      await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id })
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy')) throw error
    }
  }

  const links = library.users.hasAny() ? [] : server.linkAddresses.map(address => address + setupPath(library.secrets))
  if (output.json) output.object({ type: 'serving', schema: 1, setup: links[0] ?? null, addresses: server.addresses })
  else {
    if (links.length > 0) {
      output.say('There is no account yet. Open this link to create the first one, which becomes administrator:')
      for (const link of links) output.say(`  ${forTerminal(link)}`)
    }
    output.say(`Keepsake serves ${server.addresses.map(forTerminal).join(' and ')}`)
    for (const { row } of targets) output.say(`Scanning ${forTerminal(row.path)} as '${forTerminal(row.name)}'.`)
    output.say('Press Ctrl-C to stop.')
  }
  await new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
  await server.stop()
  output.end({})
  return 0
}

export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'serve the library to browsers; given directories become collections and are scanned in the background',
    )
    .argument('[dir...]', 'directories of pictures')
    .option('--listen <address:port>', 'address and port to listen on')
    .option('--new', 'if the database is damaged or missing, set its remains aside and start a new library')
    .action((dirs: string[], options: ServeOptions, command: Command) => {
      return withOutput(command, output => serve(dirs, options, command, output))
    })
}
