/**
 * Changes tags of a TIFF structure without moving other data: maker notes contain offsets that only their makers know.
 * Old bytes are overwritten only where a single field, or none any more, uses them; everything else is appended.
 */

import { memorySource } from '../byte-source.ts'
import { readTiffHeader, tiffTypeSize } from '../tiff.ts'
import { type TiffRange, walkTiff } from './tiff-walk.ts'

/** A new value; null removes the tag. */
export type TiffTagChange = { type: number; count: number; data: Uint8Array } | null

export type TiffEditor = NonNullable<ReturnType<typeof editTiff>>

interface Entry {
  tag: number
  type: number
  count: number
  /** Four bytes: the value, or its offset. */
  value: Buffer
}

interface Directory {
  entries: Entry[]
  /** The next directory of the chain; 0 for a directory that a tag points to, which has none. */
  next: number
  end: number
}

const hasKnownType = ({ type }: Entry) => tiffTypeSize(type) > 0

/**
 * Inserts new entries, each before the first one with a higher tag. Existing entries keep their order, even a wrong
 * one; only damaged entries go to the end, because many readers give up on a directory that begins with one.
 */
function sortedEntries(kept: readonly Entry[], added: readonly Entry[]): Entry[] {
  const entries = kept.filter(hasKnownType)
  for (const entry of added) {
    const at = entries.findIndex(({ tag }) => tag > entry.tag)
    entries.splice(at === -1 ? entries.length : at, 0, entry)
  }
  return [...entries, ...kept.filter(entry => !hasKnownType(entry))]
}

