/** The list of files at a zip's end, as it stands there: what it claims is not yet believed. */
import { Failure } from '../../schema/errors.ts'
import { displayName } from './names.ts'
import type { OpenFile } from './open-file.ts'

/*
 * Format: PKWARE's APPNOTE.TXT 6.3.10, §4.3 (records), §4.4 (fields), §4.5 (extra fields: 0x0001 zip64, 0x5455 time from
 * Info-ZIP's extrafld.txt). The central directory is what counts; a local header that says otherwise is refused, for
 * whoever reads the one would get other files than whoever reads the other.
 */

/** An entry of the list. */
export interface ListedEntry {
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

/** Bytes of the record at the end, without its comment. */
export const endLength = 22
const longestComment = 0xffff

/** What an archive is refused for. */
export function refused(message: string): Failure {
  return new Failure('invalid', message, { field: 'item' })
}

/** `what` is wrong with the archive, as the end of a sentence. */
export function damaged(what: string): Failure {
  return refused(`The archive is damaged: ${what}. Nothing was unpacked.`)
}

/** The same bytes with the functions of a Buffer. */
export function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Exactly these bytes of a file; throws where there are fewer. */
export function readAt(file: OpenFile, offset: number, length: number): Buffer {
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

/** Where the list lies, in bytes, and how many entries it says that it has. */
export interface Directory {
  count: number
  offset: number
  length: number
}

/** The record at the end that says where the central directory lies. */
export function findDirectory(file: OpenFile): Directory {
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
function kindOf(name: string, madeBy: number, attributes: number): ListedEntry['kind'] {
  const named = name.endsWith('/') ? 'folder' : 'file'
  const format = madeBy === unix ? (attributes >>> 16) & formatMask : 0
  if (format === 0) return named
  if (format === 0xa000) throw refused(`The archive holds a link: '${name}'. Links are not unpacked, nor is the rest.`)
  const meant = format === 0x4000 ? 'folder' : format === 0x8000 ? 'file' : null
  if (meant === null) throw refused(`'${name}' in the archive is neither a file nor a folder. Nothing was unpacked.`)
  if (meant !== named) throw damaged(`'${name}' says that it is a ${meant}`)
  return meant
}

/** The entry at a place of the list, and where the next one begins. Throws for links, devices, passwords and bad names. */
export function readEntry(bytes: Buffer, at: number): { entry: ListedEntry; next: number } {
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
