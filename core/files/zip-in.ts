/** Reads a zip that anybody may have made: everything that it claims is checked before and while its bytes are read. */
import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { Failure } from '../../schema/errors.ts'
import { bytesOfText } from './names.ts'
import type { OpenFile } from './open-file.ts'
import { isTemporaryName } from './write-whole.ts'
import {
  type Directory,
  damaged,
  endLength,
  findDirectory,
  type ListedEntry,
  readAt,
  readEntry,
  refused,
  view,
} from './zip-list.ts'

/** What an archive may hold at most. */
export interface ZipLimits {
  entries: number
  /** Bytes of all files. */
  bytes: number
  /** So many times its own size an archive may become; more is a bomb, unless it is small all the same. */
  ratio: number
  harmless: number
}

export const zipLimits: Omit<ZipLimits, 'bytes'> = { entries: 100_000, ratio: 100, harmless: 5 * 1024 * 1024 }

/** A file or folder of an archive. */
export interface ZipMember {
  /** Its names, from the top down; each is fit for a disk. */
  names: string[]
  isFolder: boolean
  /** Bytes, unpacked. */
  size: number
  /** Seconds since 1970; null where the archive says nothing sensible. */
  modified: number | null
  /** Its bytes, checked against size and checksum: the last piece comes only when both are right. */
  content(): AsyncGenerator<Uint8Array>
}

const largestDirectory = 64 * 1024 * 1024
const pieceLength = 256 * 1024

/** Marks that let a name look like another one. */
const deceiving = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u

/** The names of an entry; refused is whatever could lead elsewhere, or is no name for a file. */
function namesOf({ name, kind }: ListedEntry): string[] {
  const why = (reason: string) => refused(`'${name.slice(0, 200)}' in the archive ${reason}. Nothing was unpacked.`)
  if (name.includes('\\')) throw why("has a '\\' in its name")
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw why('is an absolute path')
  if (/\p{Cc}/u.test(name)) throw why('has control characters in its name')
  if (deceiving.test(name)) throw why('has marks in its name that turn the direction of writing')
  const names = (kind === 'folder' ? name.slice(0, -1) : name).split('/')
  for (const one of names) {
    if (one === '..') throw why("leads out of its folder with '..'")
    if (one === '' || one === '.' || one.trim() === '') throw why('has an empty name in its path')
    if (bytesOfText(one).length > 255) throw why('has a name of more than 255 bytes')
    if (isTemporaryName(one)) throw why('has a name that is our own')
  }
  if (names.length > 100 || bytesOfText(name).length > 3000) throw why('lies too deep')
  return names
}

/** No name twice, not even in another case; no file that is also somebody's folder. */
function demandDistinct(entries: readonly { entry: ListedEntry; names: string[] }[]): void {
  const seen = new Map<string, { path: string; kind: ListedEntry['kind'] }>()
  for (const { entry, names } of entries) {
    for (let depth = 1; depth <= names.length; depth++) {
      const path = names.slice(0, depth).join('/')
      const key = path.normalize('NFC').toLowerCase()
      const kind = depth < names.length ? 'folder' : entry.kind
      const other = seen.get(key)
      if (other === undefined) seen.set(key, { path, kind })
      else if (other.kind !== 'folder' || kind !== 'folder' || other.path !== path)
        throw refused(`The archive has two entries named '${path}' ('${other.path}'). Nothing was unpacked.`)
    }
  }
}

/** A byte of the archive belongs to one file at most: otherwise few bytes become many. */
function demandApart(entries: readonly ListedEntry[], directory: Directory): void {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset)
  let end = 0
  for (const { offset, packed, rawName, name } of sorted) {
    if (offset < end) throw damaged(`'${name}' lies in another file`)
    end = offset + 30 + rawName.length + packed
  }
  if (end > directory.offset) throw damaged('its files run into its list')
}

/** Where a file's packed bytes begin, once the header before them agrees with the list. */
function startOf(file: OpenFile, entry: ListedEntry): number {
  const header = readAt(file, entry.offset, 30)
  if (header.readUInt32LE(0) !== 0x04034b50) throw damaged(`'${entry.name}' is not where its list says`)
  const nameLength = header.readUInt16LE(26)
  const name = readAt(file, entry.offset + 30, nameLength)
  if (!name.equals(entry.rawName) || header.readUInt16LE(8) !== entry.method)
    throw damaged(`'${entry.name}' is another file than its list says`)
  // Sizes that are told behind the bytes are 0 here, those beyond 4 GB full.
  const told = (at: number, size: number) => [0, 0xffffffff, size].includes(header.readUInt32LE(at))
  if (!told(18, entry.packed) || !told(22, entry.size)) throw damaged(`'${entry.name}' has another size than it says`)
  const start = entry.offset + 30 + nameLength + header.readUInt16LE(28)
  if (start + entry.packed > file.size) throw damaged('a part of it is missing')
  return start
}

