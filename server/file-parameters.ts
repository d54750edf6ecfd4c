/** What a request to the file manager says: parameters of its address, and of its body where it has one. */
import type { Context } from 'hono'
import { type FileManagerQuery, fileItems, fileManagerQuery } from '../schema/api/file-manager.ts'
import { Failure } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'
import { decoded } from './mount.ts'
import { boundaryOf, fieldOf, type Part, partsOf } from './multipart.ts'

type Words = Record<string, string>

/** A text of the allowed length with whatever is around it: JSON may write each of its bytes as six. */
export const longestBody = 6 * limits.fileTextBytes + 1024 ** 2
/** Items to move may be many; a text that is saved is more. */
const longestField = limits.fileTextBytes

/** What was said so far, and the files that come after it. */
export interface Said {
  query: FileManagerQuery
  /** The first file of a form, and how to get the others; null where there is none. */
  files: AsyncGenerator<Part> | null
  /** Lets go of what was not read. */
  close(): Promise<void>
}

async function textOf(context: Context): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of context.req.raw.body ?? []) {
    length += piece.length
    if (length > longestBody) throw new Failure('tooLarge', 'The request is too large.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function twice(name: string): Failure {
  return new Failure('invalid', `Parameter '${name}' is given more than once.`, { field: name })
}

/** Adds a parameter; one that is there already is refused. */
function put(words: Map<string, string>, name: string, value: string) {
  if (words.has(name)) throw twice(name)
  words.set(name, value)
}

function formWords(text: string): Words {
  const words = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) put(words, name, value)
  return Object.fromEntries(words)
}

function jsonWords(text: string): Words {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Failure('invalid', 'The body is not JSON.')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Failure('invalid', 'The body is no object of parameters.')
  }
  return Object.fromEntries(
    Object.entries(parsed)
      .filter(([, value]) => value !== null && value !== undefined)
      // Lists may stand as they are; in an address they are JSON.
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

interface Body extends Omit<Said, 'query'> {
  words: Words
}

const plainBody = (words: Words): Body => ({ words, files: null, close: async () => {} })

/** The fields before the first file, and the files. What stands after a file is too late to be heeded. */
async function formWithFiles(context: Context, boundary: string): Promise<Body> {
  const parts = partsOf(context.req.raw.body ?? new ReadableStream({ start: c => c.close() }), boundary)
  const words = new Map<string, string>()
  for (;;) {
    const { value: part, done } = await parts.next()
    if (done === true) return plainBody(Object.fromEntries(words))
    if (part.filename === null) put(words, part.name, await fieldOf(part, longestField))
    else {
      const close = async () => {
        await parts.return(undefined)
      }
      return { words: Object.fromEntries(words), files: filesOf(part, parts), close }
    }
  }
}

async function* filesOf(first: Part, parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
  yield first
  for await (const part of parts) if (part.filename !== null) yield part
}

async function bodyOf(context: Context): Promise<Body> {
  const type = context.req.header('content-type')
  const boundary = boundaryOf(type)
  if (boundary !== null) return formWithFiles(context, boundary)
  const text = await textOf(context)
  if (text === '') return plainBody({})
  const plain = type?.split(';')[0]?.trim().toLowerCase()
  if (plain === 'application/json') return plainBody(jsonWords(text))
  if (plain === 'application/x-www-form-urlencoded') return plainBody(formWords(text))
  throw new Failure('invalid', 'The body must be a form (multipart/form-data or x-www-form-urlencoded) or JSON.')
}

/** Everything that is said, the address before the body. Parameters that are nobody's are passed over. */
export async function saidBy(context: Context): Promise<Said> {
  const { words, files, close } = context.req.method === 'POST' ? await bodyOf(context) : plainBody({})
  const all: Words = { ...words, ...context.req.query() }
  if (all.q === undefined)
    throw new Failure('invalid', 'q says what is to be done: index, search, upload …', { field: 'q' })
  return { query: decoded(fileManagerQuery, all), files, close }
}

/** Paths of `items`, each once. Throws 400 where there is none. */
export function pathsOf({ items }: FileManagerQuery): string[] {
  const field = 'items'
  let parsed: unknown
  try {
    parsed = JSON.parse(items ?? '[]')
  } catch {
    throw new Failure('invalid', 'items is no JSON: it is a list like [{"path": "/Photos/a.jpg", "type": "file"}].', {
      field,
    })
  }
  // Counted before each is looked at.
  if (Array.isArray(parsed) && parsed.length > limits.fileItemsMost) {
    throw new Failure('invalid', `At most ${limits.fileItemsMost} files and folders at once.`, { field })
  }
  const list = fileItems.safeParse(parsed)
  if (!list.success) {
    throw new Failure('invalid', 'items is a list like [{"path": "/Photos/a.jpg", "type": "file"}].', { field })
  }
  const paths = [...new Set(list.data.map(({ path }) => path))]
  if (paths.length === 0) throw new Failure('invalid', 'Choose files or folders first.', { field })
  return paths
}
