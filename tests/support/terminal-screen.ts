/** Runs a command in a pseudo-terminal; a headless emulator draws what its user would see. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IBufferCell, Terminal } from '@xterm/headless'
import { cleanEnvironment } from './command.ts'
import { createKittyGraphics, type KittyGraphics } from './kitty-graphics.ts'

/** How long a test waits, in milliseconds: enough on two slow cores that run other programs, too. */
const timeoutMs = 10_000

/** The last output of a program arrives within this many milliseconds of its end. */
const lastOutputMs = 300

/** What named keys send; other names are sent as they are. */
const keys: Record<string, string> = {
  enter: '\r',
  esc: '\x1b',
  tab: '\t',
  'shift-tab': '\x1b[Z',
  space: ' ',
  backspace: '\x7f',
  delete: '\x1b[3~',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  pageup: '\x1b[5~',
  pagedown: '\x1b[6~',
}

function keyOf(name: string): string {
  const [, letter] = /^ctrl-([a-z])$/.exec(name) ?? []
  if (letter !== undefined) return String.fromCharCode(letter.charCodeAt(0) - 96)
  return keys[name] ?? name
}

interface Cell {
  text: string
  bold: boolean
  dim: boolean
  inverse: boolean
  /** 'default', an index of the palette, or '#rrggbb'. */
  colour: string | number
  background: string | number
}

export interface ScreenOptions {
  columns?: number
  rows?: number
  /** TERM, by default xterm-256color. */
  term?: string
  environment?: Record<string, string>
  cwd?: string
  /** The terminal supports kitty's graphics protocol, with cells of 10 by 20 pixels. */
  kitty?: boolean
}

export type ScreenCondition = string | RegExp | ((screen: TerminalScreen) => boolean)

export interface TerminalScreen {
  readonly pid: number
  readonly columns: number
  readonly rows: number
  /** The screen's lines, without spaces at their ends. */
  lines(): string[]
  text(): string
  cell(column: number, row: number): Cell
  /** The position of a text; null where it is not on the screen. */
  find(text: string): { column: number; row: number } | null
  /** The cell of the first letter of a text; fails where it is not on the screen. */
  cellOf(text: string): Cell
  cursor(): { column: number; row: number; shown: boolean }
  title(): string
  /** Whether the terminal shows the alternate screen, which full-screen programs use. */
  isAlternate(): boolean
  /** Whether the terminal echoes input; a program in raw mode switches this off. */
  echoes(): boolean
  pictures: KittyGraphics
  /** Everything that was written so far, to check that something is not in it. */
  written(): string
  /** Keys by name ('enter', 'ctrl-c', 'pagedown') or as they are ('q'), one write each. */
  press(...names: string[]): void
  /** Text as if typed fast. */
  type(text: string): void
  paste(text: string): void
  resize(columns: number, rows: number): void
  /** Resolves when `what` is on the screen at the end of a frame. */
  waitFor(what: ScreenCondition): Promise<void>
  waitUntilGone(what: string | RegExp): Promise<void>
  /** The program's exit code; its last output is on the screen by then. */
  exited: Promise<number>
  kill(signal: NodeJS.Signals): void
  close(): Promise<void>
}

function colourOf(cell: IBufferCell, ground: 'Fg' | 'Bg'): string | number {
  const value = ground === 'Fg' ? cell.getFgColor() : cell.getBgColor()
  if (ground === 'Fg' ? cell.isFgDefault() : cell.isBgDefault()) return 'default'
  if (ground === 'Fg' ? cell.isFgRGB() : cell.isBgRGB()) return `#${value.toString(16).padStart(6, '0')}`
  return value
}

const setsid = Bun.which('setsid')

const open = new Set<TerminalScreen>()
// A test that fails must not leave programs behind.
process.on('exit', () => {
  for (const screen of open) screen.kill('SIGKILL')
})

function widthOfCodepoint(codepoint: number): 0 | 1 | 2 {
  if (codepoint < 0x300) return codepoint < 32 || (codepoint >= 0x7f && codepoint < 0xa0) ? 0 : 1
  const character = String.fromCodePoint(codepoint)
  // As in glibc's wcwidth and tmux; Bun counts 0.
  if (/\p{Mc}/u.test(character)) return 1
  const width = Bun.stringWidth(character)
  return width === 0 ? 0 : width === 1 ? 1 : 2
}

