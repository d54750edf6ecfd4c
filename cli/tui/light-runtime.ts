/** Starts this program anew, in its own process, with the runtime as a screen that stays open for days wants it. */
import { isatty } from 'node:tty'
import { ownCommand } from '../../core/kernel/worker-command.ts'

/**
 * Machine code of functions that are drawn with would take most of the memory (215 MB at the most while scrolling, 115
 * without), and what it takes to make is not won back: it is interpreted. React is the build that checks nothing.
 */
const wanted = { BUN_JSC_useJIT: '0', NODE_ENV: 'production' } as const

/** Options of the whole program that take a word. */
const valued = new Set(['--data', '--server', '--token'])

/** Is this command line `keepsake tui` on a terminal? Read without the parser, which takes long to load. */
export function meansTui(words: readonly string[]): boolean {
  let at = 0
  while (words[at]?.startsWith('-') === true) at += valued.has(words[at] ?? '') ? 2 : 1
  return words[at] === 'tui' && isatty(0) && isatty(1)
}

/** Does not come back where the program was started anew; where that cannot be, it goes on as it is. */
export function startLight(): void {
  const { env } = process
  if (env.BUN_JSC_useJIT === undefined && process.execve !== undefined) {
    const [program = process.execPath, ...entry] = ownCommand()
    const kept: Record<string, string> = {}
    for (const [name, value] of Object.entries(env)) if (value !== undefined) kept[name] = value
    try {
      process.execve(program, [program, ...process.execArgv, ...entry, ...process.argv.slice(2)], {
        ...kept,
        ...wanted,
      })
    } catch {
      // Larger, but it works.
    }
  }
  // Before React is loaded: its other build checks what we have tested, at twice the time.
  env.NODE_ENV ??= 'production'
  // Workers compute for long: they compile.
  delete env.BUN_JSC_useJIT
}
