/** `keepsake man`: the manual page, made from the same definitions as help. */
import { Command } from 'commander'
import { version } from '../../../core/kernel/build-info.ts'
import { type CommandNode, type Flag, flatten, treeOf } from '../../command-tree.ts'
import { examplesOf } from '../../examples.ts'
import { exitCodes } from '../../exit-codes.ts'
import { writeOut } from '../../output.ts'
import { withOutput } from '../../session.ts'

/** Characters that roff would print differently from what is typed: hyphens, curly quotes, accents. */
const escapes: Record<string, string> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '~': '\\(ti',
  '^': '\\(ha',
}

/** Escapes plain text: special characters, and lines that begin with a dot, which roff treats as requests. */
function roff(text: string): string {
  return text
    .replace(/[\\'`~^-]/g, character => escapes[character] ?? character)
    .split('\n')
    .map(line => (line.startsWith('.') ? `\\&${line}` : line))
    .join('\n')
}

function flagLines({ names, value, about, choices, envName }: Flag): string[] {
  const head = names.map(name => `\\fB${roff(name)}\\fR`).join(', ')
  const offered = choices.length === 0 ? '' : ` One of: ${choices.join(', ')}.`
  const more = envName === '' ? offered : `${offered} (${envName})`
  return ['.TP', `${head}${value === '' ? '' : ` \\fI${roff(value)}\\fR`}`, roff(about + more)]
}

function commandLines(node: CommandNode): string[] {
  const usage = [node.name, ...(node.flags.length > 0 ? ['[options]'] : []), ...node.args.map(({ shown }) => shown)]
  return [
    `.SS "${roff(usage.join(' '))}"`,
    roff(node.about),
    ...node.args.flatMap(({ shown, about }) => (about === '' ? [] : ['.TP', `\\fI${roff(shown)}\\fR`, roff(about)])),
    ...node.flags.flatMap(flagLines),
    ...examplesOf(node.name).flatMap(({ line, about }) => [
      '.PP',
      `${roff(about)}:`,
      '.PP',
      '.RS 4',
      '.nf',
      roff(line),
      '.fi',
      '.RE',
    ]),
  ]
}

export async function manPage(root: CommandNode): Promise<string> {
  const { settingsTable } = await import('../../../schema/settings.ts')
  const leaves = flatten(root).filter(({ inner }) => inner.length === 0)
  return [
    `.TH KEEPSAKE 1 "" "Keepsake ${version}" "User Commands"`,
    // No hyphenation or justification, because users search for and copy flags and variables.
    '.nh',
    '.ad l',
    '.SH NAME',
    'keepsake \\- a self\\-hosted library for photographs and videos',
    '.SH SYNOPSIS',
    '.B keepsake',
    '[\\fIoptions\\fR] \\fIcommand\\fR',
    '.SH DESCRIPTION',
    roff(
      'Data go to standard output, words and progress to standard error. With --json, a command prints one object per line, each with its type. The last object has the type summary and the version of the schema; if something failed, also the state failed and the error.',
    ),
    '.SH OPTIONS',
    'Of every command:',
    ...root.flags.flatMap(flagLines),
    '.SH COMMANDS',
    ...leaves.flatMap(commandLines),
    '.SH EXIT STATUS',
    ...exitCodes.flatMap(([code, what]) => ['.TP', `\\fB${code}\\fR`, what]),
    '.SH ENVIRONMENT',
    roff(
      'Each flag can also be set by the environment variable that is named with it above; for switches, its value is 1 or 0. A flag overrides its variable, and the environment overrides config.toml. NO_COLOR turns colours off.',
    ),
    '.SH FILES',
    '.TP',
    `\\fI${roff('~/.local/share/keepsake')}\\fR`,
    roff(
      'The data directory: library.db, config.toml, secrets.json, plugins/, logs/, and cache/, which can be deleted.',
    ),
    '.SH SETTINGS',
    ...Object.entries(settingsTable).flatMap(([name, { about }]) => ['.TP', `\\fB${roff(name)}\\fR`, roff(about)]),
    '',
  ].join('\n')
}

export function manCommand(): Command {
  return new Command('man')
    .description('print the manual page: keepsake man | man -l -')
    .action((_options: object, command: Command) =>
      withOutput(command, async output => {
        const text = await manPage(treeOf(command.parent ?? command))
        if (output.json) output.object({ type: 'man', text })
        else writeOut(text)
        output.end({ state: 'done' })
        return 0
      }),
    )
}
