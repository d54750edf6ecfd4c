/** Reads forms with files (RFC 7578) as a stream, with only the current piece in memory. */
import { Failure, sentence } from '../../schema/errors.ts'
import { bodyText } from '../requests/body.ts'

export interface Part {
  name: string
  /** The sender's name of the file; null for a plain field. */
  filename: string | null
  /** Read it before requesting the next part, which skips unread bytes. Throws `invalid` if the form is cut off. */
  bytes: AsyncGenerator<Uint8Array, void, undefined>
}

const longestHead = 16 * 1024
const maxParts = 200
const longField = 'A field of the form is too long.'

/** The boundary of a form; null if the type has none. */
export function boundaryOf(contentType: string | undefined): string | null {
  const match = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType ?? '')
  return match?.[1] ?? match?.[2] ?? null
}

function brokenForm(): Failure {
  return new Failure('invalid', 'The upload was cut off, or is not a form. Send it again.')
}

/*
 * A parameter. Its value is quoted with escapes (RFC 2183); or quoted without escapes, as browsers do for a name that
 * ends in a backslash; or bare. A value may contain Unicode's line separators.
 */
const parameter = /\s*;\s*([\w-]+\*?)=(?:"((?:[^"\\]|\\[\s\S])*)"|"([^"]*)"|([^;\s"]*))(?=\s*(?:;|$))/gy

/**
 * Parses from the beginning, so that text within quotation marks is never a parameter. A name that cannot be read
 * to its end is refused, so that no file is stored under half of its name.
 */
function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>()
  let end = 0
  for (const [all, name = '', quoted, plain, bare = ''] of header.matchAll(parameter)) {
    end += all.length
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? plain ?? bare
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value)
  }
  if (header.slice(end).trim() !== '')
    throw new Failure('invalid', 'The file name cannot be read. Rename the file and send it again.', {
      field: 'file',
    })
  return found
}

function parameterOf(all: ReadonlyMap<string, string>, name: string): string | null {
  // .NET and PowerShell write names that are not ASCII this way (RFC 5987). Their plain parameter has a substitute.
  const extended = /^utf-8'[^']*'([\s\S]*)$/i.exec(all.get(`${name}*`) ?? '')?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      throw brokenForm()
    }
  }
  // Browsers escape only these three characters (HTML, multipart/form-data encoding algorithm).
  const text = all.get(name)
  return text?.replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) ?? null
}

/** The parameters of a part's Content-Disposition; null if the head has none. */
function dispositionOf(head: string): Map<string, string> | null {
  const rest = /^content-disposition:\s*form-data(?=\s|;|$)(.*)$/ims.exec(head)?.[1]
  return rest === undefined ? null : parametersOf(rest.split('\r\n', 1)[0] ?? '')
}

/** Reads the body, and holds bytes that were read but not consumed. */
function createSource(body: AsyncIterable<Uint8Array>) {
  const pieces = body[Symbol.asyncIterator]()
  // The delimiter begins with a line break, which the first boundary lacks.
  let held = Buffer.from('\r\n')

  async function more(): Promise<void> {
    const { value, done } = await pieces.next()
    if (done === true) throw brokenForm()
    held = held.length === 0 ? Buffer.from(value) : Buffer.concat([held, value])
  }

  return {
    more,
    /** Yields everything up to the delimiter. Calls `onEnd` before the last piece, when the delimiter is consumed. */
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
        // The end of the buffer may be the start of the delimiter.
        const sure = held.length - (delimiter.length - 1)
        if (sure > 0) {
          const piece = held.subarray(0, sure)
          held = held.subarray(sure)
          yield piece
        }
        await more()
      }
    },
    /** Consumes this many bytes. */
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

type Source = ReturnType<typeof createSource>

/** Reads the two bytes after a boundary; returns whether they end the form. */
async function isLast(source: Source): Promise<boolean> {
  const next = (await source.take(2)).toString('latin1')
  if (next !== '--' && next !== '\r\n') throw brokenForm()
  return next === '--'
}

/** The value of a plain field; `limit`: its maximum number of bytes. */
export function fieldOf(part: Part, limit: number): Promise<string> {
  return bodyText(part.bytes, limit, longField)
}

/** The parts of a form in order. Anything after the last part is ignored. */
export async function* partsOf(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const source = createSource(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const endOfHead = Buffer.from('\r\n\r\n')
  try {
    if (!(await source.take(delimiter.length)).equals(delimiter)) throw brokenForm()
    for (let n = 0; ; n++) {
      if (await isLast(source)) return
      if (n >= maxParts) throw new Failure('invalid', sentence`A form has at most ${maxParts} fields.`)
      const head = await bodyText(source.until(endOfHead), longestHead, longField)
      const fields = dispositionOf(head)
      const name = fields === null ? null : parameterOf(fields, 'name')
      if (fields === null || name === null) throw brokenForm()
      let isRead = false
      const bytes = source.until(delimiter, () => {
        isRead = true
      })
      yield { name, filename: parameterOf(fields, 'filename'), bytes }
      if (isRead) continue
      // Skip what the caller has not used.
      for await (const _ of source.until(delimiter));
    }
  } finally {
    await source.close()
  }
}
