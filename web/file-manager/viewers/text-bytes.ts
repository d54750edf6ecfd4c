/** Converts bytes to text and back: unchanged parts keep their bytes, except mixed line ends. Pure. */

export interface ReadText {
  /** Text as in a text field: lines end with `\n`, no byte order mark. */
  text: string
  /** Whether the text is UTF-8 and can be saved. */
  isWhole: boolean
  mark: string
  lineEnd: '\n' | '\r\n'
  /** Whether line ends are mixed; a text field has only one kind, and so does the saved text. */
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
