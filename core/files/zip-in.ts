/** Reads a zip that anybody may have made: everything that it claims is checked before and while its bytes are read. */
import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { Failure } from '../../schema/errors.ts'
import { bytesOfText, displayName } from './names.ts'
import type { OpenFile } from './open-file.ts'
import { isTemporaryName } from './write-whole.ts'

/*
 * Format: PKWARE's APPNOTE.TXT 6.3.10, §4.3 (records), §4.4 (fields), §4.5 (extra fields: 0x0001 zip64, 0x5455 time from
 * Info-ZIP's extrafld.txt). The central directory is what counts; a local header that says otherwise is refused, for
 * whoever reads the one would get other files than whoever reads the other.
 */

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

interface Entry {
  name: string
  method: number
  flags: number
  crc: number
  packed: number
  size: number
  offset: number
  kind: 'file' | 'folder'
  modified: number | null
  rawName: Buffer
}

const endLength = 22
const longestComment = 0xffff
const largestDirectory = 64 * 1024 * 1024
const pieceLength = 256 * 1024

function refused(message: string): Failure {
  return new Failure('invalid', message, { field: 'item' })
}

function damaged(what: string): Failure {
  return refused(`The archive is damaged: ${what}. Nothing was unpacked.`)
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function readAt(file: OpenFile, offset: number, length: number): Buffer {
  if (offset < 0 || length < 0 || offset + length > file.size) throw damaged('a part of it is missing')
  const bytes = view(file.read(offset, length))
  if (bytes.length !== length) throw damaged('a part of it is missing')
  return bytes
}

/** A number of 64 bits, where it can be one of ours. */
function large(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged('it claims an impossible size')
  return Number(value)
}

interface Directory {
  count: number
  offset: number
  length: number
}

/** The record at the end that says where the central directory lies. */
function findDirectory(file: OpenFile): Directory {
  const length = Math.min(file.size, endLength + longestComment)
  const tail = readAt(file, file.size - length, length)
  for (let at = length - endLength; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50 || tail.readUInt16LE(at + 20) !== length - at - endLength) continue
    const wide = wideDirectory(file, file.size - length + at)
    if (wide !== null) return wide
    if (tail.readUInt16LE(at + 4) !== 0 || tail.readUInt16LE(at + 6) !== 0) throw severalParts()
    return {
      count: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
  }
  throw refused('This is no zip archive, or its end is missing. Nothing was unpacked.')
}

function severalParts(): Failure {
  return refused('The archive is one of several parts, which cannot be unpacked here.')
}

/** The same of an archive beyond 4 GB or 65,535 entries (zip64). */
function wideDirectory(file: OpenFile, end: number): Directory | null {
  if (end < 20) return null
  const locator = readAt(file, end - 20, 20)
  if (locator.readUInt32LE(0) !== 0x07064b50) return null
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1) throw severalParts()
  const record = readAt(file, large(locator, 8), 56)
  if (record.readUInt32LE(0) !== 0x06064b50) throw damaged('its end is not where it says')
  return { count: large(record, 32), length: large(record, 40), offset: large(record, 48) }
}

/** Characters 128 to 255 of the IBM code page 437, in which names without a mark are written. */
const oldCharacters =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ '

/** Many write UTF-8 and do not say so: what is valid UTF-8 is taken for it. */
function textOf(name: Buffer, isUtf8: boolean): string {
  const text = name.toString('utf8')
  if (Buffer.from(text).equals(name)) return text
  if (isUtf8) throw refused(`The archive has a name that is no text: '${displayName(name)}'. Nothing was unpacked.`)
  return [...name].map(byte => (byte < 128 ? String.fromCharCode(byte) : oldCharacters[byte - 128])).join('')
}

/** Extra fields by their number. */
function extrasOf(bytes: Buffer): Map<number, Buffer> {
  const extras = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16LE(at + 2)
    if (at + 4 + length > bytes.length) break
    extras.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return extras
}

