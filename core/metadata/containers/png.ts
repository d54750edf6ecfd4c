/** PNG: its text chunks, the eXIf chunk and the profiles of ImageMagick and exiftool in texts. */
import { inflateSync } from 'node:zlib'
import { ascii, indexOfBytes, startsWith, u8, u32be } from '../binary.ts'
import { type ByteSource, memorySource, partOf } from '../byte-source.ts'
import { iptcOfPhotoshop } from '../iptc.ts'
import { cleanText, decodeLatin, decodeUtf8OrLatin } from '../text.ts'
import { addXmp, type Blocks, noBlocks, sizeIfKnown } from './blocks.ts'

const longestText = 16 * 1024 * 1024
/** After this many decompressed bytes, no more texts of a file are inflated: a few bytes can expand to gigabytes. */
export const maxInflated = 32 * 1024 * 1024
/** Enough for a picture of 200 megapixels in chunks of 8 KB. */
const maxChunks = 200_000

export function pngBlocks(source: ByteSource): Blocks {
  const blocks = noBlocks()
  const budget = { bytesLeft: maxInflated }
  let at = 8
  for (let count = 0; count < maxChunks; count++) {
    const head = source.read(at, 8)
    const length = u32be(head, 0)
    const type = ascii(head, 4, 4)
    if (head.length < 8 || type === 'IEND') break
    if (at + 8 + length > source.size) {
      blocks.warnings.push('The PNG ends within a chunk')
      break
    }
    readChunk(blocks, source, type, at + 8, length, budget)
    at += 12 + length
  }
  return blocks
}

interface Budget {
  bytesLeft: number
}

const textTypes = new Set(['tEXt', 'zTXt', 'iTXt'])

function readChunk(blocks: Blocks, source: ByteSource, type: string, at: number, length: number, budget: Budget): void {
  if (type === 'IHDR') {
    const header = source.read(at, 8)
    Object.assign(blocks, sizeIfKnown(u32be(header, 0), u32be(header, 4)))
    return
  }
  if (type === 'eXIf') {
    const prefix = startsWith(source.read(at, 6), 'Exif\0\0') ? 6 : 0
    blocks.exif ??= partOf(source, at + prefix, length - prefix)
    return
  }
  if (!textTypes.has(type) || length > longestText) return
  const text = textChunk(type, source.read(at, length), budget)
  if (text !== null) readText(blocks, text.keyword, text.value, type === 'iTXt')
}

/** The keyword of a text chunk, which ends with a NUL; '' if it has none. */
export function textKeyword(type: string, bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return !textTypes.has(type) || end < 1 || end > 79 ? '' : decodeLatin(bytes.subarray(0, end))
}

/** A chunk's keyword and its inflated text; in iTXt, flags, a language and a translated keyword stand between them. */
export function textChunk(
  type: string,
  bytes: Uint8Array,
  budget: Budget,
): { keyword: string; value: Uint8Array } | null {
  const keyword = textKeyword(type, bytes)
  if (keyword === '') return null
  const end = bytes.indexOf(0)
  if (type === 'tEXt') return { keyword, value: bytes.subarray(end + 1) }
  if (type === 'zTXt') return inflated(keyword, bytes.subarray(end + 2), budget)
  const afterLanguage = bytes.indexOf(0, end + 3)
  const afterKeyword = afterLanguage < 0 ? -1 : bytes.indexOf(0, afterLanguage + 1)
  if (afterKeyword < 0) return null
  const value = bytes.subarray(afterKeyword + 1)
  return u8(bytes, end + 1) === 1 ? inflated(keyword, value, budget) : { keyword, value }
}

function inflated(keyword: string, bytes: Uint8Array, budget: Budget): { keyword: string; value: Uint8Array } | null {
  if (budget.bytesLeft <= 0) return null
  try {
    // A text that is too long counts as inflated up to the limit.
    budget.bytesLeft -= longestText
    const value = inflateSync(bytes, { maxOutputLength: longestText })
    budget.bytesLeft += longestText - value.length
    return { keyword, value }
  } catch {
    return null
  }
}

function readText(blocks: Blocks, keyword: string, value: Uint8Array, isUnicode: boolean): void {
  const profile = /^Raw profile type (\S+)$/i.exec(keyword)?.[1]?.toLowerCase()
  if (keyword === 'XML:com.adobe.xmp') addXmp(blocks, value)
  else if (profile !== undefined) readProfile(blocks, profile, profileBytes(value))
  else if (keyword === 'Description') blocks.description ??= plainText(value, isUnicode)
  else if (keyword === 'Title') blocks.title ??= plainText(value, isUnicode)
  else if (keyword === 'Author') blocks.author ??= plainText(value, isUnicode)
}

function plainText(value: Uint8Array, isUnicode: boolean): string | undefined {
  return cleanText(isUnicode ? decodeUtf8OrLatin(value) : decodeLatin(value))
}

/** The bytes of ImageMagick's profiles: name, length and hexadecimal digits, each on separate lines. */
function profileBytes(value: Uint8Array): Uint8Array {
  const [, , , ...digits] = decodeLatin(value).split('\n')
  return Buffer.from(digits.join('').replace(/\s/g, ''), 'hex')
}

function readProfile(blocks: Blocks, profile: string, bytes: Uint8Array): void {
  if (profile === 'xmp') addXmp(blocks, bytes)
  else if (profile === 'iptc' || profile === '8bim')
    // Some writers leave out Photoshop's block around the record.
    blocks.iptc ??= bytes[0] === 0x1c ? bytes : (iptcOfPhotoshop(bytes) ?? undefined)
  else if (startsWith(bytes, 'Exif\0\0')) blocks.exif ??= memorySource(bytes.subarray(6))
  else if (profile === 'app1' || profile === 'exif') {
    const headerEnd = indexOfBytes(bytes.subarray(0, 100), '\0')
    if (startsWith(bytes, 'http://ns.adobe.com/xap')) addXmp(blocks, bytes.subarray(headerEnd + 1))
    else blocks.exif ??= memorySource(bytes)
  }
}
