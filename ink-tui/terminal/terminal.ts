/** The terminal itself: its abilities, entering and leaving it safely, and drawing frames. */
import type { Colours } from '../line.ts'
import { inAscii } from '../text.ts'
import { createSender } from './sender.ts'

export interface Abilities {
  colours: Colours
  /** Whether bars and arrows are drawn in Unicode instead of ASCII. */
  unicode: boolean
  /** Whether it reads UTF-8. If not, it only gets ASCII, because it could interpret parts of characters as C1 codes. */
  utf8: boolean
  /** Whether it runs in tmux or screen, where sequences for the outer terminal must be passed through. */
  multiplexer: 'tmux' | 'screen' | null
}

type Environment = Record<string, string | undefined>

function coloursOf(term: string, environment: Environment): Colours {
  if (environment.NO_COLOR !== undefined && environment.NO_COLOR !== '') return 0
  if (term === 'dumb' || term === 'vt100' || term === 'vt220') return 0
  if (/^(truecolor|24bit)$/.test(environment.COLORTERM ?? '')) return 16_777_216
  if (/-direct$/.test(term) || /^(xterm-kitty|xterm-ghostty|wezterm|alacritty|foot)/.test(term)) return 16_777_216
  if (/256/.test(term)) return 256
  return 16
}

/** Detected only from the environment; the terminal is not queried, because it may be slow or remote. */
export function abilitiesOf(environment: Environment): Abilities {
  const term = environment.TERM ?? ''
  const language = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || ''
  const colours = coloursOf(term, environment)
  const isPlain = term === 'dumb' || term === 'vt100' || term === 'vt220'
  // Without a locale (in a service or container), today's terminals still support Unicode.
  const isOtherCharset = language !== '' && !/utf-?8/i.test(language) && !/^(C|POSIX)$/.test(language)
  return {
    colours,
    // The Linux console's fonts have 256 or 512 glyphs: always lines, but not always arrows and heavy bars.
    unicode: !isPlain && !isOtherCharset && term !== 'linux',
    utf8: !isPlain && !isOtherCharset,
    multiplexer: environment.TMUX || /^tmux/.test(term) ? 'tmux' : /^screen/.test(term) ? 'screen' : null,
  }
}

const signs = {
  cursor: ['›', '>'],
  mark: ['●', '*'],
  warning: ['!', '!'],
  full: ['━', '='],
  empty: ['─', '-'],
  rule: ['─', '-'],
  down: ['↓', 'v'],
  up: ['↑', '^'],
} as const
export type Signs = Record<keyof typeof signs, string>

function signsOf({ unicode }: Pick<Abilities, 'unicode'>): Signs {
  return Object.fromEntries(
    Object.entries(signs).map(([name, [fine, plain]]) => [name, unicode ? fine : plain]),
  ) as Signs
}

const esc = '\u001b'
/** Alternative screen, cursor hidden, no wrapping at the right edge, bracketed paste. */
const entering = `${esc}[?1049h${esc}[?25l${esc}[?7l${esc}[?2004h${esc}[2J${esc}[H`
const leaving = `${esc}[0m${esc}[?2004l${esc}[?7h${esc}[2J${esc}[H${esc}[?1049l${esc}[?25h`

/** Synchronised output: terminals that support it show a frame as a whole. */
const synchronized = { begin: `${esc}[?2026h`, end: `${esc}[?2026l` }
/** Maximum number of characters of extra sequences kept for a stalled terminal; older ones are dropped. */
const maxExtrasLength = 1_000_000

export type Terminal = ReturnType<typeof createTerminal>

/** Output that waits until the terminal accepts data again: the latest frame, whether to clear first, and extras. */
interface Waiting {
  frame: string | null
  isToClear: boolean
  extras: string[]
}

const emptyWaiting = (): Waiting => ({ frame: null, isToClear: false, extras: [] })

/** The lines that differ from the drawn ones (null redraws all), each with its position. */
function changes(drawn: readonly string[] | null, lines: readonly string[], rows: number): string {
  let output = ''
  for (let at = 0; at < rows; at++) {
    const line = lines[at] ?? ''
    if (drawn !== null && (drawn[at] ?? '') === line) continue
    // Erase before drawing, because at the end of a full row the cursor is still in its last column.
    output += `${esc}[${at + 1};1H${esc}[0m${esc}[2K${line}`
  }
  return output
}

export function createTerminal(environment: Environment) {
  const { stdin: input, stdout: output } = process
  const abilities = abilitiesOf(environment)
  let isActive = false
  let drawn: string[] | null = null

  let waiting = emptyWaiting()
  const sender = createSender(() => {
    const { frame, isToClear, extras } = waiting
    waiting = emptyWaiting()
    if (isToClear) clear()
    if (frame !== null) draw(frame)
    for (const sequence of extras) send(sequence)
  })

  function clear() {
    waiting.isToClear = sender.isWaiting()
    if (!waiting.isToClear) sender.write(`${esc}[0m${esc}[2J${esc}[H`)
  }

  /** Extra sequences: pictures, the clipboard. */
  function send(sequence: string) {
    if (!isActive) return
    if (!sender.isWaiting()) return sender.write(sequence)
    const { extras } = waiting
    extras.push(sequence)
    let kept = extras.reduce((sum, { length }) => sum + length, 0)
    while (kept > maxExtrasLength) kept -= extras.shift()?.length ?? kept
  }

  function size() {
    return { columns: output.columns || 80, rows: output.rows || 24 }
  }

  /** Draws a frame: only changed lines are sent. */
  function draw(frame: string) {
    if (!isActive) return
    if (sender.isWaiting()) {
      waiting.frame = frame
      return
    }
    const { rows } = size()
    const lines = (abilities.utf8 ? frame : inAscii(frame)).split('\n').slice(0, rows)
    const output = changes(drawn, lines, rows)
    drawn = lines
    if (output !== '') sender.write(`${synchronized.begin}${output}${esc}[0m${synchronized.end}`)
  }

  function setRawMode(on: boolean) {
    try {
      if (input.isTTY) input.setRawMode(on)
    } catch {
      // The terminal is gone.
    }
  }

  return {
    abilities,
    signs: signsOf(abilities),
    size,
    /** Switches the terminal to the alternative screen and raw keys; also used after a suspension. */
    enter() {
      sender.open()
      isActive = true
      drawn = null
      waiting = emptyWaiting()
      // Off first: if a shell has changed the settings meanwhile, 'on' alone would do nothing.
      setRawMode(false)
      setRawMode(true)
      input.resume()
      sender.writeNow(entering)
    },
    isIn: () => isActive,
    /** Restores the terminal; may be called repeatedly, even in a signal handler or while the process ends. */
    leave() {
      if (!isActive) return
      isActive = false
      waiting = emptyWaiting()
      sender.writeNow(leaving)
      setRawMode(false)
      sender.close()
    },
    draw,
    /** Clears the screen, so that the next frame is sent completely. */
    clearScreen() {
      drawn = null
      if (isActive) clear()
    },
    send,
    onInput(listener: (chunk: Uint8Array) => void) {
      input.on('data', listener)
      return () => input.off('data', listener)
    },
    onResize(listener: () => void) {
      output.on('resize', listener)
      return () => output.off('resize', listener)
    },
  }
}
