/** `keepsake completion`: a completion script for a shell. */
import { Argument, Command } from 'commander'
import { type CommandNode, flatten, treeOf } from '../../command-tree.ts'
import { writeOut } from '../../output.ts'
import { withOutput } from '../../session.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** Quotes a text with single quotes, which works in all three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Returns 'item list' for 'keepsake item list'. */
function pathOf({ name }: CommandNode): string {
  return name.split(' ').slice(1).join(' ')
}

const globalFlagNames = (root: CommandNode) => root.flags.flatMap(({ names }) => names)

/** Flags of a command, including those of its default subcommand. */
function flagsAt(node: CommandNode): CommandNode['flags'] {
  return [...node.flags, ...(node.inner.find(({ word }) => word === node.defaultName)?.flags ?? [])]
}

/** Whether only certain words can follow the command, and never a file. */
const isClosed = (node: CommandNode) =>
  node.inner.length > 0 || (node.args.length > 0 && node.args.every(({ choices: all }) => all.length > 0))

/** Choices of the command's first argument; no other argument has choices. */
const firstArgumentChoices = (node: CommandNode): string => node.args[0]?.choices.join(' ') ?? ''

const subcommandNames = ({ inner }: CommandNode): string[] =>
  inner.length === 0 ? [] : [...inner.map(({ word }) => word), 'help']

function wordsFor(node: CommandNode, root: CommandNode): string[] {
  const flags = node === root ? [] : flagsAt(node).flatMap(({ names }) => names)
  return [...subcommandNames(node), ...flags, ...globalFlagNames(root), '--help']
}

/** Flags with a value, as patterns of a `case`, because the word after them is not a command. */
function valueFlagsPattern(root: CommandNode): string {
  const names = flatten(root).flatMap(({ flags }) =>
    flags.filter(({ value }) => value !== '').flatMap(flag => flag.names),
  )
  return [...new Set(names)].sort().join('|')
}

/** Flags with choices: 'item list --sort' with its words. */
function flagChoices(root: CommandNode): { at: string; words: string; joined: boolean }[] {
  return flatten(root).flatMap(node =>
    flagsAt(node)
      .filter(flag => flag.choices.length > 0)
      .flatMap(({ names, choices: words, joined }) =>
        names.map(name => ({ at: `${pathOf(node)} ${name}`.trim(), words: words.join(' '), joined })),
      ),
  )
}

function completeWith(words: string, joined = false): string {
  return joined ? `_keepsake_joined ${quoted(words)}` : `COMPREPLY=($(compgen -W ${quoted(words)} -- "$cur"))`
}

function bash(root: CommandNode): string {
  const nodes = flatten(root)
  // Commands that no file can follow.
  const closed = nodes
    .filter(isClosed)
    .map(node => quoted(pathOf(node)))
    .join('|')
  return `# keepsake completion bash > ~/.local/share/bash-completion/completions/keepsake
# Completes the word after the last comma of $cur, without the words that are already there.
_keepsake_joined() {
  local head='' word left=''
  [[ $cur == *,* ]] && head=\${cur%,*},
  for word in $1; do [[ ,$head == *",$word,"* ]] || left+=" $word"; done
  COMPREPLY=($(compgen -P "$head" -W "$left" -- "\${cur##*,}"))
}
_keepsake() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' next='' word i given=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${valueFlagsPattern(root)}) ((i++)); continue ;;
      -*) continue ;;
    esac
    next="\${path:+$path }$word"
    case $next in
${nodes
  .slice(1)
  .map(node => `      ${quoted(pathOf(node))}) path=$next given=0 ;;`)
  .join('\n')}
      *) ((given++)) ;;
    esac
  done
  local words=''
  case "\${path:+$path }$prev" in
${flagChoices(root)
  .map(({ at, words, joined }) => `    ${quoted(at)}) ${completeWith(words, joined)}; return ;;`)
  .join('\n')}
  esac
  case $prev in
    ${valueFlagsPattern(root)}) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$cur")); return ;;
  esac
  # A first argument that has choices is completed with them only, not with flags or files.
  [[ $cur == -* ]] || case "$path $given" in
${nodes
  .filter(node => firstArgumentChoices(node) !== '')
  .map(node => `    ${quoted(`${pathOf(node)} 0`)}) ${completeWith(firstArgumentChoices(node))}; return ;;`)
  .join('\n')}
  esac
  case $path in
${nodes.map(node => `    ${quoted(pathOf(node))}) words=${quoted(wordsFor(node, root).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case $path in
    ${closed}) return ;;
  esac
  # Each line is one file name, which may contain blanks.
  local IFS=$'\\n'
  [[ $cur == -* ]] || COMPREPLY+=($(compgen -f -- "$cur"))
}
complete -o filenames -F _keepsake keepsake
`
}

/** zsh uses bash's completions. */
function zsh(root: CommandNode): string {
  return `#compdef keepsake
