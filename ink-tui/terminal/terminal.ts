/** The terminal itself: what it can do, entering and leaving it whole whatever happens, and drawing whole frames on it. */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import type { Colours } from '../line.ts'
import { inAscii } from '../text.ts'

/** What this terminal can show. */
export interface Abilities {
  colours: Colours
  /** Bars and arrows of Unicode; else ASCII. */
  unicode: boolean
  /** It reads UTF-8. To others a part of a letter may be a command (C1): they are sent ASCII alone. */
  utf8: boolean
  /** Pictures by half blocks are worth it. */
  halfBlocks: boolean
  /** Inside tmux or screen: what is meant for the outer terminal must be passed through. */
  multiplexer: 'tmux' | 'screen' | null
  /** 'xterm-256color' as the environment says. */
  term: string
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

/** Read from the environment alone: nothing is asked of the terminal, which may be slow or far. */
export function abilitiesOf(environment: Environment): Abilities {
  const term = environment.TERM ?? ''
  const language = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || ''
  const colours = coloursOf(term, environment)
  const isPlain = term === 'dumb' || term === 'vt100' || term === 'vt220'
  // Where no language is set at all (a service, a container) terminals of today know Unicode all the same.
  const isLatin = language !== '' && !/utf-?8/i.test(language) && !/^(C|POSIX)$/.test(language)
  return {
    colours,
    // The console of Linux has fonts of 256 or 512 glyphs: lines yes, arrows and heavy bars not in all of them.
    unicode: !isPlain && !isLatin && term !== 'linux',
    utf8: !isPlain && !isLatin,
    halfBlocks: colours >= 256,
    multiplexer:
      environment.TMUX !== undefined && environment.TMUX !== ''
        ? 'tmux'
        : /^tmux/.test(term)
          ? 'tmux'
          : /^screen/.test(term)
            ? 'screen'
            : null,
    term,
  }
}

/** The signs of the UI, as this terminal has them. */
export interface Signs {
  cursor: string
  mark: string
  warning: string
  full: string
  empty: string
  rule: string
  more: string
  up: string
  dot: string
  updown: string
}

function signsOf({ unicode }: Pick<Abilities, 'unicode'>): Signs {
  return unicode
    ? {
        cursor: '›',
        mark: '●',
        warning: '!',
        full: '━',
        empty: '─',
        rule: '─',
        more: '↓',
        up: '↑',
        dot: '·',
        updown: '↑↓',
      }
    : {
        cursor: '>',
        mark: '*',
        warning: '!',
        full: '=',
        empty: '-',
        rule: '-',
        more: 'v',
        up: '^',
        dot: '-',
        updown: 'Up/Down',
      }
}

const esc = '\u001b'
/** Alternative screen, cursor hidden, no wrapping at the right edge, pasted text told as such. */
const entering = `${esc}[?1049h${esc}[?25l${esc}[?7l${esc}[?2004h${esc}[2J${esc}[H`
const leaving = `${esc}[0m${esc}[?2004l${esc}[?7h${esc}[2J${esc}[H${esc}[?1049l${esc}[?25h`

/** Terminals that know it show a frame whole. */
const synchronized = { begin: `${esc}[?2026h`, end: `${esc}[?2026l` }
/** How soon a terminal that took nothing is asked again. */
const retryMs = 10
/** As long is waited for a terminal that takes nothing while it is taken or given back. */
const patienceMs = 1000
/** Sequences beside the frames that a terminal is kept for while it takes nothing, in letters: older ones go. */
const keptBeside = 1_000_000
const pause = new Int32Array(new SharedArrayBuffer(4))

/** As much of the process's terminal as is used here; tests give their own. */
export interface TerminalStreams {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
}

export interface Terminal {
  abilities: Abilities
  signs: Signs
  size(): { columns: number; rows: number }
  /** Takes the terminal: alternative screen and raw keys; again, too, where somebody else may have had it meanwhile. */
  enter(): void
  /** Is it taken? */
  isIn(): boolean
  /** Gives it back as it was; safe to call often, at any time, also in a signal's handler or while the process ends. */
  leave(): void
  /** Draws a frame: only lines that have changed are sent. */
  draw(frame: string): void
  /** Sends the whole of the next frame. */
  forget(): void
  /** Sequences of ours beside the frames: pictures, the clipboard. */
  send(sequence: string): void
  onInput(listener: (chunk: Uint8Array) => void): () => void
  onResize(listener: () => void): () => void
}

/**
 * The terminal opened once more, so that a write to it never blocks this process, in which signals and keys wait. The shell's
 * own description of it stays as it is. Null where that cannot be had: then writes wait.
 */
function openAnew(): number | null {
  const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY
  for (const path of process.platform === 'linux' ? ['/proc/self/fd/1', '/dev/tty'] : ['/dev/tty']) {
    try {
      return openSync(path, flags)
    } catch {
      // Of another user (su, sudo), or none that controls us.
    }
  }
  return null
}

export function createTerminal({ input, output }: TerminalStreams, environment: Environment): Terminal {
  const abilities = abilitiesOf(environment)
  let isIn = false
  let drawn: string[] | null = null

  let fd: number | null = null

  /** What the terminal has not taken yet. A slow line drops frames; it never fills memory. */
  let queue: Buffer = Buffer.alloc(0)
  let retry: ReturnType<typeof setTimeout> | null = null
  /** What comes when it takes something again: the newest frame, on a cleared screen if need be, and what goes beside. */
  let waiting: string | null = null
  let isToClear = false
  let beside: string[] = []

  /** Sends what it takes; answers whether that was all. Straight to the system: nothing may come after `leave`. */
  function flush(): boolean {
    while (queue.length > 0) {
      try {
        const taken = writeSync(fd ?? 1, queue)
        if (taken === 0) return false
        queue = queue.subarray(taken)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) {
          // A terminal that was closed: there is nobody to tell.
          queue = Buffer.alloc(0)
          return true
        }
        return false
      }
    }
    return true
  }

