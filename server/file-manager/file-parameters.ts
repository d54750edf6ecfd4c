/** Parameters of a request to the file manager: from its address, and from its body if it has one. */
import type { Context } from 'hono'
import { type FileManagerQuery, fileItems, fileManagerQuery } from '../../schema/api/file-manager.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { decoded } from '../mount.ts'
import { bodyText, parsedJson } from '../requests/body.ts'
import { boundaryOf, fieldOf, type Part, partsOf } from './multipart.ts'

type Words = Record<string, string>

/** Maximum size of a body: the longest allowed text, of which JSON may escape each byte as six, and other fields. */
export const longestBody = 6 * limits.fileTextBytes + 1024 ** 2
/** Maximum size of a field: lists of items to move may be long, but a saved text is longer. */
const longestField = limits.fileTextBytes

/** The parameters as they arrive; in a form, fields and files are in any order. */
export interface Parameters {
  /** All fields so far; null until `q` has arrived. Throws if one is invalid, which no later field can correct. */
  query(): FileManagerQuery | null
  /** Reads up to the next file; null if there is no further file and every field is known. */
  nextFile(): Promise<Part | null>
  /** Discards unread data. */
  close(): Promise<void>
}

/** Adds a parameter; refuses a repeated one. */
function put(words: Map<string, string>, name: string, value: string) {
  if (words.has(name))
    throw new Failure('invalid', sentence`Parameter '${name}' is given more than once.`, { field: name })
  words.set(name, value)
}

function formWords(text: string): Words {
  const words = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) put(words, name, value)
  return Object.fromEntries(words)
}

function jsonWords(text: string): Words {
  const parsed = parsedJson(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Failure('invalid', 'The body must be a JSON object.')
  }
  return Object.fromEntries(
    Object.entries(parsed)
      .filter(([, value]) => value !== null && value !== undefined)
      // Lists may be arrays; in an address they are JSON.
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

function parametersIn(words: () => Words, address: Words, more: Partial<Omit<Parameters, 'query'>> = {}): Parameters {
  return {
    query() {
      const all = { ...words(), ...address }
      return all.q === undefined ? null : decoded(fileManagerQuery, all)
    },
    nextFile: async () => null,
    close: async () => {},
    ...more,
  }
}

function parametersInForm(context: Context, boundary: string): Parameters {
  const parts = partsOf(context.req.raw.body ?? new ReadableStream({ start: c => c.close() }), boundary)
  const words = new Map<string, string>()
  let room = longestBody
  return parametersIn(() => Object.fromEntries(words), context.req.query(), {
    async nextFile() {
      for (;;) {
        const { value: part, done } = await parts.next()
        if (done === true) return null
        if (part.filename !== null) return part
        const value = await fieldOf(part, Math.min(room, longestField))
        room -= Buffer.byteLength(value)
        put(words, part.name, value)
      }
    },
    async close() {
      await parts.return(undefined)
    },
  })
}

async function wordsOf(context: Context): Promise<Words> {
  const text = await bodyText(context.req.raw.body, longestBody)
  if (text === '') return {}
  const plain = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (plain === 'application/json') return jsonWords(text)
  if (plain === 'application/x-www-form-urlencoded') return formWords(text)
  throw new Failure('invalid', 'The body must be a form (multipart/form-data or x-www-form-urlencoded) or JSON.')
}

/** All parameters. Those of the address override those of the body; unknown ones are ignored. */
export async function parametersOf(context: Context): Promise<Parameters> {
  const isPost = context.req.method === 'POST'
  const boundary = isPost ? boundaryOf(context.req.header('content-type')) : null
  if (boundary !== null) return parametersInForm(context, boundary)
  const words = isPost ? await wordsOf(context) : {}
  return parametersIn(() => words, context.req.query())
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
  // Checked before the items are parsed.
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
