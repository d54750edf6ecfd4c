/** JPEG: reads EXIF, XMP, IPTC and the size from the segments before the picture data. */
import { ascii, concatBytes, startsWith, u8, u16be, u32be } from '../binary.ts'
import { type ByteSource, partOf } from '../byte-source.ts'
import { localFromSeconds } from '../dates.ts'
import { iptcOfPhotoshop } from '../iptc.ts'
import { decodeLatin } from '../text.ts'
import { addXmp, type Blocks, noBlocks } from './blocks.ts'
import { readCiff } from './ciff.ts'

export const xmpHeader = 'http://ns.adobe.com/xap/1.0/\0'
export const extendedHeader = 'http://ns.adobe.com/xmp/extension/\0'
export const photoshopHeader = 'Photoshop 3.0\0'
/** Extended XMP also contains depth maps and other data; only packets that may contain text are joined. */
const longestExtended = 2 * 1024 * 1024
/** Limit of segments: a picture has some dozens. */
const maxSegments = 10_000

interface Found {
  blocks: Blocks
  photoshop: Uint8Array[]
  extended: Extended[]
}

type Extended = ReturnType<typeof extendedChunk>

/** The part of a longer packet in an extended segment. */
export function extendedChunk(content: Uint8Array) {
  const start = extendedHeader.length
  return {
    guid: ascii(content, start, 32),
    total: u32be(content, start + 32),
    offset: u32be(content, start + 36),
    bytes: content.subarray(start + 40),
  }
}

export function jpegBlocks(source: ByteSource): Blocks {
  const found: Found = { blocks: noBlocks(), photoshop: [], extended: [] }
  let at = 2
  for (let count = 0; count < maxSegments; count++) {
    const head = source.read(at, 10)
    if (head.length < 4) {
      found.blocks.warnings.push('The JPEG ends before its picture data')
      break
    }
    // Markers from 2 to 0xbf are not in use, so the 0xff before was not the start of a marker.
    if (u8(head, 0) !== 0xff || (u8(head, 1) > 1 && u8(head, 1) < 0xc0)) {
      const next = nextMarker(source, at)
      if (next === null) break
      at = next
      continue
    }
    const marker = u8(head, 1)
    // Fill bytes, stray restart markers and a second start of image have no content.
    if (marker === 0xff || marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (marker === 0xda || marker === 0xd9) break
    const length = u16be(head, 2)
    if (length < 2) {
      found.blocks.warnings.push('A JPEG segment has an impossible length')
      at += 2
      continue
    }
    readSegment(found, marker, source, at + 4, length - 2, head)
    at += 2 + length
  }
  return finished(found)
}

/** Offset of the next possible marker after garbage between two segments; null if none is within 64 KB. */
function nextMarker(source: ByteSource, from: number): number | null {
  const following = source.read(from, 65_536)
  for (let i = 0; i + 1 < following.length; i++) {
    if (following[i] === 0xff && u8(following, i + 1) >= 0xc0 && following[i + 1] !== 0xff) return from + i
  }
  return null
}

function readSegment(
  found: Found,
  marker: number,
  source: ByteSource,
  at: number,
  length: number,
  head: Uint8Array,
): void {
  const { blocks } = found
  if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
    const height = u16be(head, 5)
    const width = u16be(head, 7)
    if (width > 0 && height > 0) {
      blocks.width ??= width
      blocks.height ??= height
    }
    return
  }
  if (marker === 0xe0 || marker === 0xec) readOldSegment(blocks, partOf(source, at, length))
  if (marker !== 0xe1 && marker !== 0xed) return
  const bytes = source.read(at, length)
  if (marker === 0xed) {
    if (startsWith(bytes, photoshopHeader)) found.photoshop.push(bytes.subarray(photoshopHeader.length))
  } else if (startsWith(bytes, 'Exif\0') && bytes.length > 14) {
    blocks.exif ??= partOf(source, at + 6, length - 6)
  } else if (startsWith(bytes, xmpHeader)) {
    addXmp(blocks, bytes.subarray(xmpHeader.length))
  } else if (startsWith(bytes, extendedHeader)) {
    found.extended.push(extendedChunk(bytes))
  }
}

/** Reads segments of Canon's and Olympus' first digital cameras, of 1996 to 2000. */
function readOldSegment(blocks: Blocks, segment: ByteSource): void {
  const ciff = readCiff(segment)
  if (ciff !== null) {
    blocks.date ??= ciff.date
    blocks.camera ??= ciff.camera
    return
  }
  const start = segment.read(0, 14)
  if (!startsWith(start, '[picture info]') && !startsWith(start, 'OLYMPUS')) return
  const seconds = /TimeDate=(\d{8,10})/.exec(decodeLatin(segment.read(0, segment.size)))?.[1]
  const local = seconds === undefined ? null : localFromSeconds(Number(seconds))
  if (local !== null) blocks.date ??= { local, offset: null, source: 'exif-original' }
}

function finished({ blocks, photoshop, extended }: Found): Blocks {
  // Resource blocks that are too long for one segment continue in the next.
  const iptc = photoshop.length > 0 ? iptcOfPhotoshop(concatBytes(photoshop)) : null
  if (iptc !== null) blocks.iptc = iptc
  const more = joinExtended(extended)
  if (more !== null) addXmp(blocks, more)
  return blocks
}

/** The chunks of the first extended packet in order; null if some are missing or it is too long for text. */
function joinExtended(chunks: Extended[]): Uint8Array | null {
  const first = chunks[0]
  if (first === undefined || first.total > longestExtended) return null
  const parts = chunks.filter(({ guid }) => guid === first.guid).sort((a, b) => a.offset - b.offset)
  let length = 0
  for (const chunk of parts) {
    if (chunk.offset !== length) return null
    length += chunk.bytes.length
  }
  return length === first.total ? concatBytes(parts.map(({ bytes }) => bytes)) : null
}
