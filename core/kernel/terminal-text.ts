/** Makes text safe for a terminal: escapes characters that control it, or that hide how a text reads. */

/** Control characters (C0, DEL, C1), marks that change the direction of writing, and Unicode's own line separators. */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** How a text is escaped: plain, for CSV (a tab is part of a cell), or for JSON, which stays valid. */
export type TextFormat = 'text' | 'csv' | 'json'

function hex(character: string): string {
  return character.codePointAt(0)?.toString(16) ?? ''
}

/** A name or message on one line: line feeds are shown as `␤`, other unsafe characters as `\u{1b}`. */
export function forTerminal(text: string): string {
  return text.replace(unsafe, character => (character === '\n' ? '\u2424' : `\\u{${hex(character)}}`))
}

/** Whole lines: line ends stay, and so do tabs unless they belong to a CSV cell. In JSON the escapes are `\u001b`. */
export function linesForTerminal(text: string, format: TextFormat = 'text'): string {
  return text.replace(unsafe, (character, at: number) => {
    if (character === '\n' || (character === '\r' && text[at + 1] === '\n')) return character
    if (character === '\t' && format !== 'csv') return character
    return format === 'json' ? `\\u${hex(character).padStart(4, '0')}` : `\\u{${hex(character)}}`
  })
}
