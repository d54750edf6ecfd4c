/** Bytes of a text and back: unchanged parts stay as they were, except mixed line ends. Pure. */

export interface ReadText {
  /** As in a text field: lines end with `\n`, no byte order mark. */
  text: string
  /** It is UTF-8 and can be saved. */
  isWhole: boolean
  mark: string
  lineEnd: '\n' | '\r\n'
  /** Its line ends are mixed: a text field has one kind, and so has what it saves. */
  isMixed: boolean
}

const byteOrderMark = '\u{FEFF}'

export function readText(bytes: ArrayBuffer): ReadText {
  let raw: string
  let isWhole = true
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    isWhole = false
  }
  const mark = raw.startsWith(byteOrderMark) ? byteOrderMark : ''
  const body = raw.slice(mark.length)
  const text = body.replace(/\r\n?/g, '\n')
  const lineEnd = body.includes('\r\n') ? '\r\n' : '\n'
  return { text, isWhole, mark, lineEnd, isMixed: text.replaceAll('\n', lineEnd) !== body }
}

export function writtenText(text: string, { mark, lineEnd }: Pick<ReadText, 'mark' | 'lineEnd'>): string {
  return mark + text.replaceAll('\n', lineEnd)
}
