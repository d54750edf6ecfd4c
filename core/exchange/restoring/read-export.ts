/** Reads a file that `keepsake export` wrote line by line, because it may be larger than memory. */
import { Failure, sentence } from '../../../schema/errors.ts'
import { openNamedFile } from '../../files/open-file.ts'
import {
  type AlbumLine,
  type CollectionLine,
  exportLine,
  formatVersion,
  headLine,
  type ItemLine,
  type KeystringLine,
  type ObjectLine,
  type PersonLine,
} from '../exporting/export-format.ts'

const pieceLength = 1024 * 1024
/** Fits an item with thousands of regions; no export has longer lines. */
const longestLine = 16 * 1024 * 1024

export interface ExportedVocabulary {
  keystrings: KeystringLine[]
  people: PersonLine[]
  objects: ObjectLine[]
  albums: AlbumLine[]
  collections: CollectionLine[]
}

export interface ExportFile {
  vocabulary: ExportedVocabulary
  /** Yields the items, read again on each call. Throws `invalid` with the line number. */
  items(): Generator<ItemLine>
}

function* linesOf(path: string): Generator<string> {
  const file = openNamedFile(path, 'export')
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let rest = ''
    for (let at = 0; at < file.size; at += pieceLength) {
      const isLast = at + pieceLength >= file.size
      const text = rest + decoder.decode(file.read(at, pieceLength), { stream: !isLast })
      const lines = text.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      if (rest.length > longestLine)
        throw new Failure('invalid', sentence`${path} has a line that is not from an export.`)
    }
    if (rest !== '') yield rest
  } catch (error) {
    if (error instanceof TypeError) throw new Failure('invalid', sentence`${path} is not UTF-8 text.`, { cause: error })
    throw error
  } finally {
    file.close()
  }
}

function jsonOf(path: string, line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new Failure('invalid', sentence`${path}, line ${number}: it is not JSON. Is the file complete?`, {
      cause: error,
    })
  }
}

function* parseLines(path: string) {
  let number = 0
  for (const line of linesOf(path)) {
    number++
    if (line.trim() === '') continue
    const value = jsonOf(path, line, number)
    if (number === 1) {
      const head = headLine.safeParse(value)
      if (!head.success)
        throw new Failure('invalid', sentence`${path} was not written by 'keepsake export --format json'.`)
      if (head.data.schema > formatVersion) {
        throw new Failure('invalid', sentence`${path} was written by a newer Keepsake: use that version to read it.`)
      }
      continue
    }
    const found = exportLine.safeParse(value)
    if (!found.success) {
      const [issue] = found.error.issues
      throw new Failure(
        'invalid',
        sentence`${path}, line ${number}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
      )
    }
    yield found.data
  }
  if (number === 0) throw new Failure('invalid', sentence`${path} is empty.`)
}

/** Opens an export, checks all lines, and reads everything except items. Throws `notFound`, or `invalid` with the line. */
export function openExport(path: string): ExportFile {
  const vocabulary: ExportedVocabulary = { keystrings: [], people: [], objects: [], albums: [], collections: [] }
  for (const line of parseLines(path)) {
    if (line.type === 'keystring') vocabulary.keystrings.push(line)
    else if (line.type === 'person') vocabulary.people.push(line)
    else if (line.type === 'object') vocabulary.objects.push(line)
    else if (line.type === 'album') vocabulary.albums.push(line)
    else if (line.type === 'collection') vocabulary.collections.push(line)
  }
  return {
    vocabulary,
    *items() {
      for (const line of parseLines(path)) if (line.type === 'item') yield line
    },
  }
}