# keepsake completion zsh > ~/.zsh/completions/_keepsake   (a directory of $fpath)
autoload -U +X bashcompinit && bashcompinit
${bash(root).split('\n').slice(1).join('\n')}_keepsake_zsh() {
  # bash's completion finds no files for words that zsh must expand first (with ~ or an escaped blank).
  if [[ $PREFIX == *[~\\\\]* ]]; then _files; else _bash_complete -o filenames -F _keepsake; fi
}
compdef _keepsake_zsh keepsake
# zsh loads this file during the first completion, so the file must also answer that one.
(( \${+compstate} )) && _keepsake_zsh
`
}

function fish(root: CommandNode): string {
  const groups = flatten(root)
    .filter(({ inner }) => inner.length > 0)
    .map(node => quoted(pathOf(node)))
    .join(' ')
  const lines = [
    '# keepsake completion fish > ~/.config/fish/completions/keepsake.fish',
    'function __keepsake_at',
    '  set -l path',
    '  set -l skip 0',
    '  for word in (commandline -opc)[2..]',
    '    if test $skip = 1; set skip 0; continue; end',
    `    if string match -qr -- '^(${valueFlagsPattern(root)})$' $word; set skip 1; continue; end`,
    "    string match -q -- '-*' $word; and continue",
    // After `help`, commands are completed as if it were not there.
    `    test "$word" = help; and contains -- "$path" ${groups}; and continue`,
    '    set -a path $word',
    '  end',
    '  set -l now (string join " " -- $path)',
    '  test "$now" = "$argv[1]"; and return (test "$argv[2]" = after; and echo 1; or echo 0)',
    '  test -n "$argv[2]"; and string match -q -- "$argv[1] *" "$now"',
    'end',
    '# Completes the word after the last comma, without the words that are already there.',
    'function __keepsake_joined',
    "  set -l head (commandline -ct | string replace -r -- '^--[^=]*=' '' | string match -r -- '^.*,')",
    '  for word in $argv',
    '    contains -- $word (string split -- , "$head"); or echo "$head$word"',
    '  end',
    'end',
    'complete -c keepsake -f',
  ]
  for (const node of flatten(root)) {
    const here = quoted(`__keepsake_at ${quoted(pathOf(node))}`)
    for (const inner of node.inner)
      lines.push(`complete -c keepsake -n ${here} -a ${inner.word} -d ${quoted(inner.about)}`)
    if (node.inner.length > 0) lines.push(`complete -c keepsake -n ${here} -a help -d ${quoted('help for a command')}`)
    if (node === root) continue
    const hereOrAfter = quoted(`__keepsake_at ${quoted(pathOf(node))} loose`)
    for (const flag of flagsAt(node)) lines.push(`complete -c keepsake -n ${hereOrAfter} ${fishFlag(flag)}`)
    const words = firstArgumentChoices(node)
    if (words !== '') lines.push(`complete -c keepsake -n ${here} -a ${quoted(words)}`)
    // If the first argument has choices, files are only offered after it.
    const files = words === '' ? hereOrAfter : quoted(`__keepsake_at ${quoted(pathOf(node))} after`)
    if (!isClosed(node)) lines.push(`complete -c keepsake -n ${files} -F`)
  }
  for (const flag of root.flags) lines.push(`complete -c keepsake ${fishFlag(flag)}`)
  return `${lines.join('\n')}\n`
}

function fishFlag({ names, value, about, choices: words, joined }: CommandNode['flags'][number]): string {
  const shown = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const offered = joined ? `(__keepsake_joined ${words.join(' ')})` : words.join(' ')
  const takes = value === '' ? '' : words.length > 0 ? ` -x -a ${quoted(offered)}` : ' -r -F'
  return `${shown.join(' ')}${takes} -d ${quoted(about)}`
}

const scriptFor: Record<Shell, (root: CommandNode) => string> = { bash, zsh, fish }

export function completionCommand(): Command {
  return new Command('completion')
    .description('print a completion script; its first line says where to put it')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .action((shell: Shell, _options: object, command: Command) =>
      withOutput(command, async output => {
        const { withWords } = await import('../../completion-words.ts')
        const text = scriptFor[shell](await withWords(treeOf(command.parent ?? command)))
        if (output.json) output.object({ type: 'completion', shell, text })
        else writeOut(text)
        output.end({ state: 'done' })
        return 0
      }),
    )
}
