#!/usr/bin/env bun
/** Entry of the executable: the commands by name. Each loads what it needs when it runs, so that `--help` is quick. */
import { Command } from 'commander'
import { version } from '../core/build-info.ts'
import { accessCommand } from './commands/access.ts'
import { collectionCommand } from './commands/collection.ts'
import { configCommand } from './commands/config.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { jobsCommand } from './commands/jobs.ts'
import { licensesCommand } from './commands/licenses.ts'
import { metaCommand } from './commands/meta.ts'
import { problemsCommand } from './commands/problems.ts'
import { scanCommand } from './commands/scan.ts'
import { serveCommand } from './commands/serve.ts'
import { sortCommand } from './commands/sort.ts'
import { tokenCommand } from './commands/token.ts'
import { transferCommand } from './commands/transfer.ts'
import { userCommand } from './commands/user.ts'
import { workerCommand } from './commands/worker.ts'

const exitCodes = `
Exit codes:
  0 done   1 failed   2 usage   3 done with problems   4 not found   5 denied
  6 changed since the plan   7 safety stop   10 no library   11 busy   130 interrupted`

const program = new Command('keepsake')
  .description('A self-hosted library for photographs and videos.')
  .version(version, '-V, --version')
  .option('--data <dir>', 'data directory (environment KEEPSAKE_DATA)')
  .showHelpAfterError("(see 'keepsake --help')")
  .showSuggestionAfterError()
  .addHelpText('after', exitCodes)
  .exitOverride(error => process.exit(error.exitCode === 0 ? 0 : 2))

/** Errors of commands within commands end as those of the program do. */
function inherit(command: Command): Command {
  command.copyInheritedSettings(program)
  for (const inner of command.commands) inner.copyInheritedSettings(program)
  return command
}

for (const command of [
  serveCommand(),
  scanCommand(),
  collectionCommand(),
  sortCommand(),
  importCommand(),
  exportCommand(),
  transferCommand(),
  metaCommand(),
  accessCommand(),
  problemsCommand(),
  jobsCommand(),
  userCommand(),
  tokenCommand(),
  configCommand(),
  licensesCommand(),
]) {
  program.addCommand(inherit(command))
}
program.addCommand(workerCommand(), { hidden: true })

await program.parseAsync(process.argv)
