/** Creates EXIF in unusual layouts (shared, overlapping, unordered, at odd offsets), and reads it without our own code. */
import { UnsafeWrite } from '../../core/metadata/write/file-change.ts'
import { changedPictureFile } from '../../core/metadata/write/picture-file.ts'
import type { WantedTags, WrittenSet } from '../../core/metadata/write/written-tags.ts'
import { jpeg, segment } from '../core/metadata/build.ts'
import { noTags } from './no-tags.ts'

/** Numbers that look random and are the same each time (mulberry32). */
export function randomNumbers(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return { below: (n: number) => Math.floor(next() * n), chance: (share: number) => next() < share }
}
type Random = ReturnType<typeof randomNumbers>

interface Entry {
  tag: number
  type: number
  count: number
  data: Buffer
  /** The offset that the entry stores, known once everything is placed; by default the offset of `data`. */
  offset?: () => number
}

interface Directory {
  entries: Entry[]
  at: number
  /** The pointer to the next directory is missing after the entries: some writers leave it out. */
  hasNoNext: boolean
}

const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

/** A whole JPEG whose EXIF has one of many layouts. */
function oddJpeg(random: Random): Uint8Array {
  return jpeg({ width: 64, height: 48 }, segment(0xe1, 'Exif\0\0', oddTiff(random)))
}

