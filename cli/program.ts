/** All commands by name, with common flags, help, examples and errors. Each command loads its modules when it runs. */
import { Command } from 'commander'
import { version } from '../core/kernel/build-info.ts'
import { accessCommand } from './commands/accounts/access.ts'
import { tokenCommand } from './commands/accounts/token.ts'
import { userCommand } from './commands/accounts/user.ts'
import { albumCommand } from './commands/albums/album.ts'
import { applyCommand } from './commands/collections/apply.ts'
import { collectionCommand } from './commands/collections/collection.ts'
import { exportCommand } from './commands/collections/export.ts'
import { importCommand } from './commands/collections/import.ts'
import { metaCommand } from './commands/collections/meta.ts'
import { sortCommand } from './commands/collections/sort.ts'
import { transferCommand } from './commands/collections/transfer.ts'
import { explainCommand } from './commands/items/explain.ts'
import { favouriteCommand } from './commands/items/favourite.ts'
import { itemCommand } from './commands/items/item.ts'
import { facesCommand } from './commands/people/faces.ts'
import { keystringCommand } from './commands/people/keystring.ts'
import { modelsCommand } from './commands/people/models.ts'
import { peopleCommand } from './commands/people/people.ts'
import { completionCommand } from './commands/program/completion.ts'
import { licensesCommand } from './commands/program/licenses.ts'
import { manCommand } from './commands/program/man.ts'
import { workerCommand } from './commands/program/worker.ts'
import { cronCommand } from './commands/scanning/cron.ts'
import { scanCommand } from './commands/scanning/scan.ts'
import { serveCommand } from './commands/scanning/serve.ts'
import { tuiCommand } from './commands/scanning/tui.ts'
import { linkCommand } from './commands/sharing/link.ts'
import { auditCommand } from './commands/upkeep/audit.ts'
import { backupCommand } from './commands/upkeep/backup.ts'
import { configCommand } from './commands/upkeep/config.ts'
import { doctorCommand } from './commands/upkeep/doctor.ts'
import { historyCommand } from './commands/upkeep/history.ts'
import { jobsCommand } from './commands/upkeep/jobs.ts'
import { pluginCommand } from './commands/upkeep/plugin.ts'
import { problemsCommand } from './commands/upkeep/problems.ts'
import { restoreCommand } from './commands/upkeep/restore.ts'
import { verifyCommand } from './commands/upkeep/verify.ts'
import { examplesOf } from './examples.ts'
import { printRefusalSummary, writeHelp } from './exit.ts'
import { exitCodes } from './exit-codes.ts'
import { fullCommandName, optionsOf } from './options.ts'
import { writeWords } from './output.ts'

const helpEnding = `
Exit codes: ${exitCodes.map(([code, what]) => `${code} ${what}`).join(', ')}.
Each flag can be set by an environment variable, named in its help; switches take 1 or 0.`

/** Makes subcommands handle errors like the program, and show their examples. */
function inherit(command: Command, program: Command): void {
  if (command !== program) command.copyInheritedSettings(program)
  const lines = examplesOf(fullCommandName(command)).map(({ line, about }) => `  ${line}\n      ${about}`)
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  if (command !== program) requireKnownWord(command)
  for (const inner of command.commands) inherit(inner, program)
}

/** The subcommand with the most similar name. */
async function nearestCommand(word: string, { commands }: Command): Promise<string | null> {
  const { mostSimilar } = await import('../core/kernel/settings.ts')
  return mostSimilar(
    word,
    commands.map(one => one.name()),
  )
}

function refuseUnknown(command: Command, word: string, meant: string | null): never {
  return command.error(`error: unknown command '${word}'${meant === null ? '' : `\n(Did you mean ${meant}?)`}`)
}

/** A command with a default subcommand accepts any word as its argument, so likely misspellings are reported. */
function requireKnownWord(command: Command): void {
  if (!command.commands.some(inner => inner.name() === 'list')) return
  command.hook('preSubcommand', async (group, inner) => {
    const [word] = group.args
    if (word === undefined || inner.name() !== 'list' || word === 'list' || word.startsWith('-')) return
    const meant = await nearestCommand(word, group)
    if (meant !== null && meant !== word) refuseUnknown(group, word, meant)
  })
}

/** Refuses contradicting flags: a local library and a server, or a token without a server. */
function requireOneLibrary(command: Command): void {
  const typed = (name: string) => command.getOptionValueSourceWithGlobals(name) === 'cli'
  const { server, data = '' } = optionsOf(command)
  if (server !== undefined && data !== '' && typed('data'))
    command.error(
      `error: --data ${data} is a local library, --server ${server} a remote one${typed('server') ? '' : ' (KEEPSAKE_SERVER)'}: give only one`,
    )
  if (server === undefined && typed('token')) command.error('error: --token is for --server URL, which is missing')
}

/** `keepsake help scan`; an unknown command is an error rather than the whole help. */
function helpCommand(program: Command): Command {
  return new Command('help')
    .description('display help for command')
    .argument('[command...]')
    .action(async (words: string[]) => {
      let at = program
      for (const word of words) {
        const inner = at.commands.find(one => one.name() === word || one.aliases().includes(word))
        at = inner ?? refuseUnknown(at, word, await nearestCommand(word, at))
      }
      at.help()
    })
}

/** Ends with the exit code for a wrong command line; with `--json`, prints a summary, too. */
function wrongUsage(message: string): never {
  const isHelp = message === '(outputHelp)'
  printRefusalSummary(isHelp ? 'A command is missing. See: keepsake --help' : message.replace(/^error: /, ''))
  process.exit(2)
}

/** The whole command line, which is also the source of completions and the man page. */
export function createProgram(): Command {
  const program = new Command('keepsake')
    .description('A self-hosted library for photographs and videos.')
    .version(version, '-V, --version')
    .option('--data <dir>', 'data directory')
    .option('--server <url>', 'use the library of this server, as the user of --token')
    .option(
      '--token <token>',
      'token from `keepsake token issue`; safer in the environment variable, where others cannot see it',
    )
    .option('--json', 'print JSON, one object per line, ending with a summary')
    .option('--quiet', 'print only data and problems')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: writeHelp, writeErr: writeWords })
    .showHelpAfterError("(see 'keepsake --help')")
    .showSuggestionAfterError()
    .addHelpText('after', helpEnding)
    .exitOverride(error => (error.exitCode === 0 ? process.exit(0) : wrongUsage(error.message)))
  for (const command of [
    serveCommand(),
    tuiCommand(),
    scanCommand(),
    collectionCommand(),
    itemCommand(),
    favouriteCommand(),
    albumCommand(),
    linkCommand(),
    explainCommand(),
    sortCommand(),
    importCommand(),
    exportCommand(),
    transferCommand(),
    applyCommand(),
    metaCommand(),
    peopleCommand(),
    facesCommand(),
    modelsCommand(),
    keystringCommand(),
    accessCommand(),
    userCommand(),
    tokenCommand(),
    pluginCommand(),
    jobsCommand(),
    problemsCommand(),
    historyCommand(),
    auditCommand(),
    configCommand(),
    doctorCommand(),
    verifyCommand(),
    backupCommand(),
    restoreCommand(),
    cronCommand(),
    completionCommand(),
    manCommand(),
    licensesCommand(),
  ])
    program.addCommand(command)
  program.helpCommand(false)
  program.addCommand(helpCommand(program))
  program.addCommand(workerCommand(), { hidden: true })
  inherit(program, program)
  program.hook('preAction', (_program, command) => requireOneLibrary(command))
  return program
}