/** The bytes of a structure, which may grow at the end. */
function openBytes(original: Uint8Array, littleEndian: boolean) {
  let bytes = Buffer.from(original)
  const u16 = (at: number) => (littleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (at: number) => (littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const put16 = (value: number, at: number, to = bytes) =>
    littleEndian ? to.writeUInt16LE(value, at) : to.writeUInt16BE(value, at)
  const put32 = (value: number, at: number, to = bytes) =>
    littleEndian ? to.writeUInt32LE(value, at) : to.writeUInt32BE(value, at)

  function longs(...values: number[]): Buffer {
    const data = Buffer.alloc(4 * values.length)
    for (const [n, value] of values.entries()) put32(value, 4 * n, data)
    return data
  }

  /** Null for an invalid directory. Directories of the chain end with a pointer to the next one. */
  function read(at: number, isChained: boolean): Directory | null {
    if (at < 8 || at + 2 > bytes.length) return null
    const count = u16(at)
    const end = at + 2 + count * 12 + (isChained ? 4 : 0)
    if (count > 1000 || end > bytes.length) return null
    const entries = Array.from({ length: count }, (_, n): Entry => {
      const place = at + 2 + n * 12
      const value = Buffer.from(bytes.subarray(place + 8, place + 12))
      return { tag: u16(place), type: u16(place + 2), count: u32(place + 4), value }
    })
    return { entries, next: isChained ? u32(end - 4) : 0, end }
  }

  /** Appends data at an even offset, as TIFF requires. */
  function append(data: Uint8Array): number {
    const at = bytes.length + (bytes.length % 2)
    bytes = Buffer.concat([bytes, Buffer.alloc(at - bytes.length), data])
    return at
  }

  return {
    now: () => bytes,
    put16,
    put32,
    longs,
    read,
    append,
    first: () => u32(4),
    number: (value: Buffer) => (littleEndian ? value.readUInt32LE() : value.readUInt32BE()),
    uses: () => walkTiff(bytes)?.uses ?? [],
  }
}

type TiffBytes = ReturnType<typeof openBytes>

function requireMain(file: TiffBytes): Directory {
  const directory = file.read(file.first(), true)
  if (directory === null) throw new Error('the first directory of a TIFF structure is no longer valid')
  return directory
}

/** Offset of the directory that a tag of the first one points to; null without such a tag or a valid directory. */
function directoryAt(file: TiffBytes, pointer: number): number | null {
  const entry = pointerEntry(requireMain(file), pointer)
  const at = entry === null ? null : file.number(entry.value)
  return at === null || file.read(at, false) === null ? null : at
}

function find(file: TiffBytes, pointer: number | null): { at: number | null; directory: Directory } {
  if (pointer === null) return { at: file.first(), directory: requireMain(file) }
  const at = directoryAt(file, pointer)
  const directory = at === null ? null : file.read(at, false)
  return directory === null ? { at: null, directory: { entries: [], next: 0, end: 0 } } : { at, directory }
}

/** The place of a value outside of its entry, if no other field uses any of its bytes; null otherwise. */
function unsharedRange(file: TiffBytes, { type, count, value }: Entry, used: readonly TiffRange[]): TiffRange | null {
  const length = tiffTypeSize(type) * count
  const start = file.number(value)
  const room = { start, end: start + length }
  return length > 4 && room.end <= file.now().length && usersOf(room, used) <= 1 ? room : null
}

function entryOf(file: TiffBytes, tag: number, change: NonNullable<TiffTagChange>, room: TiffRange | null): Entry {
  const { type, count, data } = change
  if (data.length <= 4) return { tag, type, count, value: Buffer.concat([data], 4) }
  const fits = room !== null && data.length <= room.end - room.start
  const at = fits ? room.start : file.append(data)
  if (fits) file.now().set(data, at)
  return { tag, type, count, value: file.longs(at) }
}

/** Writes a directory in its old place if it fits and nothing shares its bytes, else at the end; returns the offset. */
function write(
  file: TiffBytes,
  at: number | null,
  { end, next, entries }: Directory,
  used: readonly TiffRange[],
): number {
  const length = 2 + entries.length * 12 + 4
  const isAlone = at !== null && usersOf({ start: at, end }, used) <= 1
  const room = at === null ? 0 : end - at
  // If the entries fill the directory there is no room for the next-pointer, and readers ignore it.
  const fits = isAlone && (length <= room || length - 4 === room)
  const place = fits ? at : file.append(new Uint8Array(length))
  file.put16(entries.length, place)
  entries.forEach(({ tag, type, count, value }, n) => {
    const start = place + 2 + n * 12
    file.put16(tag, start)
    file.put16(type, start + 2)
    file.put32(count, start + 4)
    file.now().set(value, start + 8)
  })
  if (!fits || length <= room) file.put32(next, place + length - 4)
  return place
}

/** Overwrites unused bytes: a removed position must not be found in the file. */
function wipe(file: TiffBytes, before: readonly TiffRange[]): void {
  const bytes = file.now()
  const isUsed = new Uint8Array(bytes.length)
  for (const { start, end } of file.uses()) isUsed.fill(1, start, end)
  for (const { start, end } of before) {
    for (let at = start; at < end; at++) if (isUsed[at] === 0) bytes[at] = 0
  }
}

function change(
  file: TiffBytes,
  pointer: number | null,
  changes: ReadonlyMap<number, TiffTagChange>,
  next?: number,
): void {
  const used = file.uses()
  const { at, directory } = find(file, pointer)
  const kept = directory.entries.filter(({ tag }) => !changes.has(tag))
  const rooms = new Map(directory.entries.map(entry => [entry.tag, unsharedRange(file, entry, used)]))
  const added = [...changes].flatMap(([tag, wanted]) =>
    wanted === null ? [] : entryOf(file, tag, wanted, rooms.get(tag) ?? null),
  )
  const changed = { ...directory, next: next ?? directory.next, entries: sortedEntries(kept, added) }
  const place = write(file, at, changed, used)
  if (place !== at && pointer === null) file.put32(place, 4)
  else if (place !== at && pointer !== null)
    change(file, null, new Map([[pointer, { type: 4, count: 1, data: file.longs(place) }]]))
  wipe(file, used)
}

/** Opens a structure at its header; null for a damaged one. The given bytes are not changed. */
export function editTiff(original: Uint8Array) {
  const header = readTiffHeader(memorySource(original))
  if (header === null || header.magic !== 42) return null
  const file = openBytes(original, header.littleEndian)
  const main = file.read(header.first, true)
  if (main === null) return null
  // If a pointer leads to no valid directory, more of the structure may be wrong.
  for (const pointer of [0x8769, 0x8825]) {
    if (pointerEntry(main, pointer) !== null && directoryAt(file, pointer) === null) return null
  }
  return {
    /** A number of 16 bits as a value. */
    short(value: number): TiffTagChange {
      const data = Buffer.alloc(2)
      file.put16(value, 0, data)
      return { type: 3, count: 1, data }
    },
    longs: file.longs,
    directoryAt: (pointer: number) => directoryAt(file, pointer),
    /** Removes the directories after the first one, and their thumbnail. */
    dropThumbnail: () => change(file, null, new Map(), 0),
    /** Whether the first directory, or the one that its tag `pointer` points to, has `tag`. */
    has: (pointer: number | null, tag: number) => find(file, pointer).directory.entries.some(one => one.tag === tag),
    /** Changes the first directory, or the one that a tag of it points to (then `pointer` is that tag). */
    change: (pointer: number | null, changes: ReadonlyMap<number, TiffTagChange>) => change(file, pointer, changes),
    bytes: () => new Uint8Array(file.now()),
  }
}

/** How many of the used ranges overlap this one. */
function usersOf({ start, end }: TiffRange, used: readonly TiffRange[]): number {
  return used.filter(other => other.start < end && other.end > start).length
}

/** The entry that points to a directory; null if there is none, or it is not a pointer. */
function pointerEntry({ entries }: Directory, pointer: number): Entry | null {
  const entry = entries.find(({ tag }) => tag === pointer)
  return entry === undefined || entry.count === 0 || (entry.type !== 4 && entry.type !== 13) ? null : entry
}