  function again() {
    retry = null
    if (!flush()) {
      retry = setTimeout(again, retryMs)
      return
    }
    const frame = waiting
    const sequences = beside
    waiting = null
    beside = []
    if (isToClear) clear()
    if (frame !== null) draw(frame)
    for (const sequence of sequences) send(sequence)
  }

  function write(text: string) {
    queue = queue.length === 0 ? Buffer.from(text) : Buffer.concat([queue, Buffer.from(text)])
    if (!flush() && retry === null) retry = setTimeout(again, retryMs)
  }

  /** At once, waiting for the terminal a moment if need be: the process may be about to end. */
  function writeNow(text: string) {
    queue = Buffer.concat([queue, Buffer.from(text)])
    for (let waited = 0; waited < patienceMs && !flush(); waited += retryMs) Atomics.wait(pause, 0, 0, retryMs)
    if (retry !== null) clearTimeout(retry)
    retry = null
  }

  function forgetWaiting() {
    waiting = null
    isToClear = false
    beside = []
  }

  function clear() {
    isToClear = retry !== null
    if (!isToClear) write(`${esc}[0m${esc}[2J${esc}[H`)
  }

  function send(sequence: string) {
    if (!isIn) return
    if (retry === null) return write(sequence)
    beside.push(sequence)
    let kept = beside.reduce((sum, { length }) => sum + length, 0)
    while (kept > keptBeside) kept -= beside.shift()?.length ?? kept
  }

  function size() {
    return { columns: output.columns || 80, rows: output.rows || 24 }
  }

  function draw(frame: string) {
    if (!isIn) return
    if (retry !== null) {
      waiting = frame
      return
    }
    const { rows } = size()
    const lines = (abilities.utf8 ? frame : inAscii(frame)).split('\n').slice(0, rows)
    let told = ''
    for (let at = 0; at < rows; at++) {
      const line = lines[at] ?? ''
      if (drawn !== null && (drawn[at] ?? '') === line) continue
      // Erased before, not after: behind a line that fills the row the cursor still stands on its last column.
      told += `${esc}[${at + 1};1H${esc}[0m${esc}[2K${line}`
    }
    drawn = lines
    if (told !== '') write(`${synchronized.begin}${told}${esc}[0m${synchronized.end}`)
  }

  function raw(on: boolean) {
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
    enter() {
      fd ??= openAnew()
      isIn = true
      drawn = null
      forgetWaiting()
      // Off first: a shell that had the terminal meanwhile has set it as it likes, and 'on' alone would change nothing.
      raw(false)
      raw(true)
      input.resume()
      // What was begun before may have ended within a sequence.
      if (queue.length > 0) queue = Buffer.from('\u0018')
      writeNow(entering)
    },
    isIn: () => isIn,
    leave() {
      if (!isIn) return
      isIn = false
      forgetWaiting()
      // What was being sent may end within a sequence: CAN ends that.
      if (queue.length > 0) queue = Buffer.from('\u0018')
      writeNow(leaving)
      queue = Buffer.alloc(0)
      raw(false)
      if (fd !== null) closeSync(fd)
      fd = null
    },
    draw,
    forget() {
      drawn = null
      if (isIn) clear()
    },
    send,
    onInput(listener) {
      input.on('data', listener)
      return () => input.off('data', listener)
    },
    onResize(listener) {
      output.on('resize', listener)
      return () => output.off('resize', listener)
    },
  }
}