async function* packedBytes(file: OpenFile, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += pieceLength) {
    yield readAt(file, start + at, Math.min(pieceLength, length - at))
    // Others get their turn between two pieces.
    await new Promise(resolve => setImmediate(resolve))
  }
}

async function* unpacked(file: OpenFile, entry: ListedEntry): AsyncGenerator<Uint8Array> {
  const start = startOf(file, entry)
  const source = packedBytes(file, start, entry.packed)
  let read = 0
  let sum = 0
  const inflate = entry.method === 8 ? createInflateRaw() : null
  const pieces =
    inflate === null
      ? source
      : Readable.from(source)
          .on('error', e => inflate.destroy(e))
          .pipe(inflate)
  let held: Uint8Array | null = null
  try {
    for await (const piece of pieces) {
      const bytes = view(piece)
      read += bytes.length
      if (read > entry.size) throw damaged(`'${entry.name}' is larger than it says`)
      sum = crc32(bytes, sum)
      if (held !== null) yield held
      held = bytes
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('invalid', damaged(`'${entry.name}' cannot be unpacked`).message, { field: 'item', cause: error })
  } finally {
    inflate?.destroy()
  }
  if (read !== entry.size) throw damaged(`'${entry.name}' is smaller than it says`)
  if (inflate !== null && inflate.bytesWritten !== entry.packed)
    throw damaged(`'${entry.name}' has bytes that belong to nothing`)
  if (sum !== entry.crc) throw damaged(`the checksum of '${entry.name}' is wrong`)
  if (held !== null) yield held
}

/**
 * Everything in an archive, folders before what is in them only where the archive says so. Throws `invalid` with a sentence
 * that says what is wrong, and `tooLarge` for bombs, before a byte is unpacked as far as that can be known. The file stays
 * the caller's, and open as long as members are read.
 */
export function readZip(file: OpenFile, limits: ZipLimits): ZipMember[] {
  if (file.size < endLength) throw refused('This is no zip archive. Nothing was unpacked.')
  const directory = findDirectory(file)
  if (directory.count === 0) throw refused('The archive is empty.')
  if (directory.count > limits.entries)
    throw new Failure('tooLarge', `The archive has ${directory.count} entries, more than ${limits.entries}.`)
  if (directory.length > largestDirectory) throw new Failure('tooLarge', "The archive's list of files is too large.")
  const bytes = readAt(file, directory.offset, directory.length)
  const entries: { entry: ListedEntry; names: string[] }[] = []
  let total = 0
  let at = 0
  for (let n = 0; n < directory.count; n++) {
    const { entry, next } = readEntry(bytes, at)
    at = next
    if (entry.method !== 0 && entry.method !== 8)
      throw refused(`'${entry.name}' is packed in a way that is not known here (${entry.method}).`)
    if (entry.method === 0 && entry.packed !== entry.size) throw damaged(`'${entry.name}' has two sizes`)
    if (entry.kind === 'folder' && entry.size > 0) throw damaged(`the folder '${entry.name}' has bytes`)
    total += entry.size
    entries.push({ entry, names: namesOf(entry) })
  }
  if (at !== bytes.length) throw damaged('its list of files is longer than it says')
  if (total > limits.bytes)
    throw new Failure('tooLarge', `Unpacked, the archive has ${total} bytes: more than the ${limits.bytes} allowed.`)
  if (total > limits.harmless && total > limits.ratio * file.size)
    throw new Failure(
      'tooLarge',
      `Unpacked, the archive would be ${Math.round(total / file.size)} times its size: it is taken for a bomb.`,
    )
  demandDistinct(entries)
  demandApart(
    entries.map(({ entry }) => entry),
    directory,
  )
  return entries.map(({ entry, names }) => ({
    names,
    isFolder: entry.kind === 'folder',
    size: entry.size,
    modified: entry.modified,
    content: () => unpacked(file, entry),
  }))
}
