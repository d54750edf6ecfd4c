/** The command line as data, for completions and the man page: commands with their arguments and flags. */
import type { Command } from 'commander'
import { fullCommandName } from './options.ts'

export interface Flag {
  /** '--dry-run', '-V'. */
  names: string[]
  /** For example '<file>'; '' for a switch. */
  value: string
  about: string
  choices: readonly string[]
  /** Whether the flag takes several of its choices, joined by commas. */
  joined: boolean
  envName: string
}

export interface CommandNode {
  /** The whole name: 'keepsake item list'. */
  name: string
  word: string
  about: string
  /** Arguments as help shows them ('<collection>', '[ids...]'), with their descriptions. */
  args: { shown: string; about: string; choices: readonly string[] }[]
  flags: Flag[]
  inner: CommandNode[]
  /** Name of the default subcommand; '' for none. */
  defaultName: string
}

function flagsOf(command: Command): Flag[] {
  return command.options.map(option => ({
    names: [option.short, option.long].filter(name => name !== undefined),
    value: /[<[].*[>\]]/.exec(option.flags)?.[0] ?? '',
    about: option.description,
    choices: option.argChoices ?? [],
    joined: false,
    envName: option.envVar ?? '',
  }))
}

/** Name of the default subcommand, which commander keeps private. */
function defaultNameOf(command: Command): string {
  const name: unknown = Reflect.get(command, '_defaultCommandName')
  return typeof name === 'string' ? name : ''
}

/** A command with its subcommands, in the order of the help, without hidden ones. */
export function treeOf(command: Command): CommandNode {
  const shown = command.createHelp().visibleCommands(command)
  return {
    name: fullCommandName(command),
    word: command.name(),
    about: command.description(),
    args: command.registeredArguments.map(argument => ({
      shown: argument.required
        ? `<${argument.name()}${argument.variadic ? '...' : ''}>`
        : `[${argument.name()}${argument.variadic ? '...' : ''}]`,
      about: argument.description,
      choices: argument.argChoices ?? [],
    })),
    flags: flagsOf(command),
    inner: shown.filter(inner => inner.name() !== 'help').map(treeOf),
    defaultName: defaultNameOf(command),
  }
}

export function flatten(node: CommandNode): CommandNode[] {
  return [node, ...node.inner.flatMap(flatten)]
}
