/** Parameters of a request to the file manager: from its address, and from its body if it has one. */
import type { Context } from 'hono'
import { type FileManagerQuery, fileItems, fileManagerQuery } from '../../schema/api/file-manager.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { decodeInput } from '../mount.ts'
import { bodyText, parseJson } from '../requests/body.ts'
import { boundaryOf, fieldOf, type Part, partsOf } from './multipart.ts'

type RawParameters = Record<string, string>

/** Maximum size of a body: the longest allowed text, of which JSON may escape each byte as six, and other fields. */
export const longestBody = 6 * limits.fileTextBytes + 1024 ** 2
/** Maximum size of a field: that of a saved text, the longest field. Long lists of items fit too. */
const longestField = limits.fileTextBytes

/** The parameters as they arrive. In a form, fields and files may be in any order. */
export interface RequestParameters {
  /** All fields so far; null until `q` has arrived. Throws if one is invalid, which no later field can correct. */
  query(): FileManagerQuery | null
  /** Reads up to the next file; null at the end of the form, when all fields have arrived. */
  nextFile(): Promise<Part | null>
  /** Discards unread data. */
  close(): Promise<void>
}

/** Adds a parameter; refuses a repeated one. */
function addParameter(raw: Map<string, string>, name: string, value: string) {
  if (raw.has(name))
    throw new Failure('invalid', sentence`Parameter '${name}' is given more than once.`, { field: name })
  raw.set(name, value)
}

function parseForm(text: string): RawParameters {
  const raw = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) addParameter(raw, name, value)
  return Object.fromEntries(raw)
}

function parseJsonObject(text: string): RawParameters {
  const parsed = parseJson(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Failure('invalid', 'The body must be a JSON object.')
  }
  return Object.fromEntries(
    Object.entries(parsed)
      .filter(([, value]) => value !== null && value !== undefined)
      // A JSON body may give a list as an array. It becomes JSON text, as in the address.
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

function createParameters(
  raw: () => RawParameters,
  address: RawParameters,
  more: Partial<Omit<RequestParameters, 'query'>> = {},
): RequestParameters {
  return {
    query() {
      const all = { ...raw(), ...address }
      return all.q === undefined ? null : decodeInput(fileManagerQuery, all)
    },
    nextFile: async () => null,
    close: async () => {},
    ...more,
  }
}

function createFormParameters(context: Context, boundary: string): RequestParameters {
  const parts = partsOf(context.req.raw.body ?? new ReadableStream({ start: c => c.close() }), boundary)
  const raw = new Map<string, string>()
  let bytesLeft = longestBody
  return createParameters(() => Object.fromEntries(raw), context.req.query(), {
    async nextFile() {
      for (;;) {
        const { value: part, done } = await parts.next()
        if (done === true) return null
        if (part.filename !== null) return part
        const value = await fieldOf(part, Math.min(bytesLeft, longestField))
        bytesLeft -= Buffer.byteLength(value)
        addParameter(raw, part.name, value)
      }
    },
    async close() {
      await parts.return(undefined)
    },
  })
}

async function readBody(context: Context): Promise<RawParameters> {
  const text = await bodyText(context.req.raw.body, longestBody)
  if (text === '') return {}
  const plain = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (plain === 'application/json') return parseJsonObject(text)
  if (plain === 'application/x-www-form-urlencoded') return parseForm(text)
  throw new Failure('invalid', 'The body must be a form (multipart/form-data or x-www-form-urlencoded) or JSON.')
}

/** All parameters. Those of the address override those of the body; unknown ones are ignored. */
export async function parametersOf(context: Context): Promise<RequestParameters> {
  const isPost = context.req.method === 'POST'
  const boundary = isPost ? boundaryOf(context.req.header('content-type')) : null
  if (boundary !== null) return createFormParameters(context, boundary)
  const raw = isPost ? await readBody(context) : {}
  return createParameters(() => raw, context.req.query())
}

/** Paths of `items`, without duplicates. Throws 400 if there are none. */
export function pathsOf({ items }: FileManagerQuery): string[] {
  const field = 'items'
  let parsed: unknown
  try {
    parsed = JSON.parse(items ?? '[]')
  } catch {
    throw new Failure(
      'invalid',
      'items is not JSON: it must be a list like [{"path": "/Photos/a.jpg", "type": "file"}].',
      {
        field,
      },
    )
  }
  // The number is checked before the shape of each item.
  if (Array.isArray(parsed) && parsed.length > limits.maxFileItems) {
    throw new Failure('invalid', sentence`At most ${limits.maxFileItems} files and folders at once.`, { field })
  }
  const list = fileItems.safeParse(parsed)
  if (!list.success) {
    throw new Failure('invalid', 'items must be a list like [{"path": "/Photos/a.jpg", "type": "file"}].', { field })
  }
  const paths = [...new Set(list.data.map(({ path }) => path))]
  if (paths.length === 0) throw new Failure('invalid', 'No files or folders are selected.', { field })
  return paths
}
