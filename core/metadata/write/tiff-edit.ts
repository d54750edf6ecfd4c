/**
 * Changes tags of a TIFF structure without moving anything that is in it: maker notes and thumbnails are found by offsets
 * that nobody but their makers knows. Old bytes are written to only where a single field uses them; everything else is put
 * at the end.
 */

import { memorySource } from '../byte-source.ts'
import { readTiffHeader, tiffTypeSize } from '../tiff.ts'
import { type TiffRange, walkTiff } from './tiff-walk.ts'

/** A value as it is written; null removes the tag. */
export type TagChange = { type: number; count: number; data: Uint8Array } | null

export interface TiffEditor {
  littleEndian: boolean
  /** Offset of the directory that a tag of the first one points to; null without such a tag. */
  directoryAt(pointer: number): number | null
  /** Does the first directory, or the one that a tag of it points to, have the tag? */
  has(pointer: number | null, tag: number): boolean
  /** Changes a directory that is the first one, or that a tag of the first one points to (then `pointer` is that tag). */
  change(pointer: number | null, changes: ReadonlyMap<number, TagChange>): void
  /** Takes away the directories behind the first one, and the small picture that they lead to. */
  dropThumbnail(): void
  bytes(): Uint8Array
}

interface Entry {
  tag: number
  type: number
  count: number
  /** Four bytes: the value or where it is. */
  value: Uint8Array
}

interface Directory {
  entries: Entry[]
  /** The next directory of the chain; 0 for a directory that a tag points to: nobody reads what stands behind it. */
  next: number
  end: number
}

const isSound = ({ type }: Entry) => tiffTypeSize(type) > 0

/**
 * New entries among those that stay, each before the first one with a higher tag. What stays keeps its order, even where it
 * is not the right one; only damaged entries go to the end: many readers give a directory up that begins with one.
 */
function placed(kept: readonly Entry[], added: readonly Entry[]): Entry[] {
  const entries = kept.filter(isSound)
  for (const entry of added) {
    const at = entries.findIndex(({ tag }) => tag > entry.tag)
    entries.splice(at === -1 ? entries.length : at, 0, entry)
  }
  return [...entries, ...kept.filter(entry => !isSound(entry))]
}