/** Local time in two seconds' steps since 1980 (APPNOTE 4.4.6). */
function dosTime(time: number, date: number): number | null {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31]
  if (month < 1 || month > 12 || day < 1) return null
  return new Date(year, month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime() / 1000
}

const unix = 3
const formatMask = 0xf000

/** Kind of an entry by its name and, where a Unix made it, by its mode; links, devices and the like are refused. */
function kindOf(name: string, madeBy: number, attributes: number): Entry['kind'] {
  const named = name.endsWith('/') ? 'folder' : 'file'
  const format = madeBy === unix ? (attributes >>> 16) & formatMask : 0
  if (format === 0) return named
  if (format === 0xa000) throw refused(`The archive holds a link: '${name}'. Links are not unpacked, nor is the rest.`)
  const meant = format === 0x4000 ? 'folder' : format === 0x8000 ? 'file' : null
  if (meant === null) throw refused(`'${name}' in the archive is neither a file nor a folder. Nothing was unpacked.`)
  if (meant !== named) throw damaged(`'${name}' says that it is a ${meant}`)
  return meant
}

function readEntry(bytes: Buffer, at: number): { entry: Entry; next: number } {
  if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw damaged('its list of files is broken')
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map(place => bytes.readUInt16LE(at + place))
  const nameEnd = at + 46 + (nameLength ?? 0)
  const next = nameEnd + (extraLength ?? 0) + (commentLength ?? 0)
  if (next > bytes.length) throw damaged('its list of files is broken')
  const flags = bytes.readUInt16LE(at + 8)
  const rawName = bytes.subarray(at + 46, nameEnd)
  const name = textOf(rawName, (flags & 0x800) !== 0)
  if ((flags & 0x2041) !== 0)
    throw refused('The archive is locked with a password, which cannot be given here. Unpack it on your own machine.')
  const extras = extrasOf(bytes.subarray(nameEnd, nameEnd + (extraLength ?? 0)))
  let [packed, size, offset] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 42)]
  const wide = extras.get(1)
  let place = 0
  const widened = (value: number) => {
    if (value !== 0xffffffff || wide === undefined || place + 8 > wide.length) return value
    place += 8
    return large(wide, place - 8)
  }
  // In this order, and each only where its own field is full.
  size = widened(size)
  packed = widened(packed)
  offset = widened(offset)
  const times = extras.get(0x5455)
  const told = times !== undefined && times.length >= 5 && ((times[0] ?? 0) & 1) === 1 ? times.readInt32LE(1) : null
  return {
    entry: {
      name,
      rawName,
      flags,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed,
      size,
      offset,
      kind: kindOf(name, bytes.readUInt16LE(at + 4) >> 8, bytes.readUInt32LE(at + 38)),
      modified: told ?? dosTime(bytes.readUInt16LE(at + 12), bytes.readUInt16LE(at + 14)),
    },
    next,
  }
}

/** Marks that let a name look like another one. */
const deceiving = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u

/** The names of an entry; refused is whatever could lead elsewhere, or is no name for a file. */
function namesOf({ name, kind }: Entry): string[] {
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
function demandDistinct(entries: readonly { entry: Entry; names: string[] }[]): void {
  const seen = new Map<string, { path: string; kind: Entry['kind'] }>()
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
function demandApart(entries: readonly Entry[], directory: Directory): void {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset)
  let end = 0
  for (const { offset, packed, rawName, name } of sorted) {
    if (offset < end) throw damaged(`'${name}' lies in another file`)
    end = offset + 30 + rawName.length + packed
  }
  if (end > directory.offset) throw damaged('its files run into its list')
}

/** Where a file's packed bytes begin, once the header before them agrees with the list. */
function startOf(file: OpenFile, entry: Entry): number {
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

async function* unpacked(file: OpenFile, entry: Entry): AsyncGenerator<Uint8Array> {
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
  const entries: { entry: Entry; names: string[] }[] = []
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
