/**
 * Changes tags of a TIFF structure without moving anything that is in it: maker notes and thumbnails are found by offsets
 * that nobody but their makers knows. What needs more room is put at the end.
 */

import { memorySource } from '../byte-source.ts'
import { readTiffHeader } from '../tiff.ts'

/** A value as it is written; null removes the tag. */
export type TagChange = { type: number; count: number; data: Uint8Array } | null

export interface TiffEditor {
  littleEndian: boolean
  /** Offset of the directory that a tag of the first one points to; null without such a tag. */
  directoryAt(pointer: number): number | null
  /** Does the directory have the tag? */
  has(directory: number, tag: number): boolean
  /** The first directory. */
  first(): number
  /** Changes a directory that is the first one, or that a tag of the first one points to (then `pointer` is that tag). */
  change(pointer: number | null, changes: ReadonlyMap<number, TagChange>): void
  /** Takes away the directory behind the first one, and the small picture that it leads to. */
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
  next: number
  end: number
}

const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

const isSound = ({ type }: Entry) => type > 0 && type < typeSizes.length

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

  function read(at: number): Directory | null {
    if (at < 8 || at + 2 > bytes.length) return null
    const count = u16(at)
    const end = at + 2 + count * 12 + 4
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
    return { entries, next: u32(end - 4), end }
  }

  function demand(at: number): Directory {
    const directory = read(at)
    if (directory === null) throw new Error('a directory of a TIFF structure went away')
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

  /** Where a value lies that does not fit its entry; null for one that does. */
  function rangeOf({ type, count, value }: Entry): { at: number; length: number } | null {
    const length = (typeSizes[type] ?? 0) * count
    return length <= 4 ? null : { at: number(value), length }
  }

  /** The room of an entry's value, if nobody else has a share in it: some writers keep equal dates only once. */
  function ownRoom(entry: Entry): { at: number; length: number } | null {
    const room = rangeOf(entry)
    if (room === null || room.at < 8 || room.at + room.length > bytes.length) return null
    const main = demand(u32(4))
    const others = [u32(4), main.next, directoryAt(0x8769), directoryAt(0x8825)].flatMap(at =>
      at === null ? [] : (read(at)?.entries ?? []),
    )
    const sharing = others.filter(other => {
      const range = rangeOf(other)
      return range !== null && range.at < room.at + room.length && range.at + range.length > room.at
    })
    return sharing.length <= 1 ? room : null
  }

  function entryOf(tag: number, change: NonNullable<TagChange>, room: { at: number; length: number } | null): Entry {
    const value = Buffer.alloc(4)
    const { type, count, data } = change
    if (data.length <= 4) value.set(data)
    else {
      const fits = room !== null && data.length <= room.length
      const at = fits ? room.at : append(data)
      if (fits) bytes.set(data, at)
      if (littleEndian) value.writeUInt32LE(at)
      else value.writeUInt32BE(at)
    }
    return { tag, type, count, value }
  }

  /** Writes a directory in its old place where it fits, else at the end; answers where. */
  function write(at: number | null, directory: Directory): number {
    const { entries, next } = directory
    const length = 2 + entries.length * 12 + 4
    const fits = at !== null && at + length <= directory.end
    const place = fits ? at : append(new Uint8Array(length))
    put16(entries.length, place)
    entries.forEach(({ tag, type, count, value }, n) => {
      const start = place + 2 + n * 12
      put16(tag, start)
      put16(type, start + 2)
      put32(count, start + 4)
      bytes.set(value, start + 8)
    })
    put32(next, place + length - 4)
    // What is left of a longer or another directory shall not tell what it said.
    if (fits) bytes.fill(0, place + length, directory.end)
    else if (at !== null) bytes.fill(0, at, directory.end)
    return place
  }

  function numberIn(directory: Directory, tag: number): number | null {
    const entry = directory.entries.find(one => one.tag === tag)
    return entry === undefined || entry.type !== 4 ? null : number(entry.value)
  }

  function directoryAt(pointer: number): number | null {
    const at = numberIn(demand(u32(4)), pointer)
    return at === null || read(at) === null ? null : at
  }

  const main = read(header.first)
  if (main === null) return null
  // A pointer that leads nowhere: nobody can tell what else is wrong.
  for (const pointer of [0x8769, 0x8825]) {
    if (main.entries.some(({ tag }) => tag === pointer) && directoryAt(pointer) === null) return null
  }

  function change(pointer: number | null, changes: ReadonlyMap<number, TagChange>): void {
    const at = pointer === null ? u32(4) : directoryAt(pointer)
    const before = at === null ? { entries: [], next: 0, end: 0 } : demand(at)
    const entries = before.entries.filter(({ tag }) => !changes.has(tag))
    const added: Entry[] = []
    const rooms = new Map(
      before.entries.filter(({ tag }) => changes.has(tag)).map(entry => [entry.tag, ownRoom(entry)]),
    )
    // Old words are wiped out: whoever took away a position does not want it found.
    for (const room of rooms.values()) if (room !== null) bytes.fill(0, room.at, room.at + room.length)
    for (const [tag, wanted] of changes) {
      if (wanted !== null) added.push(entryOf(tag, wanted, rooms.get(tag) ?? null))
    }
    const place = write(at, { ...before, entries: placed(entries, added) })
    if (place === at) return
    if (pointer === null) {
      put32(place, 4)
      return
    }
    const data = Buffer.alloc(4)
    if (littleEndian) data.writeUInt32LE(place)
    else data.writeUInt32BE(place)
    change(null, new Map([[pointer, { type: 4, count: 1, data }]]))
  }

  function dropThumbnail(): void {
    const { next, end } = demand(u32(4))
    const directory = next === 0 ? null : read(next)
    put32(0, end - 4)
    if (directory === null) return
    const at = numberIn(directory, 0x201)
    const length = numberIn(directory, 0x202)
    if (at !== null && length !== null && at >= 8 && at + length <= bytes.length) bytes.fill(0, at, at + length)
    bytes.fill(0, next, directory.end)
  }

  return {
    littleEndian,
    directoryAt,
    dropThumbnail,
    has: (directory, tag) => demand(directory).entries.some(one => one.tag === tag),
    first: () => u32(4),
    change,
    bytes: () => new Uint8Array(bytes),
  }
}
