/** Finds the JPEG preview in raw files, which is shown in their place. */
import { indexOfBytes, startsWith, u8, u16be, u32be } from '../../metadata/binary.ts'
import { type ByteSource, partOf } from '../../metadata/byte-source.ts'
import { bytesOf, numberOf, readTiffDirectory, readTiffHeader, type TiffDirectory } from '../../metadata/tiff.ts'

export interface Preview {
  /** The JPEG; other bytes may follow its end. */
  bytes: Uint8Array
  width: number
  height: number
}

interface ByteRange {
  offset: number
  length: number
}

/** A preview with a shorter longest edge is only a thumbnail, and the file is searched for a better one. */
const minEdge = 1000
const maxPreviewBytes = 64 * 1024 * 1024

/** The largest declared preview, or a larger one that a search finds; null if none. Damage never causes errors. */
export function findPreview(source: ByteSource): Preview | null {
  const stated = largest(source, [...placesInTiff(source), ...placeInRaf(source)])
  if (stated !== null && Math.max(stated.width, stated.height) >= minEdge) return stated
  const found = largest(source, searchJpegs(source))
  if (stated === null || found === null) return stated ?? found
  return found.width * found.height > stated.width * stated.height ? found : stated
}

function largest(source: ByteSource, places: Iterable<ByteRange>): Preview | null {
  let best: (ByteRange & { width: number; height: number }) | null = null
  for (const place of places) {
    const size = jpegSize(partOf(source, place.offset, place.length))
    if (size === null || size.width * size.height <= (best === null ? 0 : best.width * best.height)) continue
    best = { ...place, ...size }
  }
  if (best === null) return null
  const { offset, length, width, height } = best
  return { bytes: source.read(offset, Math.min(length, maxPreviewBytes)), width, height }
}

const stripOffsets = 0x111
const stripLengths = 0x117
const subDirectories = 0x14a
const jpegOffset = 0x201
const jpegLength = 0x202
const panasonicJpeg = 0x2e
const exifDirectory = 0x8769
const wanted = new Set([
  stripOffsets,
  stripLengths,
  subDirectories,
  jpegOffset,
  jpegLength,
  panasonicJpeg,
  exifDirectory,
])
const maxDirectories = 40

/** All JPEGs in the directories of a TIFF structure, and possible ones (CR2 and DNG declare them as strips). */
function* placesInTiff(source: ByteSource): Generator<ByteRange> {
  const header = readTiffHeader(source)
  if (header === null) return
  const seen = new Set<number>()
  const due = [header.first]
  for (let offset = due.shift(); offset !== undefined && seen.size < maxDirectories; offset = due.shift()) {
    if (offset === 0 || seen.has(offset)) continue
    seen.add(offset)
    const directory = readTiffDirectory(source, offset, header.littleEndian, wanted)
    due.push(directory.next)
    for (const tag of [subDirectories, exifDirectory]) {
      const children = directory.values.get(tag)
      if (Array.isArray(children)) due.push(...children)
    }
    yield* placesInDirectory(source, directory)
  }
}

function* placesInDirectory(source: ByteSource, { values }: TiffDirectory): Generator<ByteRange> {
  const strips = values.get(stripOffsets)
  for (const [offsetTag, lengthTag] of [
    [jpegOffset, jpegLength],
    [stripOffsets, stripLengths],
  ] as const) {
    const offset = numberOf(values.get(offsetTag))
    const length = numberOf(values.get(lengthTag))
    // Several strips are a picture's rows, not a JPEG.
    if (offsetTag === stripOffsets && (strips?.length ?? 0) > 1) continue
    if (offset !== undefined && length !== undefined) yield { offset, length }
  }
  const inline = bytesOf(values.get(panasonicJpeg))
  if (inline !== undefined && inline.length > 4) {
    // The value itself is in the file, so searching for its bytes finds the offset.
    const offset = occurrences(source, inline.subarray(0, 64)).next().value
    if (offset !== undefined) yield { offset, length: inline.length }
  }
}

/** Fujifilm's header has the offset of a complete JPEG. */
function* placeInRaf(source: ByteSource): Generator<ByteRange> {
  const head = source.read(0, 92)
  if (startsWith(head, 'FUJIFILMCCD-RAW')) yield { offset: u32be(head, 84), length: u32be(head, 88) }
}

const searchLength = 4 * 1024 * 1024
const maxFound = 200
const startOfJpeg = Buffer.from([0xff, 0xd8, 0xff])

/** Offsets that begin like a JPEG: Olympus, Pentax, CR3, Sigma and others refer to previews in undocumented ways. */
function* searchJpegs(source: ByteSource): Generator<ByteRange> {
  let count = 0
  for (const offset of occurrences(source, startOfJpeg)) {
    yield { offset, length: source.size - offset }
    if (++count >= maxFound) return
  }
}

/** Offsets of a pattern; the file is read piece by piece. */
function* occurrences(source: ByteSource, pattern: Uint8Array): Generator<number, undefined> {
  for (let start = 0; start < source.size; start += searchLength) {
    const piece = source.read(start, searchLength + pattern.length - 1)
    for (let at = indexOfBytes(piece, pattern); at >= 0; at = indexOfBytes(piece, pattern, at + 1)) yield start + at
  }
}

/** Maximum number of segments before the frame header, more than any camera writes. */
const maxSegments = 100

/**
 * Size from the frame header of a JPEG (ITU-T T.81, B.2.2) of eight bits, baseline, extended or progressive. Null for
 * anything else, such as lossless JPEG, in which many cameras store the sensor's data.
 */
export function jpegSize(source: ByteSource): { width: number; height: number } | null {
  if (u16be(source.read(0, 2), 0) !== 0xffd8) return null
  let at = 2
  for (let count = 0; count < maxSegments; count++) {
    const segment = source.read(at, 10)
    if (segment.length < 10 || u8(segment, 0) !== 0xff) return null
    const marker = u8(segment, 1)
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const height = u16be(segment, 5)
      const width = u16be(segment, 7)
      const isSupported = marker <= 0xc2 && u8(segment, 4) === 8 && [1, 3, 4].includes(u8(segment, 9))
      return isSupported && width > 0 && height > 0 ? { width, height } : null
    }
    // Picture data before any frame, or a marker without a length.
    if (marker < 0xc0 || marker === 0xda || marker === 0xd9 || (marker >= 0xd0 && marker <= 0xd7)) return null
    at += 2 + u16be(segment, 2)
  }
  return null
}
