/** A line of the screen: styled texts (dim, bold, a warning), and their escape sequences. */
import { cut, safe, widthOf, wrap } from './text.ts'

/** Styles of text. `amber` is for what needs attention. */
export type Style = 'plain' | 'bold' | 'dim' | 'accent' | 'amber'

export interface Styled {
  text: string
  style?: Style
  /** Whether the text is also bold. */
  bold?: boolean
  /** Whether the text is reversed, for the text cursor. */
  inverse?: boolean
}

/** Half blocks and the escape sequences that colour them. They are written unchanged; `width` is in columns. */
export interface Drawn {
  drawn: string
  width: number
}

export type Span = string | Styled | Drawn
export type Line = readonly Span[]

/** Number of colours: none (NO_COLOR), 16, 256, or 16 million. */
export type Colours = 0 | 16 | 256 | 16_777_216

const esc = '\u001b['

function codesOf({ style = 'plain', bold = false, inverse = false }: Styled, colours: Colours): string[] {
  const codes: string[] = []
  if (bold || style === 'bold') codes.push('1')
  if (inverse) codes.push('7')
  // Without colours, a terminal may still support bold and dim; bold then marks what needs attention.
  if (style === 'dim') codes.push('2')
  if (style === 'accent') codes.push(colours === 0 ? '1' : colours === 16 ? '36' : '38;5;110')
  if (style === 'amber') codes.push(colours === 0 ? '1' : colours === 16 ? '33' : '38;5;215')
  return codes
}

function isDrawn(span: Span): span is Drawn {
  return typeof span === 'object' && 'drawn' in span
}

export function lineWidth(line: Line): number {
  let width = 0
  for (const span of line)
    width += isDrawn(span) ? span.width : widthOf(safe(typeof span === 'string' ? span : span.text))
  return width
}

export function cutLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line
  const kept: Span[] = []
  let room = width
  for (const span of line) {
    if (isDrawn(span)) {
      if (span.width > room) break
      kept.push(span)
      room -= span.width
      continue
    }
    const styled = typeof span === 'string' ? { text: span } : span
    const text = safe(styled.text)
    const textWidth = widthOf(text)
    // `cut` ends the text with `…`, to show that something is missing.
    const fitting = textWidth > room ? cut(text, room) : text
    kept.push({ ...styled, text: fitting })
    room -= widthOf(fitting)
    if (textWidth > room + textWidth || room <= 0) break
  }
  return kept
}

/** Wraps a line; each part keeps the style of the line's first text. */
export function wrapLine(line: Line, width: number): Line[] {
  if (lineWidth(line) <= width) return [line]
  const pieces = line.flatMap(span => (isDrawn(span) ? [] : [typeof span === 'string' ? { text: span } : span]))
  const text = pieces.map(piece => safe(piece.text)).join('')
  const [style = {}] = pieces
  return wrap(text, width).map((part): Line => [{ ...style, text: part }])
}

export function fillLine(line: Line, width: number, align: 'start' | 'end' = 'start'): Line {
  const fitting = cutLine(line, width)
  const room = width - lineWidth(fitting)
  if (room <= 0) return fitting
  return align === 'end' ? [' '.repeat(room), ...fitting] : [...fitting, ' '.repeat(room)]
}

/** Left and right parts of one line; the left part is cut if both do not fit. */
export function alignToEnds(left: Line, right: Line, width: number): Line {
  const rightWidth = lineWidth(right)
  if (rightWidth === 0) return cutLine(left, width)
  if (rightWidth >= width) return cutLine(right, width)
  return [...fillLine(left, width - rightWidth - 2), '  ', ...right]
}

/**
 * A line as text for the terminal: unsafe characters replaced, styles as supported. `hasBackground` gives the line a
 * background if the terminal has at least 256 colours.
 */
export function formatLine(line: Line, colours: Colours, hasBackground = false): string {
  const under = hasBackground && colours >= 256 ? '48;5;236' : null
  let output = ''
  for (const span of line) {
    if (isDrawn(span)) {
      output += span.drawn
      continue
    }
    const styled = typeof span === 'string' ? { text: span } : span
    const codes = codesOf(styled, colours)
    if (under !== null) codes.push(under)
    const text = safe(styled.text)
    output += codes.length === 0 || text === '' ? text : `${esc}${codes.join(';')}m${text}${esc}0m`
  }
  return output
}
