/** JPEG XL: reads the boxes of its container, and size and orientation from the first bits of the picture. */
import { brotliDecompressSync } from 'node:zlib'
import { ascii, startsWith, u8, u32be } from '../binary.ts'
import { type ByteSource, memorySource } from '../byte-source.ts'
import { addXmp, type Blocks, noBlocks } from './blocks.ts'
import { boxesIn, contentOf } from './boxes.ts'

const longestBlock = 16 * 1024 * 1024
/** Maximum number of compressed boxes that are read; two are needed, for EXIF and XMP. */
const maxPacked = 3

export function jxlBlocks(source: ByteSource): Blocks {
  const blocks = noBlocks()
  if (startsWith(source.read(0, 2), '\xff\x0a')) {
    Object.assign(blocks, pictureHeader(source.read(0, 64)))
    return blocks
  }
  let packed = 0
  for (const box of boxesIn(source, 0, source.size)) {
    if (box.type === 'jxlc') Object.assign(blocks, pictureHeader(contentOf(source, box, 64)))
    else if (box.type === 'jxlp' && blocks.width === undefined) {
      Object.assign(blocks, pictureHeader(contentOf(source, box, 64).subarray(4)))
    } else if (box.type === 'Exif' || box.type === 'xml ')
      readBlock(blocks, box.type, contentOf(source, box, longestBlock))
    else if (box.type === 'brob' && packed++ < maxPacked) {
      const bytes = contentOf(source, box, longestBlock)
      readBlock(blocks, ascii(bytes, 0, 4), unpacked(bytes.subarray(4)))
    }
  }
  return blocks
}

function unpacked(bytes: Uint8Array): Uint8Array {
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: longestBlock })
  } catch {
    return new Uint8Array(0)
  }
}

function readBlock(blocks: Blocks, type: string, bytes: Uint8Array): void {
  if (type === 'xml ' && bytes.length > 0) addXmp(blocks, bytes)
  else if (type === 'Exif' && bytes.length > 8) blocks.exif ??= memorySource(bytes.subarray(4 + u32be(bytes, 0)))
}

/** Reads numbers of any width, least significant bit first. */
function bitReader(bytes: Uint8Array): (width: number) => number {
  let at = 0
  return width => {
    let value = 0
    for (let i = 0; i < width; i++, at++) value += ((u8(bytes, at >> 3) >> (at & 7)) & 1) * 2 ** i
    return value
  }
}

/** Ratios of width to height, in the order of their numbers from 1 on (ISO 18181-1, size header). */
const ratios: readonly (readonly [number, number])[] = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
]

function pictureHeader(bytes: Uint8Array): Partial<Blocks> {
  if (!startsWith(bytes, '\xff\x0a')) return {}
  const bits = bitReader(bytes.subarray(2))
  const isSmall = bits(1) === 1
  const side = () => (isSmall ? (bits(5) + 1) * 8 : bits([9, 13, 18, 30][bits(2)] ?? 9) + 1)
  const height = side()
  const ratio = ratios[bits(3) - 1]
  const width = ratio === undefined ? side() : Math.floor((height * ratio[0]) / ratio[1])
  const isDefault = bits(1) === 1
  const hasExtra = !isDefault && bits(1) === 1
  return { width, height, orientation: hasExtra ? bits(3) + 1 : 1 }
}
