/** Bytes of a text and back: what was not changed in it stays as it was, but for line ends of several kinds. Pure. */

export interface ReadText {
  /** As a text field has it: lines end in `\n`, without a mark of the byte order. */
  text: string
  /** It is UTF-8 and can be saved. */
  isWhole: boolean
  mark: string
  lineEnd: '\n' | '\r\n' | '\r'
  /** There are line ends of several kinds: a text field has one, and written all of them are `\n`. */
  isMixed: boolean
}

const byteOrderMark = '\u{FEFF}'

const lineEnds = [
  ['\r\n', /\r\n/],
  ['\n', /(?<!\r)\n/],
  ['\r', /\r(?!\n)/],
] as const

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
  const kinds = lineEnds.filter(([, pattern]) => pattern.test(body)).map(([kind]) => kind)
  const [first = '\n', second] = kinds
  return { text, isWhole, mark, lineEnd: second === undefined ? first : '\n', isMixed: second !== undefined }
}

export function writtenText(text: string, { mark, lineEnd }: Pick<ReadText, 'mark' | 'lineEnd'>): string {
  return mark + (lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd))
}
