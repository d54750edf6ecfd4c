/** Converts bytes to text and back: unchanged parts keep their bytes, except mixed line ends. Pure. */

export interface DecodedText {
  /** Text as in a text field: lines end with `\n`, no byte order mark. */
  text: string
  /** Whether the text is UTF-8 and can be saved. */
  isUtf8: boolean
  byteOrderMark: string
  lineEnd: '\n' | '\r\n'
  /** Whether line ends are mixed; a text field has only one kind, and so does the saved text. */
  isMixed: boolean
}

const bom = '\u{FEFF}'

export function decodeText(bytes: ArrayBuffer): DecodedText {
  let raw: string
  let isUtf8 = true
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    isUtf8 = false
  }
  const byteOrderMark = raw.startsWith(bom) ? bom : ''
  const body = raw.slice(byteOrderMark.length)
  const text = body.replace(/\r\n?/g, '\n')
  const lineEnd = body.includes('\r\n') ? '\r\n' : '\n'
  return { text, isUtf8, byteOrderMark, lineEnd, isMixed: text.replaceAll('\n', lineEnd) !== body }
}

export function textForFile(
  text: string,
  { byteOrderMark, lineEnd }: Pick<DecodedText, 'byteOrderMark' | 'lineEnd'>,
): string {
  return byteOrderMark + text.replaceAll('\n', lineEnd)
}
