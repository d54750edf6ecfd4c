/** Writes metadata into PNG: the text chunk of XMP and the chunk of EXIF. Removes plain texts that contradict them. */
import { crc32 } from 'node:zlib'
import { ascii, startsWith, u32be } from '../binary.ts'
import { maxInflated, textChunk, textKeyword } from '../containers/png.ts'
import { changedExif, type FileChange } from './file-change.ts'
import { writeXmpTags } from './xmp-tags.ts'

interface Chunk {
  type: string
  /** The chunk with its header and its checksum. */
  whole: Uint8Array
  data: Uint8Array
}

const xmpKeyword = 'XML:com.adobe.xmp'

/** The chunks, and the data after the last one; null for a truncated file or one without chunks. */
function chunksOf(bytes: Uint8Array): { chunks: Chunk[]; rest: Uint8Array } | null {
  if (!startsWith(bytes, '\x89PNG\r\n\x1a\n')) return null
  const chunks: Chunk[] = []
  let at = 8
  while (at + 12 <= bytes.length && chunks.length < 200_000) {
    const length = u32be(bytes, at)
    const end = at + 12 + length
    if (end > bytes.length) return null
    const type = ascii(bytes, at + 4, 4)
    chunks.push({ type, whole: bytes.subarray(at, end), data: bytes.subarray(at + 8, at + 8 + length) })
    at = end
    if (type === 'IEND') return chunks[0]?.type === 'IHDR' ? { chunks, rest: bytes.subarray(at) } : null
  }
  return null
}

const keywordOf = ({ type, data }: Chunk) => textKeyword(type, data)

const metadataTexts = new Set([xmpKeyword, 'Description', 'Author'])

/** Everything but metadata, which a change must keep. */
export function pngPicture(bytes: Uint8Array): Uint8Array[] | null {
  const parts = chunksOf(bytes)
  if (parts === null) return null
  const kept = parts.chunks.filter(chunk => chunk.type !== 'eXIf' && !metadataTexts.has(keywordOf(chunk)))
  return [...kept.map(({ whole }) => whole), parts.rest]
}

export function pngExif(bytes: Uint8Array): Uint8Array[] {
  return chunksOf(bytes)?.chunks.flatMap(({ type, data }) => (type === 'eXIf' ? [data] : [])) ?? []
}

/** Adds EXIF to a PNG without it, before its pixels; null for a file that should not be changed. */
export function pngWithExif(bytes: Uint8Array, exif: Uint8Array): Uint8Array | null {
  const parts = chunksOf(bytes)
  const [head] = parts?.chunks ?? []
  if (parts === null || head === undefined || parts.chunks.some(({ type }) => type === 'eXIf')) return null
  const end = 8 + head.whole.length
  return new Uint8Array(Buffer.concat([bytes.subarray(0, end), chunk('eXIf', exif), bytes.subarray(end)]))
}

export function changedPng(bytes: Uint8Array, change: FileChange): Uint8Array[] | null {
  const parts = chunksOf(bytes)
  if (parts === null) return null
  const { chunks } = parts
  const packets = chunks.filter(chunk => keywordOf(chunk) === xmpKeyword)
  if (packets.length > 1) return null
  const [oldChunk] = packets
  const oldPacket = oldChunk === undefined ? null : packetOf(oldChunk)
  if (oldChunk !== undefined && oldPacket === null) return null
  const packet = writeXmpTags(oldPacket, { ...change, padding: change.reservedBytes })
  if (packet === null) return null
  // Flags and texts of iTXt: no compression, no language, no translated keyword.
  const written = chunk('iTXt', Buffer.concat([Buffer.from(`${xmpKeyword}\0\0\0\0\0`), packet]))
  const pieces = chunks.flatMap((one): Uint8Array[] => {
    if (one === oldChunk) return [written]
    if (one.type === 'IHDR' && oldChunk === undefined) return [one.whole, written]
    if (one.type === 'eXIf') {
      const data = changedExif(one.data, change)
      return [data === one.data ? one.whole : chunk('eXIf', data)]
    }
    const keyword = keywordOf(one)
    const contradicts =
      (keyword === 'Description' && change.sets.has('Description')) ||
      (keyword === 'Author' && change.sets.has('Author'))
    return contradicts ? [] : [one.whole]
  })
  return [bytes.subarray(0, 8), ...pieces, parts.rest]
}

/** The packet of an iTXt chunk, inflated if it is deflated; null for a damaged one. */
function packetOf({ type, data }: Chunk): Uint8Array | null {
  return type === 'iTXt' ? (textChunk(type, data, { bytesLeft: maxInflated })?.value ?? null) : null
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
