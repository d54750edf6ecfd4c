/** Decodes Windows and OS/2 bitmaps, which sharp does not read. */
import { i32le, u8, u16le, u32le } from '../../metadata/binary.ts'
import type { Pixels } from '../decode/fingerprints.ts'
import { MediaProblem } from '../media-problem.ts'

/** Bitmaps are decoded as a whole, into memory, and one of few bytes can claim any size. */
const mostPixels = 50_000_000

const uncompressed = 0
const runs8 = 1
const runs4 = 2
const bitFields = 3
const alphaBitFields = 6

/** The picture as upright pixels. Rows that are missing at the end of the file stay black. Throws MediaProblem. */
export function decodeBmp(bytes: Uint8Array): Pixels {
  const header = readHeader(bytes)
  const { width, height, compression } = header
  if (compression === runs8 || compression === runs4) return paint(header, unpackRuns(bytes, header), width, 8)
  const stride = Math.ceil((width * header.bits) / 32) * 4
  if (bytes.length < header.start + stride)
    throw new MediaProblem('undecodable', 'The bitmap ends before its first row')
  if (height > 1 && bytes.length - header.start < (stride * height) / 100) {
    throw new MediaProblem('undecodable', 'Nearly all of the bitmap is missing')
  }
  return paint(header, bytes.subarray(header.start), stride, header.bits)
}

type Header = ReturnType<typeof readHeader>

function readHeader(bytes: Uint8Array) {
  const size = u32le(bytes, 14)
  const isOld = size === 12
  const width = isOld ? u16le(bytes, 18) : i32le(bytes, 18)
  const signedHeight = isOld ? u16le(bytes, 20) : i32le(bytes, 22)
  const bits = isOld ? u16le(bytes, 24) : u16le(bytes, 28)
  const compression = isOld ? uncompressed : u32le(bytes, 30)
  const height = Math.abs(signedHeight)
  const isRuns = (compression === runs8 && bits === 8) || (compression === runs4 && bits === 4)
  const isFields = (compression === bitFields || compression === alphaBitFields) && (bits === 16 || bits === 32)
  if (!(isRuns || isFields || (compression === uncompressed && [1, 2, 4, 8, 16, 24, 32].includes(bits)))) {
    throw new MediaProblem('unsupported', `Bitmaps of compression ${compression} with ${bits} bits are not decoded`)
  }
  if (!(width > 0 && height > 0)) throw new MediaProblem('undecodable', 'The bitmap has no size')
  if (width * height > mostPixels) {
    throw new MediaProblem('too-large', `${width} × ${height} pixels are too many`)
  }
  // Red, green, blue, alpha; alpha is 0 where there is none. Masks follow the first 40 bytes of the header, whether they count as part of it or not.
  const mask = (index: number) => u32le(bytes, 54 + index * 4)
  const masks: [number, number, number, number] = isFields
    ? [mask(0), mask(1), mask(2), size >= 56 || compression === alphaBitFields ? mask(3) : 0]
    : bits === 16
      ? [0x7c00, 0x3e0, 0x1f, 0]
      : [0xff0000, 0xff00, 0xff, 0]
  const paletteAt = 14 + size + (size === 40 && isFields ? (compression === alphaBitFields ? 16 : 12) : 0)
  return {
    width,
    height,
    topDown: !isOld && signedHeight < 0,
    bits,
    compression,
    start: u32le(bytes, 10),
    masks,
    palette: bytes.subarray(paletteAt),
    paletteStep: isOld ? 3 : 4,
  }
}

/** Rows of `bits` bits a pixel, as stored, into colours. */
function paint(header: Header, rows: Uint8Array, stride: number, bits: number): Pixels {
  const { width, height, topDown, masks } = header
  const channels = masks[3] === 0 || bits < 16 ? 3 : 4
  const data = new Uint8Array(width * height * channels)
  const take = bits <= 8 ? indexed(header, bits) : bits === 24 ? takeBgr : byMasks(masks, bits, channels)
  for (let row = 0; row < height; row++) {
    const from = row * stride
    if (from >= rows.length) break
    let to = (topDown ? row : height - 1 - row) * width * channels
    for (let x = 0; x < width; x++, to += channels) take(rows, from, x, data, to)
  }
  return { data, width, height, channels }
}

type Take = (rows: Uint8Array, from: number, x: number, data: Uint8Array, to: number) => void

function takeBgr(rows: Uint8Array, from: number, x: number, data: Uint8Array, to: number) {
  const at = from + x * 3
  data[to] = u8(rows, at + 2)
  data[to + 1] = u8(rows, at + 1)
  data[to + 2] = u8(rows, at)
}

function indexed({ palette, paletteStep }: Header, bits: number): Take {
  const perByte = 8 / bits
  const mask = (1 << bits) - 1
  return (rows, from, x, data, to) => {
    const byte = u8(rows, from + Math.floor(x / perByte))
    const at = ((byte >> (8 - bits - (x % perByte) * bits)) & mask) * paletteStep
    data[to] = u8(palette, at + 2)
    data[to + 1] = u8(palette, at + 1)
    data[to + 2] = u8(palette, at)
  }
}

function byMasks(masks: Header['masks'], bits: number, channels: 3 | 4): Take {
  const fields = masks.slice(0, channels).map(mask => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
    return { mask, shift, most: Math.max(1, mask >>> shift) }
  })
  return (rows, from, x, data, to) => {
    const value = bits === 16 ? u16le(rows, from + x * 2) : u32le(rows, from + x * 4)
    fields.forEach(({ mask, shift, most }, channel) => {
      data[to + channel] = Math.round((((value & mask) >>> shift) * 255) / most)
    })
  }
}

/** RLE4 and RLE8 into a byte a pixel, rows from the bottom up. */
function unpackRuns(bytes: Uint8Array, { width, height, start, compression }: Header): Uint8Array {
  const out = new Uint8Array(width * height)
  const isFour = compression === runs4
  let x = 0
  let y = 0
  const put = (index: number) => {
    if (x < width && y < height) out[y * width + x] = index
    x++
  }
  for (let at = start; at + 1 < bytes.length && y < height; ) {
    const count = u8(bytes, at)
    const value = u8(bytes, at + 1)
    at += 2
    if (count > 0) {
      for (let i = 0; i < count; i++) put(isFour ? (i % 2 === 0 ? value >> 4 : value & 15) : value)
    } else if (value === 0) {
      x = 0
      y++
    } else if (value === 1) break
    else if (value === 2) {
      x += u8(bytes, at)
      y += u8(bytes, at + 1)
      at += 2
    } else {
      for (let i = 0; i < value; i++) {
        const byte = u8(bytes, at + (isFour ? i >> 1 : i))
        put(isFour ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte)
      }
      // Literal runs are padded to two bytes.
      at += (((isFour ? (value + 1) >> 1 : value) + 1) >> 1) << 1
    }
  }
  // `paint` reads a palette's index from each byte; four-bit ones fit as well.
  return out
}