function oddTiff(random: Random): Buffer {
  const isLittle = random.chance(0.6)
  const u16 = (value: number) => {
    const two = Buffer.alloc(2)
    if (isLittle) two.writeUInt16LE(value)
    else two.writeUInt16BE(value)
    return two
  }
  const u32 = (value: number) => {
    const four = Buffer.alloc(4)
    if (isLittle) four.writeUInt32LE(value >>> 0)
    else four.writeUInt32BE(value >>> 0)
    return four
  }
  const text = (tag: number, value: string): Entry => {
    const data = Buffer.from(`${value}\0`)
    return { tag, type: 2, count: data.length, data }
  }
  const short = (tag: number, value: number): Entry => ({ tag, type: 3, count: 1, data: u16(value) })
  const ratios = (tag: number, ...values: number[]): Entry => ({
    tag,
    type: 5,
    count: values.length / 2,
    data: Buffer.concat(values.map(u32)),
  })
  const raw = (tag: number, data: Buffer): Entry => ({ tag, type: 7, count: data.length, data })
  const some = (entries: Entry[]) => entries.filter(() => random.chance(0.75))
  const date = '2001:02:03 04:05:06'

  const main = some([
    text(0x10e, random.chance(0.3) ? 'x' : 'A description of some length'),
    text(0x10f, 'Maker of cameras'),
    text(0x110, 'Model 1'),
    short(0x112, 1 + random.below(8)),
    text(0x131, 'Software 1.0'),
    text(0x132, date),
    text(0x13b, 'Somebody'),
    short(0x4746, 3),
    text(0x8298, 'Rights of somebody'),
  ])
  const exif = some([
    ratios(0x829a, 1, 109),
    ratios(0x829d, 28, 10),
    short(0x8827, 200),
    text(0x9003, date),
    text(0x9004, date),
    text(0x9291, '77'),
    ratios(0x920a, 350, 10),
    raw(0x927c, Buffer.from(`Note of nobody ${'\x01\x02'.repeat(random.below(20))}`)),
    raw(0x9286, Buffer.from('ASCII\0\0\0A comment')),
    text(0xa434, 'A lens'),
  ])
  const gps = some([
    { tag: 0, type: 1, count: 4, data: Buffer.from([2, 3, 0, 0]) },
    text(1, 'N'),
    ratios(2, 48, 1, 8, 1, 30, 1),
    text(3, 'E'),
    ratios(4, 11, 1, 34, 1, 12, 1),
    ratios(6, 520, 1),
    ratios(7, 10, 1, 11, 1, 12, 1),
    ratios(17, 123, 1),
    text(29, '2001:02:03'),
  ])
  const thumbnailEntries = [short(0x103, 6), ratios(0x11a, 72, 1)]
  const interop = [text(1, 'R98'), raw(2, Buffer.from('0100'))]
  const thumbnail = Buffer.from(`\xff\xd8thumbnail ${'z'.repeat(random.below(60))}\xff\xd9`, 'latin1')

  let bytes: Buffer = Buffer.concat([Buffer.from(isLittle ? 'II' : 'MM'), u16(42), u32(8)])
  const shared = new Map<string, number>()
  // Equal values are often stored only once.
  const store = (data: Buffer): number => {
    const known = shared.get(data.toString('latin1'))
    if (known !== undefined && random.chance(0.6)) return known
    // A value may lie within bytes that are stored already.
    const inside = random.chance(0.2) ? bytes.indexOf(data, 8) : -1
    if (inside >= 0) return inside
    const gap = random.chance(0.3) ? random.below(7) : 0
    const at = bytes.length + gap
    bytes = Buffer.concat([bytes, Buffer.alloc(gap, random.chance(0.5) ? 0 : 0x55), data])
    shared.set(data.toString('latin1'), at)
    return at
  }
  const reserve = (length: number): number => {
    const at = bytes.length
    bytes = Buffer.concat([bytes, Buffer.alloc(length)])
    return at
  }

  const directory = (entries: Entry[], hasNoNext: boolean): Directory => {
    const sorted = entries.sort((one, other) => one.tag - other.tag)
    return { entries: random.chance(0.25) ? sorted.reverse() : sorted, at: 0, hasNoNext }
  }
  const pointer = (tag: number, to: () => number, count = 1): Entry => ({
    tag,
    type: 4,
    count,
    data: u32(0),
    offset: to,
  })
  const thumbnailPlace = { at: 0 }
  const interopDirectory = directory(interop, random.chance(0.5))
  const gpsDirectory = directory(gps, random.chance(0.5))
  if (random.chance(0.3)) {
    const isShared = random.chance(0.2)
    exif.push(pointer(0xa005, () => (isShared ? gpsDirectory : interopDirectory).at))
  }
  const exifDirectory = directory(exif, random.chance(0.5))
  thumbnailEntries.push(pointer(0x201, () => thumbnailPlace.at))
  thumbnailEntries.push({ tag: 0x202, type: 4, count: 1, data: u32(thumbnail.length) })
  const thumbnailDirectory = directory(thumbnailEntries, false)
  if (random.chance(0.9)) main.push(pointer(0x8769, () => exifDirectory.at))
  const gpsCase = random.below(6)
  // 1: a pointer without a value, as a program of 2012 wrote it. 2: a second pointer to the EXIF directory.
  if (gpsCase === 1) main.push(pointer(0x8825, () => exifDirectory.at, 0))
  if (gpsCase === 2) main.push(pointer(0x8825, () => exifDirectory.at))
  if (gpsCase > 2) main.push(pointer(0x8825, () => gpsDirectory.at))
  // A value that starts where the GPS directory starts.
  if (random.chance(0.1)) main.push({ ...raw(0xea1c, Buffer.alloc(30)), offset: () => gpsDirectory.at })
  const mainDirectory = directory(main, false)

  const places = new Map<Entry, number>()
  const directories = [exifDirectory, gpsDirectory, interopDirectory, thumbnailDirectory]
  directories.splice(random.below(directories.length + 1), 0, mainDirectory)
  if (random.chance(0.5)) directories.reverse()
  for (const one of directories) {
    one.at = reserve(2 + one.entries.length * 12 + (one.hasNoNext ? 0 : 4))
    for (const entry of one.entries) if (entry.data.length > 4) places.set(entry, store(entry.data))
  }
  thumbnailPlace.at = store(thumbnail)
  const next = random.chance(0.5) ? thumbnailDirectory.at : 0
  for (const { entries, at, hasNoNext } of directories) {
    const rows = entries.map(entry => {
      const { tag, type, count, data } = entry
      const place = entry.offset?.() ?? places.get(entry)
      const value = place === undefined ? Buffer.concat([data, Buffer.alloc(4 - data.length)]) : u32(place)
      return Buffer.concat([u16(tag), u16(type), u32(count), value])
    })
    const tail = hasNoNext ? [] : [u32(at === mainDirectory.at ? next : 0)]
    Buffer.concat([u16(entries.length), ...rows, ...tail]).copy(bytes, at)
  }
  u32(mainDirectory.at).copy(bytes, 4)
  return bytes
}

