/** A line of the screen: pieces of text with what they are (dim, bold, a warning), and how a terminal is told that. */
import { cut, safe, widthOf, wrap } from './text.ts'

/** Calm by rule: text, dim, bold, one accent, amber for what requests attention. */
export type Style = 'plain' | 'bold' | 'dim' | 'accent' | 'amber'

export interface Styled {
  text: string
  style?: Style
  /** Bold beside its style. */
  bold?: boolean
  /** The other way round: the place where one types. */
  inverse?: boolean
}

/** Escape sequences of ours, which take this many columns: coloured half blocks. */
export interface Drawn {
  drawn: string
  width: number
}

export type Span = string | Styled | Drawn
export type Line = readonly Span[]

/** How many colours there are: none (NO_COLOR), 16, 256, or all. */
export type Colours = 0 | 16 | 256 | 16_777_216

const esc = '\u001b['

function codesOf({ style = 'plain', bold = false, inverse = false }: Styled, colours: Colours): string[] {
  const codes: string[] = []
  if (bold || style === 'bold') codes.push('1')
  if (inverse) codes.push('7')
  // Without colours a terminal may still know bold and dim; what requests attention is bold then.
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
    const own = widthOf(text)
    // What comes after is told to be missing by the last one that is there.
    const fitting = own > room ? cut(text, room) : text
    kept.push({ ...styled, text: fitting })
    room -= widthOf(fitting)
    if (own > room + own || room <= 0) break
  }
  return kept
}

/** The line in as many as it takes; one that must be broken has the style of its first piece. */
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

/** Left and right parts of one line; the left one is cut when both do not fit. */
export function spread(left: Line, right: Line, width: number): Line {
  const own = lineWidth(right)
  if (own === 0) return cutLine(left, width)
  if (own >= width) return cutLine(right, width)
  return [...fillLine(left, width - own - 2), '  ', ...right]
}

/**
 * A line as the terminal is told it: names made safe, styles as this terminal knows them. With `ground` it is the chosen row:
 * on a ground of its own where there are colours for one; elsewhere its `›` tells.
 */
export function writeLine(line: Line, colours: Colours, ground = false): string {
  const under = ground && colours >= 256 ? '48;5;236' : null
  let told = ''
  for (const span of line) {
    if (isDrawn(span)) {
      told += span.drawn
      continue
    }
    const styled = typeof span === 'string' ? { text: span } : span
    const codes = codesOf(styled, colours)
    if (under !== null) codes.push(under)
    const text = safe(styled.text)
    told += codes.length === 0 || text === '' ? text : `${esc}${codes.join(';')}m${text}${esc}0m`
  }
  return told
}