/** Opens a structure that begins with its header; null for one that is damaged. The bytes given are not written to. */
export function editTiff(original: Uint8Array): TiffEditor | null {
  const header = readTiffHeader(memorySource(original))
  if (header === null || header.magic !== 42) return null
  const { littleEndian } = header
  let bytes = Buffer.from(original)
  const u16 = (at: number) => (littleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (at: number) => (littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const put16 = (value: number, at: number) =>
    littleEndian ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const put32 = (value: number, at: number) =>
    littleEndian ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)

  /** Null for what cannot be a directory. Directories of the chain end with a pointer to the next one. */
  function read(at: number, isChained: boolean): Directory | null {
    if (at < 8 || at + 2 > bytes.length) return null
    const count = u16(at)
    const end = at + 2 + count * 12 + (isChained ? 4 : 0)
    if (count > 1000 || end > bytes.length) return null
    const entries: Entry[] = []
    for (let n = 0; n < count; n++) {
      const place = at + 2 + n * 12
      entries.push({
        tag: u16(place),
        type: u16(place + 2),
        count: u32(place + 4),
        value: Buffer.from(bytes.subarray(place + 8, place + 12)),
      })
    }
    return { entries, next: isChained ? u32(end - 4) : 0, end }
  }

  function demandMain(): Directory {
    const directory = read(u32(4), true)
    if (directory === null) throw new Error('the first directory of a TIFF structure went away')
    return directory
  }

  /** Room at the end, at an even place as TIFF wants it. */
  function append(data: Uint8Array): number {
    const at = bytes.length + (bytes.length % 2)
    bytes = Buffer.concat([bytes, Buffer.alloc(at - bytes.length), data])
    return at
  }

  const number = (value: Uint8Array) => {
    const four = Buffer.from(value)
    return littleEndian ? four.readUInt32LE() : four.readUInt32BE()
  }

  const uses = () => walkTiff(bytes)?.uses ?? []

  /** Offset of a value that does not fit its entry, where no other field uses any of its bytes; else null. */
  function ownRoom({ type, count, value }: Entry, used: readonly TiffRange[]): TiffRange | null {
    const length = tiffTypeSize(type) * count
    const start = number(value)
    const room = { start, end: start + length }
    return length > 4 && room.end <= bytes.length && usersOf(room, used) <= 1 ? room : null
  }

  function entryOf(tag: number, change: NonNullable<TagChange>, room: TiffRange | null): Entry {
    const value = Buffer.alloc(4)
    const { type, count, data } = change
    if (data.length <= 4) value.set(data)
    else {
      const fits = room !== null && data.length <= room.end - room.start
      const at = fits ? room.start : append(data)
      if (fits) bytes.set(data, at)
      if (littleEndian) value.writeUInt32LE(at)
      else value.writeUInt32BE(at)
    }
    return { tag, type, count, value }
  }

  /** Writes a directory in its old place where it fits and nobody else uses a byte of it, else at the end; returns where. */
  function write(
    at: number | null,
    { end, next }: Directory,
    entries: readonly Entry[],
    used: readonly TiffRange[],
  ): number {
    const length = 2 + entries.length * 12 + 4
    const isAlone = at !== null && usersOf({ start: at, end }, used) <= 1
    const room = at === null ? 0 : end - at
    // Where the entries fill the directory there is no room for the next-pointer, and readers ignore it.
    const fits = isAlone && (length <= room || length - 4 === room)
    const place = fits ? at : append(new Uint8Array(length))
    put16(entries.length, place)
    entries.forEach(({ tag, type, count, value }, n) => {
      const start = place + 2 + n * 12
      put16(tag, start)
      put16(type, start + 2)
      put32(count, start + 4)
      bytes.set(value, start + 8)
    })
    if (!fits || length <= room) put32(next, place + length - 4)
    return place
  }

  /** Overwrites bytes that are no longer used: a position that was removed must not be found in the file. */
  function wipe(before: readonly TiffRange[]): void {
    const isUsed = new Uint8Array(bytes.length)
    for (const { start, end } of uses()) isUsed.fill(1, start, end)
    for (const { start, end } of before) {
      for (let at = start; at < end; at++) if (isUsed[at] === 0) bytes[at] = 0
    }
  }

  function directoryAt(pointer: number): number | null {
    const entry = pointerEntry(demandMain(), pointer)
    const at = entry === null ? null : number(entry.value)
    return at === null || read(at, false) === null ? null : at
  }

  const main = read(header.first, true)
  if (main === null) return null
  // A pointer that leads nowhere: nobody can tell what else is wrong.
  for (const pointer of [0x8769, 0x8825]) {
    if (pointerEntry(main, pointer) !== null && directoryAt(pointer) === null) return null
  }

  function find(pointer: number | null): { at: number | null; directory: Directory } {
    if (pointer === null) return { at: u32(4), directory: demandMain() }
    const at = directoryAt(pointer)
    const found = at === null ? null : read(at, false)
    return found === null ? { at: null, directory: { entries: [], next: 0, end: 0 } } : { at, directory: found }
  }

  function change(pointer: number | null, changes: ReadonlyMap<number, TagChange>, next?: number): void {
    const used = uses()
    const { at, directory } = find(pointer)
    const kept = directory.entries.filter(({ tag }) => !changes.has(tag))
    const rooms = new Map(directory.entries.map(entry => [entry.tag, ownRoom(entry, used)]))
    const added: Entry[] = []
    for (const [tag, wanted] of changes) {
      if (wanted !== null) added.push(entryOf(tag, wanted, rooms.get(tag) ?? null))
    }
    const place = write(at, { ...directory, next: next ?? directory.next }, placed(kept, added), used)
    if (place !== at) repoint(pointer, place)
    wipe(used)
  }

  function repoint(pointer: number | null, place: number): void {
    if (pointer === null) {
      put32(place, 4)
      return
    }
    const data = Buffer.alloc(4)
    if (littleEndian) data.writeUInt32LE(place)
    else data.writeUInt32BE(place)
    change(null, new Map([[pointer, { type: 4, count: 1, data }]]))
  }

  return {
    littleEndian,
    directoryAt,
    dropThumbnail: () => change(null, new Map(), 0),
    has: (pointer, tag) => find(pointer).directory.entries.some(one => one.tag === tag),
    change,
    bytes: () => new Uint8Array(bytes),
  }
}

/** How many uses have a byte in this range. */
function usersOf({ start, end }: TiffRange, used: readonly TiffRange[]): number {
  return used.filter(other => other.start < end && other.end > start).length
}

/** Returns the entry that points to a directory; null where there is none, or it has no values. */
function pointerEntry({ entries }: Directory, pointer: number): Entry | null {
  const entry = entries.find(({ tag }) => tag === pointer)
  return entry === undefined || entry.count === 0 || (entry.type !== 4 && entry.type !== 13) ? null : entry
}
