/**
 * Prints the screens of the terminal UI, so that somebody can look at them: `bun tests/tui/print-screens.ts [--data DIR]
 * [--size 80x24,200x60] [--term TERM] [--keys 'down enter /'] [SCREEN …]`. Without --data, they show a test library.
 */
import { parseArgs } from 'node:util'
import { screens } from '../../ink-tui/screens.ts'
import { programCommand } from '../support/command.ts'
import { createTerminalLibrary } from '../support/terminal-library.ts'
import { openScreen } from '../support/terminal-screen.ts'

/** Milliseconds to wait until a screen is complete; a third of that after each key. */
const settleMs = 1500

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    size: { type: 'string', default: '80x24,120x40,200x60,60x20' },
    term: { type: 'string', default: 'xterm-256color' },
    keys: { type: 'string', default: '' },
  },
})
const data = values.data ?? (await createTerminalLibrary()).data
const chosen =
  positionals.length > 0 ? positionals : screens.filter(({ inner }) => inner !== true).map(({ name }) => name)

for (const name of chosen) {
  for (const size of values.size.split(',')) {
    const [columns = 80, rows = 24] = size.split('x').map(Number)
    const screen = openScreen([...programCommand(), '--data', data, 'tui', name], { columns, rows, term: values.term })
    await screen.waitFor('Keepsake')
    await Bun.sleep(settleMs)
    for (const key of values.keys.split(' ').filter(word => word !== '')) {
      screen.press(key)
      await Bun.sleep(settleMs / 3)
    }
    console.log(`── ${name} ${size} ${'─'.repeat(Math.max(0, columns - name.length - size.length - 5))}`)
    console.log(screen.lines().join('\n'))
    await screen.close()
  }
}
process.exit(0)
