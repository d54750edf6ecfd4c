/** Detects the kind of a file by its first bytes, since names may be wrong. */
import { ascii, startsWith, u8, u16be, u32be } from './binary.ts'
import type { ByteSource } from './byte-source.ts'

export type ContainerKind =
  | 'jpeg'
  | 'png'
  | 'gif'
  | 'webp'
  | 'bmp'
  | 'tiff'
  | 'heif'
  | 'cr3'
  | 'raf'
  | 'mrw'
  | 'crw'
  | 'jxl'
  | 'mp4'
  | 'matroska'
  | 'avi'
  | 'mpeg-program'
  | 'mpeg-transport'
  | 'xmp'

const stillBrands = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'mif1',
  'mif2',
  'mif3',
  'msf1',
  'avif',
  'avis',
  'miaf',
])
/** Types of the first box in old QuickTime files, which have no 'ftyp'. */
export const oldQuickTime = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

export function containerKind(source: ByteSource): ContainerKind | null {
  const head = source.read(0, 200)
  if (u16be(head, 0) === 0xffd8) return 'jpeg'
  if (startsWith(head, '\x89PNG\r\n\x1a\n')) return 'png'
  if (startsWith(head, 'GIF8')) return 'gif'
  if (startsWith(head, 'RIFF')) return riffKind(ascii(head, 8, 4))
  if (startsWith(head, 'FUJIFILMCCD-RAW')) return 'raf'
  if (startsWith(head, '\0MRM')) return 'mrw'
  if (startsWith(head, '\xff\x0a') || startsWith(head, '\0\0\0\x0cJXL \r\n')) return 'jxl'
  if (startsWith(head, '\x1a\x45\xdf\xa3')) return 'matroska'
  if (startsWith(head, 'ftyp', 4)) return brandKind(head)
  if (oldQuickTime.has(ascii(head, 4, 4))) return 'mp4'
  if (startsWith(head, 'HEAPCCDR', 6)) return 'crw'
  if (startsWith(head, 'II') || startsWith(head, 'MM')) return 'tiff'
  if (startsWith(head, 'BM')) return 'bmp'
  if (u32be(head, 0) === 0x1ba || u32be(head, 0) === 0x1b3) return 'mpeg-program'
  if (isTransport(source)) return 'mpeg-transport'
  return isXmp(head) ? 'xmp' : null
}

function riffKind(form: string): ContainerKind | null {
  if (form === 'WEBP') return 'webp'
  return form === 'AVI ' ? 'avi' : null
}

/** Decides by the main brand, and by the compatible brands if the main one is too general. */
function brandKind(head: Uint8Array): ContainerKind {
  const brand = ascii(head, 8, 4)
  if (brand === 'crx ') return 'cr3'
  if (stillBrands.has(brand)) return 'heif'
  const end = Math.min(u32be(head, 0), head.length)
  let isStill = false
  for (let at = 16; at + 4 <= end; at += 4) {
    const compatible = ascii(head, at, 4)
    if (/^(isom|iso\d|mp4\d|avc1|qt {2})$/.test(compatible)) return 'mp4'
    if (stillBrands.has(compatible)) isStill = true
  }
  return isStill ? 'heif' : 'mp4'
}

/** Whether a file has packets of 188 bytes; on Blu-ray and AVCHD, each follows a time stamp of four bytes. */
function isTransport(source: ByteSource): boolean {
  const bytes = source.read(0, 192 * 3)
  return (
    [188, 376].every(at => u8(bytes, 0) === 0x47 && u8(bytes, at) === 0x47) ||
    [4, 196, 388].every(at => u8(bytes, at) === 0x47)
  )
}

function isXmp(head: Uint8Array): boolean {
  const text = ascii(head, 0, head.length).replaceAll('\0', '')
  return /<\?xpacket|<x:xmpmeta|<rdf:RDF|<\?xml/.test(text)
}