/** The bytes of every readable value by its directory and tag, read by a minimal parser. */
function readFields(file: Uint8Array): Map<string, string> {
  const whole = Buffer.from(file)
  const tiff = whole.subarray(whole.indexOf('Exif\0\0') + 6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const end = whole.readUInt16BE(whole.indexOf('Exif\0\0') - 2) - 8
  const found = new Map<string, string>()
  function directory(at: number, path: string, hasNext: boolean): number {
    const count = u16(at)
    const numbers = new Map<number, number>()
    for (let n = 0; n < count; n++) {
      const place = at + 2 + n * 12
      const [tag, type, values] = [u16(place), u16(place + 2), u32(place + 4)]
      const length = (sizes[type] ?? 0) * values
      const start = length <= 4 ? place + 8 : u32(place + 8)
      const isPointer = [0x8769, 0x8825, 0xa005].includes(tag) && values > 0
      if (isPointer && path.length < 20) directory(u32(place + 8), `${path}/${tag.toString(16)}`, false)
      if (values === 1 && type === 4) numbers.set(tag, u32(place + 8))
      if (isPointer || start + length > end) continue
      found.set(`${path}:${tag.toString(16)}`, `${type} ${tiff.toString('latin1', start, start + length)}`)
    }
    const [thumbnail, length] = [numbers.get(0x201), numbers.get(0x202)]
    if (thumbnail !== undefined && length !== undefined)
      found.set(`${path}:thumbnail`, tiff.toString('latin1', thumbnail, thumbnail + length))
    return hasNext ? u32(at + 2 + count * 12) : 0
  }
  const next = directory(u32(4), '0', true)
  if (next !== 0) directory(next, '1', true)
  return found
}

const everything: WantedTags = {
  ...noTags,
  date: { local: '2019-08-01 14:22:33', offset: 330 },
  description: 'Another description, longer than the one that was there before',
  author: ['Anybody'],
  position: { latitude: -33.856789123, longitude: 151.215296001 },
  rating: 4,
}
/** Sets that EXIF has tags for, with the fields (as `readFields` calls them) that each may change. */
const fieldsOfSets = {
  Description: /^0:10e$/,
  Author: /^0:(13b|9c9d)$/,
  Rating: /^0:(4746|4749)$/,
  DateTimeOriginal: /^0\/8769:(9003|9011|9291)$/,
  Locations: /^0(:8825|\/8825:[0-6])$/,
} as const satisfies Partial<Record<WrittenSet, RegExp>>
type ExifSet = keyof typeof fieldsOfSets

const exifSets = ['Description', 'Author', 'Rating', 'DateTimeOriginal', 'Locations'] as const satisfies ExifSet[]

export interface OddWrite {
  before: Uint8Array
  /** Null where the writer refused, because something would be lost. */
  after: Uint8Array | null
  sets: ExifSet[]
}

/** Writes some sets into a picture with odd EXIF, or removes them. */
export function writeOddPicture(random: Random): OddWrite {
  const before = oddJpeg(random)
  const sets = exifSets.filter(() => random.chance(0.5))
  if (sets.length === 0) sets.push('Locations')
  const wanted = random.chance(0.3) ? noTags : everything
  const picture = { width: 64, height: 48, orientation: 1 }
  try {
    return { before, sets, after: changedPictureFile(before, { wanted, sets: new Set(sets), picture, complete: [] }) }
  } catch (error) {
    if (!(error instanceof UnsafeWrite)) throw error
    return { before, sets, after: null }
  }
}

/** Fields that changed although none of the written sets may change them. */
export function lostFields({ before, after, sets }: OddWrite): string[] {
  if (after === null) return []
  const [was, is] = [readFields(before), readFields(after)]
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    key => was.get(key) !== is.get(key) && !sets.some(set => fieldsOfSets[set].test(key)),
  )
}
