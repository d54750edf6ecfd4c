/** Writes metadata into WebP: its XMP and EXIF chunks, and their flags in the header. */
import { ascii, startsWith, u8, u32le } from '../binary.ts'
import { webpSize } from '../containers/riff.ts'
import { changedExif, type FileChange } from './file-change.ts'
import { writeXmpTags } from './xmp-tags.ts'

interface Chunk {
  type: string
  /** The chunk with its header, and the byte that makes its length even. */
  whole: Uint8Array
  data: Uint8Array
}

const hasXmp = 0x04
const hasExif = 0x08
const hasAlpha = 0x10

function chunksOf(bytes: Uint8Array): { chunks: Chunk[]; rest: Uint8Array } | null {
  if (!startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return null
  const whole = u32le(bytes, 4) + 8
  if (whole > bytes.length) return null
  const chunks: Chunk[] = []
  let at = 12
  while (at < whole) {
    const length = u32le(bytes, at + 4)
    const end = at + 8 + length + (length % 2)
    if (at + 8 > whole || end > whole) return null
    chunks.push({
      type: ascii(bytes, at, 4),
      whole: bytes.subarray(at, end),
      data: bytes.subarray(at + 8, at + 8 + length),
    })
    at = end
  }
  return chunks.length === 0 ? null : { chunks, rest: bytes.subarray(whole) }
}

const metadataChunks = new Set(['XMP ', 'EXIF', 'VP8X'])

/** Everything but metadata, which a change must keep. In the header, only the flags for metadata may change. */
export function webpPicture(bytes: Uint8Array): Uint8Array[] | null {
  const parts = chunksOf(bytes)
  if (parts === null) return null
  const kept = parts.chunks.filter(({ type }) => !metadataChunks.has(type))
  const header = parts.chunks.find(({ type }) => type === 'VP8X')?.data ?? headerOf(parts.chunks)
  if (header === null) return null
  const shape = Buffer.from(header)
  shape[0] = u8(shape, 0) & ~(hasXmp | hasExif)
  return [shape, ...kept.map(({ whole }) => whole), parts.rest]
}

export function webpExif(bytes: Uint8Array): Uint8Array[] {
  return chunksOf(bytes)?.chunks.flatMap(({ type, data }) => (type === 'EXIF' ? [data] : [])) ?? []
}

/** Adds EXIF to a WebP without it; null for a file that should not be changed. */
export function webpWithExif(bytes: Uint8Array, exif: Uint8Array): Uint8Array | null {
  const parts = chunksOf(bytes)
  if (parts === null || parts.chunks.some(({ type }) => type === 'EXIF')) return null
  const header = headerWithFlag(parts.chunks, hasExif)
  if (header === null) return null
  const kept = parts.chunks.filter(({ type }) => type !== 'VP8X')
  const [packet] = kept.filter(({ type }) => type === 'XMP ')
  const before = kept.filter(one => one !== packet).map(({ whole }) => whole)
  const after = packet === undefined ? [] : [packet.whole]
  const body = [chunk('VP8X', header), ...before, chunk('EXIF', exif), ...after]
  return new Uint8Array(Buffer.concat([riffHead(body), ...body, parts.rest]))
}

/** The header with one more flag; null if the file cannot have one. */
function headerWithFlag(chunks: readonly Chunk[], flag: number): Buffer | null {
  const header = Buffer.from(chunks.find(({ type }) => type === 'VP8X')?.data ?? headerOf(chunks) ?? [])
  if (header.length < 10) return null
  header[0] = u8(header, 0) | flag
  return header
}

function riffHead(body: readonly Uint8Array[]): Buffer {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + body.reduce((sum, { length }) => sum + length, 0), 4)
  return head
}

export function changedWebp(bytes: Uint8Array, change: FileChange): Uint8Array[] | null {
  const parts = chunksOf(bytes)
  if (parts === null) return null
  const { chunks } = parts
  const packets = chunks.filter(({ type }) => type === 'XMP ')
  if (packets.length > 1) return null
  const packet = writeXmpTags(packets[0]?.data ?? null, { ...change, padding: change.reservedBytes })
  const header = headerWithFlag(chunks, hasXmp)
  if (packet === null || header === null) return null
  const inside = chunks
    .filter(({ type }) => type !== 'VP8X' && type !== 'XMP ')
    .map(one => {
      const data = one.type === 'EXIF' ? changedExif(one.data, change) : one.data
      return data === one.data ? one.whole : chunk('EXIF', data)
    })
  const body = [chunk('VP8X', header), ...inside, chunk('XMP ', packet)]
  return [riffHead(body), ...body, parts.rest]
}

/** The header that a simple file lacks: flags, and width and height minus one, three bytes each. */
function headerOf([first]: readonly Chunk[]): Uint8Array | null {
  const { width, height } = first === undefined ? {} : webpSize(first.type, first.data)
  if (first === undefined || width === undefined || height === undefined) return null
  const header = Buffer.alloc(10)
  if (first.type === 'VP8L' && (u8(first.data, 4) & 0x10) !== 0) header[0] = hasAlpha
  header.writeUIntLE(width - 1, 4, 3)
  header.writeUIntLE(height - 1, 7, 3)
  return header
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
