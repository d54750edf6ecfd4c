/** A hash of the picture data, unchanged when other software writes tags into the file. */
import { ascii, u8, u16be, u32be } from '../../metadata/binary.ts'
import type { ByteSource } from '../../metadata/byte-source.ts'
import { containerKind } from '../../metadata/container-kind.ts'
import { boxesIn } from '../../metadata/containers/boxes.ts'
import { heifPictureParts } from '../../metadata/containers/heif.ts'

interface Part {
  offset: number
  length: number
}

/** Up to this size all bytes are hashed; above it, samples. */
const wholeUpTo = 32 * 1024 * 1024
const sampleLength = 64 * 1024
const sampleCount = 32
/** Maximum number of parts: a picture of 200 megapixels in chunks of 8 KB. */
const maxParts = 200_000

/**
 * A whole number of 53 bits from the picture data of a JPEG, PNG, HEIF or AVIF file, or from the samples of an MP4 or
 * QuickTime film; 0 if the file has none, and for every other format. Equal numbers are a strong hint, not a proof.
 */
export function pictureHashOf(source: ByteSource): number {
  const parts = partsOf(source)
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  if (total === 0) return 0
  let hash = BigInt(total)
  for (const { offset, length } of total <= wholeUpTo ? parts : samplesOf(parts, total))
    hash = Bun.hash.xxHash64(source.read(offset, length), hash)
  return Number(BigInt.asUintN(53, hash)) || 1
}

function partsOf(source: ByteSource): Part[] {
  switch (containerKind(source)) {
    case 'jpeg':
      return jpegParts(source)
    case 'png':
      return pngParts(source)
    case 'heif':
      return heifPictureParts(source)
    case 'mp4':
      return filmParts(source)
    default:
      return []
  }
}

/** Everything from the first scan on, and the segments before it except those of applications and comments. */
function jpegParts(source: ByteSource): Part[] {
  const parts: Part[] = []
  for (let at = 2; parts.length < maxParts; ) {
    const head = source.read(at, 4)
    const marker = u8(head, 1)
    if (head.length < 4 || u8(head, 0) !== 0xff) return []
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xda) return [...parts, { offset: at, length: source.size - at }]
    const length = 2 + u16be(head, 2)
    const isMetadata = (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
    if (!isMetadata) parts.push({ offset: at, length })
    at += length
  }
  return []
}

const pictureChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'acTL', 'fcTL', 'fdAT'])

function pngParts(source: ByteSource): Part[] {
  const parts: Part[] = []
  for (let at = 8; parts.length < maxParts; ) {
    const head = source.read(at, 8)
    const type = ascii(head, 4, 4)
    if (head.length < 8 || type === 'IEND') break
    const length = u32be(head, 0)
    if (pictureChunks.has(type)) parts.push({ offset: at + 8, length })
    at += 12 + length
  }
  return parts
}

function filmParts(source: ByteSource): Part[] {
  return [...boxesIn(source, 0, source.size)]
    .filter(({ type }) => type === 'mdat')
    .map(({ start, end }) => ({ offset: start, length: end - start }))
}

/** Samples at even distances, the first at the beginning and the last at the end; each within one part. */
function samplesOf(parts: readonly Part[], total: number): Part[] {
  const samples: Part[] = []
  let before = 0
  let part = 0
  for (let n = 0; n < sampleCount; n++) {
    const at = Math.floor(((total - sampleLength) * n) / (sampleCount - 1))
    for (let here = parts[part]; here !== undefined && before + here.length <= at; here = parts[++part])
      before += here.length
    const here = parts[part]
    if (here === undefined) break
    samples.push({
      offset: here.offset + at - before,
      length: Math.min(sampleLength, here.length - (at - before)),
    })
  }
  return samples
}
