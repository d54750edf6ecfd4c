/** WebP: the chunks of its RIFF container. */
import { ascii, startsWith, u8, u16le, u24be, u24le, u32le } from '../binary.ts'
import { type ByteSource, partOf } from '../byte-source.ts'
import { addXmp, type Blocks, noBlocks } from './blocks.ts'

export interface RiffChunk {
  type: string
  /** Offset and length of the content. */
  start: number
  length: number
}

/** The chunks between two offsets. A chunk that exceeds the end is cut. */
export function* riffChunks(source: ByteSource, from: number, to: number): Generator<RiffChunk> {
  let at = from
  while (at + 8 <= to) {
    const head = source.read(at, 8)
    if (head.length < 8) return
    const length = u32le(head, 4)
    const start = at + 8
    yield { type: ascii(head, 0, 4), start, length: Math.min(length, Math.max(0, to - start)) }
    at = start + length + (length % 2)
  }
}

export function webpBlocks(source: ByteSource): Blocks {
  const blocks = noBlocks()
  const declared = u32le(source.read(4, 4), 0) + 8
  if (declared > source.size + 1) blocks.warnings.push('The WebP ends before its declared length')
  let count = 0
  for (const { type, start, length } of riffChunks(source, 12, source.size)) {
    // Animations have one chunk per frame; no real file has more than this.
    if (++count > 100_000) break
    if (type === 'EXIF') {
      const prefix = startsWith(source.read(start, 6), 'Exif\0\0') ? 6 : 0
      blocks.exif ??= partOf(source, start + prefix, length - prefix)
    } else if (type === 'XMP ') addXmp(blocks, source.read(start, Math.min(length, 16 * 1024 * 1024)))
    else if (blocks.width === undefined) Object.assign(blocks, webpSize(type, source.read(start, 10)))
  }
  return blocks
}

/** The size of the picture from a chunk that has it; empty for other chunks. */
export function webpSize(type: string, bytes: Uint8Array): { width?: number; height?: number } {
  if (type === 'VP8X') return { width: u24le(bytes, 4) + 1, height: u24le(bytes, 7) + 1 }
  if (type === 'VP8 ' && u24be(bytes, 3) === 0x9d012a) {
    return { width: u16le(bytes, 6) & 0x3fff, height: u16le(bytes, 8) & 0x3fff }
  }
  if (type === 'VP8L' && u8(bytes, 0) === 0x2f) {
    const bits = u32le(bytes, 1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return {}
}
