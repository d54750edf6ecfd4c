/** Completions in real shells: types in a pseudo-terminal, presses Tab, and checks the screen. */
import { expect, test } from 'bun:test'
import { openShellWorkspace } from '../support/shell-workspace.ts'
import { openScreen } from '../support/terminal-screen.ts'

interface Shell {
  name: 'bash' | 'zsh' | 'fish'
  argv: readonly string[]
  /** Path of its completion script, below the home directory. */
  file: string
  /** The command that is typed first: it loads the script and prints 'ready'. */
  begin: string
}

const shells: readonly Shell[] = [
  {
    name: 'bash',
    argv: ['bash', '--norc', '--noprofile', '-i'],
    file: 'complete.bash',
    begin: "bind 'set enable-bracketed-paste off'; PS1='> '; source ~/complete.bash; echo rea''dy",
  },
  {
    name: 'zsh',
    argv: ['zsh', '-f', '-i'],
    file: 'completions/_keepsake',
    begin: "PROMPT='> '; fpath=(~/completions $fpath); autoload -U compinit; compinit -D -u; echo rea''dy",
  },
  {
    name: 'fish',
    argv: ['fish', '-N', '-i'],
    file: 'complete.fish',
    begin: "function fish_prompt; echo '> '; end; source ~/complete.fish; echo rea''dy",
  },
]

/** Each typed text, and the line after Tab. */
const completions = [
  ['keepsake tran', 'keepsake transfer'],
  ['keepsake item list --so', 'keepsake item list --sort'],
  ['keepsake item list --sort na', 'keepsake item list --sort name'],
  ['keepsake item list --fields ta', 'keepsake item list --fields taken_at'],
  ['keepsake item list --fields id,path,ta', 'keepsake item list --fields id,path,taken_at'],
  ['keepsake help mod', 'keepsake help models'],
  ['keepsake help item rot', 'keepsake help item rotate'],
  ['keepsake config set scan', 'keepsake config set scan_every'],
  ['keepsake scan sp', 'keepsake scan sp\\ ace/'],
  ['keepsake scan ~/sp', 'keepsake scan ~/sp\\ ace/'],
  ['keepsake scan ~/sp\\ ace/in', 'keepsake scan ~/sp\\ ace/inner/'],
] as const

for (const { name, argv, file, begin } of shells)
  test.skipIf(Bun.which(name) === null)(
    `${name} completes what is typed`,
    async () => {
      const library = openShellWorkspace()
      library.put('sp ace/inner/.keep', '')
      await library.sh(`mkdir -p "$(dirname ${file})"; keepsake completion ${name} > ${file}`)
      const screen = openScreen(argv, { columns: 120, environment: library.environment, cwd: library.home })
      try {
        screen.type(`${begin}\r`)
        await screen.waitFor(/^ready$/m)
        for (const [typed, completed] of completions) {
          screen.press('ctrl-l')
          await screen.waitUntilGone('ready')
          screen.type(typed)
          await screen.waitFor(typed)
          screen.press('tab')
          await screen.waitFor(completed)
          // Clears the line, so that nothing of it remains and no shell runs it.
          screen.press('ctrl-u')
          await screen.waitUntilGone(completed)
        }
        expect(screen.text()).not.toContain('error')
      } finally {
        await screen.close()
      }
    },
    120_000,
  )