/** Widths of current Unicode per code point, as in plain terminals; the emulator's own table is of 2010. */
const widths = {
  version: 'today',
  wcwidth: widthOfCodepoint,
  /** Packed as the emulator expects: the width, and whether the character joins the cell before. */
  charProperties(codepoint: number, preceding: number): number {
    const width = widthOfCodepoint(codepoint)
    const before = (preceding >> 1) & 3
    const joins = width === 0 && preceding !== 0 && before !== 0
    return ((joins ? Math.max(before, width) : width) << 1) | (joins ? 1 : 0)
  },
}

/** Starts a command. The caller must `close` the screen. */
export function openScreen(command: readonly string[], options: ScreenOptions = {}): TerminalScreen {
  const { term = 'xterm-256color', kitty = false } = options
  const emulator = new Terminal({
    cols: options.columns ?? 80,
    rows: options.rows ?? 24,
    allowProposedApi: true,
    scrollback: 200,
  })
  emulator.unicode.register(widths)
  emulator.unicode.activeVersion = widths.version
  const watchers = new Set<() => void>()
  const reader = new TextDecoder()
  let title = ''
  let hidden = false
  let unparsed = 0
  let all = ''
  emulator.onTitleChange(text => {
    title = text
  })
  for (const [final, isHidden] of [
    ['l', true],
    ['h', false],
  ] as const)
    emulator.parser.registerCsiHandler({ prefix: '?', final }, params => {
      if (params.includes(25)) hidden = isHidden
      return false
    })
  if (kitty)
    emulator.parser.registerCsiHandler({ final: 't' }, params => {
      if (params[0] === 16) pty.write('\x1b[6;20;10t')
      return false
    })

  const cursorNow = () => ({ column: emulator.buffer.active.cursorX, row: emulator.buffer.active.cursorY })
  const pictures = createKittyGraphics({ responds: kitty, cursor: cursorNow, reply: text => pty.write(text) })

  function handleParsed() {
    unparsed--
    if (unparsed > 0 || emulator.modes.synchronizedOutputMode) return
    for (const check of watchers) check()
  }

  function handleOutput(bytes: Uint8Array) {
    const text = reader.decode(bytes, { stream: true })
    all += text
    // A picture is placed at the cursor, so the emulator has to process the text before it first.
    for (const part of pictures.partsOf(text)) {
      unparsed++
      if (part.picture === null) emulator.write(part.text, handleParsed)
      else {
        const { picture } = part
        emulator.write('', () => {
          pictures.handle(picture)
          handleParsed()
        })
      }
    }
  }

  const silent = Promise.withResolvers<void>()
  const pty = new Bun.Terminal({
    cols: emulator.cols,
    rows: emulator.rows,
    name: term,
    data: (_, bytes) => handleOutput(bytes),
    exit: () => silent.resolve(),
  })
  // The emulator responds to queries: its kind, the position of the cursor.
  emulator.onData(text => pty.write(text))

  const environment = cleanEnvironment({
    NODE_ENV: 'production',
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    ...options.environment,
    TERM: term,
  })
  // CI variables would say that there is no user; and only TERM should describe this terminal.
  for (const name of ['CI', 'CONTINUOUS_INTEGRATION', 'COLORTERM', 'TERM_PROGRAM', 'TMUX', 'NO_COLOR', 'FORCE_COLOR'])
    if (options.environment?.[name] === undefined) delete environment[name]
  // Bun starts no session for the command; without a session, it receives neither Ctrl-C nor size changes.
  const child = Bun.spawn(setsid === null ? [...command] : [setsid, '--ctty', ...command], {
    terminal: pty,
    env: environment,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })

  const lineAt = (row: number) => {
    const { active } = emulator.buffer
    return active.getLine(active.viewportY + row)
  }
  const lines = () =>
    Array.from({ length: emulator.rows }, (_, row) => lineAt(row)?.translateToString(true).trimEnd() ?? '')
  const isOn = (what: ScreenCondition) =>
    typeof what === 'function'
      ? what(screen)
      : typeof what === 'string'
        ? screen.text().includes(what)
        : what.test(screen.text())

  function until(holds: () => boolean, failure: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = (act: () => void) => {
      clearTimeout(timer)
      watchers.delete(check)
      act()
    }
    const check = () => {
      if (holds()) end(resolve)
    }
    const timer = setTimeout(
      () => end(() => reject(new Error(`${failure}. The screen:\n${screen.lines().join('\n')}`))),
      timeoutMs,
    )
    watchers.add(check)
    if (unparsed === 0 && !emulator.modes.synchronizedOutputMode) check()
    return promise
  }

  const screen: TerminalScreen = {
    pid: child.pid,
    get columns() {
      return emulator.cols
    },
    get rows() {
      return emulator.rows
    },
    lines,
    text: () => lines().join('\n'),
    cell(column, row) {
      const cell = lineAt(row)?.getCell(column)
      if (cell === undefined) throw new Error(`there is no cell ${column}, ${row}`)
      return {
        text: cell.getChars(),
        bold: cell.isBold() !== 0,
        dim: cell.isDim() !== 0,
        inverse: cell.isInverse() !== 0,
        colour: colourOf(cell, 'Fg'),
        background: colourOf(cell, 'Bg'),
      }
    },
    find(text) {
      for (const [row, line] of lines().entries()) {
        const at = line.indexOf(text)
        if (at !== -1) return { column: Bun.stringWidth(line.slice(0, at)), row }
      }
      return null
    },
    cellOf(text) {
      const at = screen.find(text)
      if (at === null) throw new Error(`'${text}' is not on the screen:\n${screen.text()}`)
      return screen.cell(at.column, at.row)
    },
    cursor: () => ({ ...cursorNow(), shown: !hidden }),
    title: () => title,
    isAlternate: () => emulator.buffer.active.type === 'alternate',
    // ECHO of termios.
    echoes: () => (pty.localFlags & 0o10) !== 0,
    pictures,
    written: () => all,
    press(...names) {
      for (const name of names) pty.write(keyOf(name))
    },
    type: text => void pty.write(text),
    paste: text => void pty.write(emulator.modes.bracketedPasteMode ? `\x1b[200~${text}\x1b[201~` : text),
    resize(columns, rows) {
      emulator.resize(columns, rows)
      pty.resize(columns, rows)
      if (setsid === null) child.kill('SIGWINCH')
    },
    waitFor: what => until(() => isOn(what), `It never showed ${typeof what === 'function' ? what.toString() : what}`),
    waitUntilGone: what => until(() => !isOn(what), `It still shows ${what}`),
    exited: child.exited.then(async code => {
      // The command's last output may still arrive. A process that it started may keep the terminal open for longer.
      await Promise.race([silent.promise, Bun.sleep(lastOutputMs)])
      while (unparsed > 0) await new Promise<void>(resolve => emulator.write('', resolve))
      return code
    }),
    kill: signal => child.kill(signal),
    async close() {
      open.delete(screen)
      child.kill('SIGKILL')
      await child.exited
      pty.close()
      emulator.dispose()
    },
  }
  open.add(screen)
  return screen
}

const frames = join(import.meta.dir, '../tui/frames')

/**
 * Compares the screen with the stored frame of this name; `masks` replace what differs from run to run. With
 * KEEPSAKE_FRAMES=write it writes the frame instead. Throws when the frame differs or does not exist.
 */
export function expectFrame(
  screen: TerminalScreen,
  name: string,
  masks: readonly (readonly [RegExp, string])[] = [],
): void {
  const shown = screen
    .lines()
    .map(line => masks.reduce((text, [what, mask]) => text.replace(what, mask), line).trimEnd())
    .join('\n')
  const path = join(frames, `${name}.${screen.columns}x${screen.rows}.txt`)
  if (process.env.KEEPSAKE_FRAMES === 'write') {
    mkdirSync(frames, { recursive: true })
    writeFileSync(path, `${shown}\n`)
    return
  }
  if (!existsSync(path))
    throw new Error(`There is no frame ${path}: check this one, then run with KEEPSAKE_FRAMES=write\n${shown}`)
  const expected = readFileSync(path, 'utf8').replace(/\n$/, '')
  if (expected !== shown)
    throw new Error(`The screen is not the frame ${name}.\n── expected\n${expected}\n── shown\n${shown}`)
}
