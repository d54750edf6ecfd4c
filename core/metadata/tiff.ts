/** The directories of tags that TIFF defines and that EXIF and most raw formats are made of. */
import { startsWith, u16be, u16le, u32be, u32le } from './binary.ts'
import type { ByteSource } from './byte-source.ts'

/** Bytes for types of one byte and for `blockTags`; numbers for all others. Rationals are divided, and may be NaN. */
export type TiffValue = Uint8Array | number[]

export interface TiffDirectory {
  values: Map<number, TiffValue>
  /** Offset of the next directory of the chain; 0 for none. */
  next: number
  /** Entries or wanted values could not be read: they are cut off, too long, or of an unknown type. */
  damaged: boolean
}

export interface TiffHeader {
  littleEndian: boolean
  first: number
  /** 42 for TIFF; Olympus, Panasonic and others write their own number here. */
  magic: number
}

const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
/** Text in UTF-8, since EXIF 3. */
const utf8Type = 129

/** Bytes per value of a TIFF type; 0 for an unknown one. */
export function tiffTypeSize(type: number): number {
  return type === utf8Type ? 1 : (typeSizes[type] ?? 0)
}

/** Size limit: XMP packets are the largest values, and smaller than this. */
const longestBytes = 16 * 1024 * 1024
const maxNumbers = 64
/** XMP, IPTC, Photoshop's blocks, maker notes: bytes, even where a writer (Photoshop) calls them numbers. */
const blockTags = new Set([0x2bc, 0x83bb, 0x8649, 0x927c])
/** Real directories have some dozens. */
const maxEntries = 1000

const magics = new Set([42, 0x4f52, 0x5352, 0x55])

/** The header of a TIFF structure at the start of a source; null if there is none. */
export function readTiffHeader(source: ByteSource): TiffHeader | null {
  const head = source.read(0, 8)
  const littleEndian = startsWith(head, 'II')
  if (head.length < 8 || (!littleEndian && !startsWith(head, 'MM'))) return null
  const magic = littleEndian ? u16le(head, 2) : u16be(head, 2)
  if (!magics.has(magic)) return null
  return { littleEndian, magic, first: littleEndian ? u32le(head, 4) : u32be(head, 4) }
}

/**
 * Reads the values of the wanted tags of one directory; the first of several equal tags counts. `source` starts at the
 * TIFF header, as all offsets do. Damage never throws.
 */
export function readTiffDirectory(
  source: ByteSource,
  offset: number,
  littleEndian: boolean,
  wanted: ReadonlySet<number>,
): TiffDirectory {
  const u16 = littleEndian ? u16le : u16be
  const u32 = littleEndian ? u32le : u32be
  const values = new Map<number, TiffValue>()
  const countBytes = source.read(offset, 2)
  const count = u16(countBytes, 0)
  const entries = source.read(offset + 2, count * 12 + 4)
  const whole = Math.min(count, Math.floor(entries.length / 12))
  let damaged = countBytes.length < 2 || whole < count
  // No directory has so many entries, so this is not a directory.
  if (whole < count && count > maxEntries) return { values, next: 0, damaged }
  for (let at = 0; at < whole * 12; at += 12) {
    const tag = u16(entries, at)
    if (!wanted.has(tag) || values.has(tag)) continue
    const value = readValue(source, entries, at, littleEndian, blockTags.has(tag))
    if (value === null) damaged = true
    else values.set(tag, value)
  }
  const next = whole < count ? 0 : u32(entries, count * 12)
  return { values, next, damaged }
}

function readValue(
  source: ByteSource,
  entries: Uint8Array,
  at: number,
  littleEndian: boolean,
  isBlock: boolean,
): TiffValue | null {
  const u32 = littleEndian ? u32le : u32be
  const type = littleEndian ? u16le(entries, at + 2) : u16be(entries, at + 2)
  const size = tiffTypeSize(type)
  if (size === 0) return null
  const isBytes = isBlock || size === 1
  const declared = u32(entries, at + 4)
  const count = isBytes ? declared : Math.min(declared, maxNumbers)
  const length = count * size
  if (length > longestBytes) return null
  const bytes =
    declared * size <= 4 ? entries.subarray(at + 8, at + 8 + length) : source.read(u32(entries, at + 8), length)
  if (bytes.length < length) return null
  return isBytes ? bytes : numbersOf(bytes, type, count, littleEndian)
}

function numbersOf(bytes: Uint8Array, type: number, count: number, littleEndian: boolean): number[] {
  const size = tiffTypeSize(type)
  const numbers: number[] = []
  for (let i = 0; i < count; i++) numbers.push(numberAt(bytes, i * size, type, littleEndian))
  return numbers
}

function numberAt(bytes: Uint8Array, at: number, type: number, littleEndian: boolean): number {
  const u16 = littleEndian ? u16le : u16be
  const u32 = littleEndian ? u32le : u32be
  switch (type) {
    case 3:
      return u16(bytes, at)
    case 8:
      return (u16(bytes, at) << 16) >> 16
    case 9:
      return u32(bytes, at) | 0
    case 5:
      return u32(bytes, at) / u32(bytes, at + 4)
    case 10:
      return (u32(bytes, at) | 0) / (u32(bytes, at + 4) | 0)
    case 11:
    case 12:
      return floatAt(bytes, at, type, littleEndian)
    default:
      return u32(bytes, at)
  }
}

function floatAt(bytes: Uint8Array, at: number, type: number, littleEndian: boolean): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return type === 11 ? view.getFloat32(at, littleEndian) : view.getFloat64(at, littleEndian)
}

/** The first number of a value, or undefined when it has none that is finite. */
export function numberOf(value: TiffValue | undefined): number | undefined {
  const first = value?.[0]
  return first !== undefined && Number.isFinite(first) ? first : undefined
}

/** The bytes of a value; undefined if it was written as numbers. */
export function bytesOf(value: TiffValue | undefined): Uint8Array | undefined {
  return value instanceof Uint8Array ? value : undefined
}
