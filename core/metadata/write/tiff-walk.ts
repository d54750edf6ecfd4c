/**
 * Walks all directories of a TIFF structure, and returns its readable fields and the bytes that they use. Comparing the
 * fields shows whether a change kept all others; the used bytes show which bytes several fields share.
 */
import { u16be, u16le, u32be, u32le } from '../binary.ts'
import { memorySource } from '../byte-source.ts'
import { readTiffHeader, tiffTypeSize } from '../tiff.ts'

/** Offsets from the header of the structure; `end` is not part of it. */
export interface TiffRange {
  start: number
  end: number
}

interface TiffField {
  /** '0', '1', … in the chain of directories; '0/8769' is the one that tag 0x8769 of the first one points to. */
  directory: string
  tag: number
  /** What a change must keep: type, number and values; for a maker note also its offset, since it contains offsets. */
  content: Uint8Array
}

export interface TiffWalk {
  /** By directory, tag, and number of earlier fields of that tag. */
  fields: Map<string, TiffField>
  /** Used bytes, once for each use: shared bytes are in several ranges. */
  uses: TiffRange[]
}

const exifPointer = 0x8769
const gpsPointer = 0x8825
/** Tags that point to a directory: EXIF, positions, interoperability, sub-directories, and two of old cameras. */
const pointers = new Set([exifPointer, gpsPointer, 0xa005, 0x14a, 0x190, 0xfe00])
const makerNote = 0x927c
/** Data that tags point to, with the tag of its lengths: the thumbnail, strips, tiles. */
const linkedData = [
  [0x201, 0x202],
  [0x111, 0x117],
  [0x144, 0x145],
] as const

const maxEntries = 1000
const maxDirectories = 100
const maxInChain = 20
const maxDepth = 6

interface Entry {
  tag: number
  numbers: number[]
}

/** Walks a TIFF structure; null for anything else. Damage never causes errors: unreadable parts are not fields. */
export function walkTiff(bytes: Uint8Array): TiffWalk | null {
  const header = readTiffHeader(memorySource(bytes))
  if (header === null || header.magic !== 42) return null
  const u16 = header.littleEndian ? u16le : u16be
  const u32 = header.littleEndian ? u32le : u32be
  const fields: TiffWalk['fields'] = new Map()
  const uses: TiffRange[] = [{ start: 0, end: 8 }]
  let walked = 0

  /** Adds a field. Returns the suffix that distinguishes it from earlier fields of the same tag. */
  function add(directory: string, tag: number, what: string, content: Uint8Array): string {
    for (let n = 0; ; n++) {
      const key = `${directory}:${tag.toString(16)}${what}${n === 0 ? '' : `#${n}`}`
      if (fields.has(key)) continue
      fields.set(key, { directory, tag, content })
      return n === 0 ? '' : `#${n}`
    }
  }

  function use(start: number, end: number): void {
    if (start < bytes.length) uses.push({ start, end: Math.min(end, bytes.length) })
  }

  /** The values of a tag that are whole numbers; none for other types. */
  function numbersOf(type: number, data: Uint8Array): number[] {
    const size = tiffTypeSize(type)
    if (![3, 4, 13].includes(type)) return []
    return Array.from({ length: data.length / size }, (_, n) => (size === 2 ? u16 : u32)(data, n * size))
  }

  /** Walks a directory. Returns the offset of the next one in the chain; null for an unreadable directory. */
  function walk(at: number, path: string, isChained: boolean, above: readonly number[]): number | null {
    const count = u16(bytes, at)
    if (above.includes(at) || above.length > maxDepth || at + 2 > bytes.length || count > maxEntries) return null
    if (++walked > maxDirectories) return null
    const whole = Math.min(count, Math.floor((bytes.length - at - 2) / 12))
    const end = at + 2 + whole * 12
    // Only in a directory of the chain do readers use the pointer after the entries.
    use(at, isChained ? end + 4 : end)
    const entries: Entry[] = []
    for (let n = 0; n < whole; n++) entries.push(field(at + 2 + n * 12, path, [...above, at]))
    for (const [offsets, lengths] of linkedData) linked(path, entries, offsets, lengths)
    return whole < count ? 0 : u32(bytes, end)
  }

  function field(place: number, path: string, above: readonly number[]): Entry {
    const tag = u16(bytes, place)
    const type = u16(bytes, place + 2)
    const length = tiffTypeSize(type) * u32(bytes, place + 4)
    const at = length <= 4 ? place + 8 : u32(bytes, place + 8)
    if (length > 4) use(at, at + length)
    const isReadable = length > 0 && at + length <= bytes.length
    const data = isReadable ? bytes.subarray(at, at + length) : new Uint8Array(0)
    const numbers = numbersOf(type, data)
    const shape = isReadable ? bytes.subarray(place + 2, place + 8) : bytes.subarray(place + 2, place + 12)
    // A value of up to four bytes is in its entry, and has no room for offsets.
    const where = tag === makerNote && length > 4 ? Buffer.from(`${at} `) : new Uint8Array(0)
    // These directories may move: their content is compared, not their offset.
    const mayMove = path === '0' && (tag === exifPointer || tag === gpsPointer)
    const parts = mayMove && numbers.length > 0 ? [] : [where, shape, data]
    const nth = add(path, tag, '', Buffer.concat(parts))
    if (pointers.has(tag)) {
      for (const [n, number] of numbers.slice(0, 16).entries())
        walk(number, `${path}/${tag.toString(16)}${nth}${n === 0 ? '' : `.${n}`}`, false, above)
    }
    return { tag, numbers }
  }

  function linked(path: string, entries: readonly Entry[], offsetTag: number, lengthTag: number): void {
    const offsets = entries.find(({ tag }) => tag === offsetTag)?.numbers ?? []
    const lengths = entries.find(({ tag }) => tag === lengthTag)?.numbers ?? []
    offsets.forEach((start, n) => {
      const end = start + (lengths[n] ?? 0)
      use(start, end)
      add(path, offsetTag, ' data', bytes.subarray(start, end))
    })
  }

  const chain: number[] = []
  for (let at = header.first; at !== 0 && !chain.includes(at) && chain.length < maxInChain; ) {
    const next = walk(at, String(chain.length), true, [])
    chain.push(at)
    at = next ?? 0
  }
  return { fields, uses }
}

/** Keys of fields that only one of two structures has, or that differ, except those that should change. */
export function differingFields(
  before: TiffWalk,
  after: TiffWalk,
  isToChange: (directory: string, tag: number) => boolean,
): string[] {
  return [...new Set([...before.fields.keys(), ...after.fields.keys()])].filter(key => {
    const [was, is] = [before.fields.get(key), after.fields.get(key)]
    const one = was ?? is
    if (one === undefined || isToChange(one.directory, one.tag)) return false
    return was === undefined || is === undefined || !Buffer.from(was.content).equals(is.content)
  })
}

/** Offset of the maker note, which may contain offsets that only its maker's programs know; null for none. */
export function makerNoteAt(bytes: Uint8Array): number | null {
  const note = [...(walkTiff(bytes)?.fields.values() ?? [])].find(({ tag }) => tag === makerNote)
  // `field` writes the offset first.
  return note === undefined ? null : Number.parseInt(Buffer.from(note.content).toString('latin1', 0, 12), 10) || 0
}
