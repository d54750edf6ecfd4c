/** Text for a terminal: safe, of a known width, and cut or padded so that columns stay aligned. */

/** Joiners, variation selectors and similar, which are removed because their width differs between terminals. */
const removedRanges: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x180b, 0x180f],
  [0x200b, 0x200d],
  [0x2060, 0x2064],
  // The keycap frame: one more column if the terminal does not combine it.
  [0x20e3, 0x20e3],
  [0xfe00, 0xfe0f],
  // Skin tones: two more columns if the terminal does not combine them.
  [0x1f3fb, 0x1f3ff],
  [0xe0100, 0xe01ef],
]

/** Control characters, lone surrogates, direction marks and zero-width blanks, which are shown as `?`. */
const harmful: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2065, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xe0000, 0xe00ff],
  [0xe01f0, 0xe0fff],
]

const printable = /^[\x20-\x7e]*$/
const lineEnds = new Set([0x09, 0x0a, 0x0d])

function isIn(ranges: readonly (readonly [number, number])[], code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last)
}

/** The text without unsafe characters: line ends and tabs become spaces, others a `?` or nothing. */
export function safe(text: string): string {
  if (printable.test(text)) return text
  let output = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (lineEnds.has(code)) output += ' '
    else if (isIn(harmful, code)) output += '?'
    else if (!isIn(removedRanges, code)) output += character
  }
  return output
}

/** Combining vowel signs: Bun counts no column for them, but terminals (wcwidth, tmux) count one each. */
const spacingMarks = /\p{Mc}/gu

export function widthOf(text: string): number {
  if (printable.test(text)) return text.length
  let width = Bun.stringWidth(text)
  for (const [sign] of text.matchAll(spacingMarks)) if (Bun.stringWidth(sign) === 0) width++
  return width
}

/** ASCII replacements of the same width, for terminals that would interpret other bytes. */
export function inAscii(text: string): string {
  return text.replaceAll('…', '~').replace(/[^\p{ASCII}]/gu, letter => '?'.repeat(widthOf(letter)))
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

function piecesOf(text: string): string[] {
  return printable.test(text) ? [...text] : Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/** As many of the pieces as fit into `width` columns. */
function piecesThatFit(pieces: readonly string[], width: number): string[] {
  let room = width
  const end = pieces.findIndex(piece => {
    room -= widthOf(piece)
    return room < 0
  })
  return end < 0 ? [...pieces] : pieces.slice(0, end)
}

/** At most `width` columns; `…` marks the cut end. */
export function cut(text: string, width: number): string {
  if (width <= 0) return ''
  return widthOf(text) <= width ? text : `${piecesThatFit(piecesOf(text), width - 1).join('')}…`
}

/** At most `width` columns, cut at the front, because the end of a path is its file name. */
export function cutFront(text: string, width: number): string {
  if (width <= 0) return ''
  if (widthOf(text) <= width) return text
  return `…${piecesThatFit(piecesOf(text).reverse(), width - 1)
    .reverse()
    .join('')}`
}

/** Exactly `width` columns: cut or padded. */
export function pad(text: string, width: number, align: 'start' | 'end' = 'start'): string {
  const fitting = cut(text, width)
  const room = ' '.repeat(Math.max(0, width - widthOf(fitting)))
  return align === 'end' ? room + fitting : fitting + room
}

/** Wraps words in lines of at most `width` columns; a wider word is broken. */
export function wrap(text: string, width: number): string[] {
  if (width <= 0) return []
  const lines: string[] = []
  let line = ''
  for (const whole of text.split(' ')) {
    let word = whole
    while (true) {
      const joined = line === '' ? word : `${line} ${word}`
      if (widthOf(joined) <= width) {
        line = joined
        break
      }
      if (line !== '') {
        lines.push(line)
        line = ''
        continue
      }
      let head = ''
      for (const piece of piecesOf(word)) {
        if (head !== '' && widthOf(head + piece) > width) break
        head += piece
      }
      lines.push(head)
      word = word.slice(head.length)
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}

/** For example '41 s', '3 min 16 s', '2 h 5 min'. */
function spanText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** '1 min 23 s left'; long times are rounded, so that the text does not flicker. */
export function timeLeft(seconds: number): string {
  if (seconds < 1) return 'nearly done'
  return `${seconds < 60 ? `${Math.ceil(seconds)} s` : spanText(Math.floor(seconds))} left`
}

export function duration(ms: number): string {
  return spanText(Math.round(ms / 1000))
}

export const twoDigits = (number: number) => String(number).padStart(2, '0')

/** '09:12' in this machine's time zone. */
export function clockTime(at: number): string {
  const date = new Date(at)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** 'Today 09:12', 'Yesterday 22:40', '12 November', '3 May 2021' in this machine's time zone; at most 17 columns. */
export function dayAndTime(at: number, now: number): string {
  const date = new Date(at)
  const today = new Date(now)
  const dayOf = (one: Date) => Date.UTC(one.getFullYear(), one.getMonth(), one.getDate()) / 86_400_000
  const days = dayOf(today) - dayOf(date)
  if (days === 0) return `Today ${clockTime(at)}`
  if (days === 1) return `Yesterday ${clockTime(at)}`
  const day = `${date.getDate()} ${date.toLocaleString('en-GB', { month: 'long' })}`
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`
}

/** '2026-11-21 21:05:09' in this machine's time zone. */
export function formatFullTime(at: number): string {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
  return `${day} ${clockTime(at)}:${twoDigits(date.getSeconds())}`
}
