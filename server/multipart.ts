/** Reads forms with files (RFC 7578) as they come: nothing but the piece at hand is held. */
import { Failure } from '../schema/errors.ts'

export interface Part {
  name: string
  /** As the sender calls the file; null for a plain field. */
  filename: string | null
  /** To be read before the next part is asked for; what is not read is passed over. Throws `invalid` when it is cut off. */
  bytes: AsyncGenerator<Uint8Array, void, undefined>
}

const longestHead = 16 * 1024
const mostParts = 200

/** The boundary of a form; null when the type is none. */
export function boundaryOf(contentType: string | undefined): string | null {
  const match = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType ?? '')
  return match?.[1] ?? match?.[2] ?? null
}

function broken(): Failure {
  return new Failure('invalid', 'The upload was cut off, or is no form. Send it again.')
}

const parameter = /;\s*([\w-]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gy

/** One after the other from the beginning: what stands within quotation marks is no parameter, whatever it looks like. */
function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, bare = ''] of header.matchAll(parameter)) {
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? bare)
  }
  return found
}

function parameterOf(header: string, name: string): string | null {
  const all = parametersOf(header)
  const extended = /^utf-8''(.*)$/i.exec(all.get(`${name}*`) ?? '')?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      throw broken()
    }
  }
  // Browsers write these three so, and nothing else (HTML, multipart/form-data encoding algorithm).
  const text = all.get(name)
  return text?.replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) ?? null
}

/** What has been read and not yet been taken. */
function createSource(body: AsyncIterable<Uint8Array>) {
  const pieces = body[Symbol.asyncIterator]()
  // The first boundary has no line before it.
  let held = Buffer.from('\r\n')

  async function more(): Promise<void> {
    const { value, done } = await pieces.next()
    if (done === true) throw broken()
    held = held.length === 0 ? Buffer.from(value) : Buffer.concat([held, value])
  }

  return {
    more,
    /** Everything up to the delimiter, which is taken too; `onEnd` is told when it has been. */
    async *until(delimiter: Buffer, onEnd?: () => void): AsyncGenerator<Uint8Array, void, undefined> {
      for (;;) {
        const at = held.indexOf(delimiter)
        if (at >= 0) {
          const piece = held.subarray(0, at)
          held = held.subarray(at + delimiter.length)
          onEnd?.()
          if (piece.length > 0) yield piece
          return
        }
        // The end of what is there may be the beginning of the delimiter.
        const sure = held.length - (delimiter.length - 1)
        if (sure > 0) {
          const piece = held.subarray(0, sure)
          held = held.subarray(sure)
          yield piece
        }
        await more()
      }
    },
    /** So many bytes, taken. */
    async take(length: number): Promise<Buffer> {
      while (held.length < length) await more()
      const taken = held.subarray(0, length)
      held = held.subarray(length)
      return taken
    },
    async close(): Promise<void> {
      await pieces.return?.()
    },
  }
}

async function textOf(bytes: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > most) throw new Failure('tooLarge', 'A field of the form is too long.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** The value of a plain field, of at most so many bytes. */
export function fieldOf(part: Part, most: number): Promise<string> {
  return textOf(part.bytes, most)
}

/** The parts of a form in their order. What is sent after the last one is not looked at. */
export async function* partsOf(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const source = createSource(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const endOfHead = Buffer.from('\r\n\r\n')
  try {
    for await (const _ of source.until(delimiter)) throw broken()
    for (let n = 0; ; n++) {
      const next = (await source.take(2)).toString('latin1')
      if (next === '--') return
      if (next !== '\r\n') throw broken()
      if (n >= mostParts) throw new Failure('invalid', `A form has at most ${mostParts} fields.`)
      const head = await textOf(source.until(endOfHead), longestHead)
      const header = /^content-disposition:\s*form-data(.*)$/im.exec(head)?.[1]
      const name = header === undefined ? null : parameterOf(header, 'name')
      if (header === undefined || name === null) throw broken()
      let isRead = false
      const bytes = source.until(delimiter, () => {
        isRead = true
      })
      yield { name, filename: parameterOf(header, 'filename'), bytes }
      if (isRead) continue
      // Not wanted: passed over.
      for await (const _ of source.until(delimiter));
    }
  } finally {
    await source.close()
  }
}
