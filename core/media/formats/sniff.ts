/** Detects the type of a file by its first bytes, and by its name whether it is worth opening. */
import { ascii, startsWith, u8, u16be, u16le, u32be, u32le } from '../../metadata/binary.ts'
import { oldQuickTime } from '../../metadata/container-kind.ts'
import type { MediaKind } from '../media-problem.ts'

export type MediaType =
  | 'jpeg'
  | 'png'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'heic'
  | 'tiff'
  | 'bmp'
  | 'svg'
  | 'jxl'
  | 'jp2'
  | 'psd'
  | 'raw'
  | 'mp4'
  | 'quicktime'
  | '3gp'
  | 'matroska'
  | 'avi'
  | 'mpeg-ts'
  | 'mpeg-ps'
  | 'asf'
  | 'flv'
  | 'ogg'

export interface Sniffed {
  kind: MediaKind
  type: MediaType
  mime: string
}

/** Number of first bytes that `sniff` needs. */
export const sniffLength = 4096

/** Camera makers' formats: extension → media type. Most are TIFF files that only differ in their names. */
const rawMimes: Record<string, string> = {
  '3fr': 'image/x-hasselblad-3fr',
  ari: 'image/x-arri-raw',
  arw: 'image/x-sony-arw',
  cap: 'image/x-phaseone-raw',
  cr2: 'image/x-canon-cr2',
  cr3: 'image/x-canon-cr3',
  crw: 'image/x-canon-crw',
  dcr: 'image/x-kodak-dcr',
  dng: 'image/x-adobe-dng',
  erf: 'image/x-epson-erf',
  fff: 'image/x-hasselblad-fff',
  gpr: 'image/x-gopro-gpr',
  iiq: 'image/x-phaseone-raw',
  k25: 'image/x-kodak-k25',
  kdc: 'image/x-kodak-kdc',
  mdc: 'image/x-minolta-mrw',
  mef: 'image/x-mamiya-mef',
  mos: 'image/x-leaf-mos',
  mrw: 'image/x-minolta-mrw',
  nef: 'image/x-nikon-nef',
  nrw: 'image/x-nikon-nrw',
  orf: 'image/x-olympus-orf',
  ori: 'image/x-olympus-orf',
  pef: 'image/x-pentax-pef',
  raf: 'image/x-fuji-raf',
  raw: 'image/x-panasonic-rw2',
  rw2: 'image/x-panasonic-rw2',
  rwl: 'image/x-panasonic-rw2',
  rwz: 'image/x-rawzor',
  sr2: 'image/x-sony-sr2',
  srf: 'image/x-sony-srf',
  srw: 'image/x-samsung-srw',
  x3f: 'image/x-sigma-x3f',
}

const imageExtensions = new Set([
  ...'jpg jpeg jpe jfif mpo png apng gif webp avif heic heif hif heics heifs tif tiff bmp dib svg jxl jp2 j2k jpf jpx psd'.split(
    ' ',
  ),
  ...Object.keys(rawMimes),
])
const videoExtensions = new Set(
  'mp4 m4v mov qt 3gp 3g2 3gpp webm mkv avi divx mts m2ts m2t mpg mpeg mpe vob mod tod wmv asf flv f4v ogv ogm'.split(
    ' ',
  ),
)

/** Extension in lower case, without the dot; '' for names that have none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}

/** The kind of media that a file's extension indicates; null for every other file. */
export function mediaKindOfName(name: string): MediaKind | null {
  const extension = extensionOf(name)
  if (imageExtensions.has(extension)) return 'image'
  return videoExtensions.has(extension) ? 'video' : null
}

/** Directories and files of other systems; compared in lower case. */
const foreignNames = new Set([
  '@eadir',
  '#recycle',
  '#snapshot',
  '@recycle',
  '@recently-snapshot',
  '$recycle.bin',
  'recycler',
  'system volume information',
  'lost+found',
  '__macosx',
  'thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
  'icon\r',
])

/** Prefixes of AppleDouble files, Android's bin and unfinished films, and temporary files, Keepsake's included. */
const foreignFile = /^\.(?:_|trashed-|pending-|keepsake-|nfs[0-9a-f]{8}|fuse_hidden|goutputstream-|syncthing\.)/i

/**
 * True for names that a scan skips: those of Synology, QNAP, Windows and macOS, hidden directories (`.Trash-1000`,
 * `.thumbnails`), and hidden files of programs. A picture with a dot before its name is a picture.
 */
export function ignoredName(name: string, kind: string = 'file'): boolean {
  if (foreignNames.has(name.toLowerCase())) return true
  if (!name.startsWith('.')) return false
  // A picture with a dot before its name may have a sidecar.
  return kind === 'dir' || foreignFile.test(name) || (mediaKindOfName(name) === null && !/\.xmp$/i.test(name))
}

/** The kind as which a scan opens a file: by its extension, or a picture if it has none. Null: not opened. */
export function presumedKind(name: string): MediaKind | null {
  return mediaKindOfName(name) ?? (extensionOf(name) === '' && !name.startsWith('.') ? 'image' : null)
}

/** `name` decides only whether a TIFF is raw, and what a file of unknown brands is. Null if the bytes are not media. */
export function sniff(head: Uint8Array, name: string): Sniffed | null {
  return sniffPicture(head, name) ?? sniffBoxes(head, name) ?? sniffFilm(head) ?? sniffSvg(head)
}

function image(type: MediaType, mime: string): Sniffed {
  return { kind: 'image', type, mime }
}

function video(type: MediaType, mime: string): Sniffed {
  return { kind: 'video', type, mime }
}

/** Unambiguous signatures. */
const magics: [string, Sniffed][] = [
  ['\xff\xd8', image('jpeg', 'image/jpeg')],
  ['\x89PNG\r\n\x1a\n', image('png', 'image/png')],
  ['GIF87a', image('gif', 'image/gif')],
  ['GIF89a', image('gif', 'image/gif')],
  ['\xff\x0a', image('jxl', 'image/jxl')],
  ['\0\0\0\x0cJXL \r\n\x87\n', image('jxl', 'image/jxl')],
  ['\0\0\0\x0cjP  \r\n\x87\n', image('jp2', 'image/jp2')],
  ['\xff\x4f\xff\x51\0', image('jp2', 'image/x-jp2-codestream')],
  ['8BPS\0\x01', image('psd', 'image/vnd.adobe.photoshop')],
  ['8BPS\0\x02', image('psd', 'image/vnd.adobe.photoshop')],
  ['FUJIFILMCCD-RAW', image('raw', 'image/x-fuji-raf')],
  ['FOVb', image('raw', 'image/x-sigma-x3f')],
  ['\0MRM', image('raw', 'image/x-minolta-mrw')],
  ['IIRO', image('raw', 'image/x-olympus-orf')],
  ['IIRS', image('raw', 'image/x-olympus-orf')],
  ['MMOR', image('raw', 'image/x-olympus-orf')],
  ['IIU\0', image('raw', 'image/x-panasonic-rw2')],
  ['IIII', image('raw', 'image/x-phaseone-raw')],
  ['MMMM', image('raw', 'image/x-phaseone-raw')],
]

function sniffPicture(head: Uint8Array, name: string): Sniffed | null {
  for (const [magic, sniffed] of magics) if (startsWith(head, magic)) return sniffed
  if (startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8)) return image('webp', 'image/webp')
  if (startsWith(head, 'HEAPCCDR', 6)) return image('raw', 'image/x-canon-crw')
  if (startsWith(head, 'BM') && isBmpHeader(head)) return image('bmp', 'image/bmp')
  return sniffTiff(head, name)
}

/** Whether a file is a BMP. 'BM' also begins texts: the size of the second header must be one of the defined ones. */
function isBmpHeader(head: Uint8Array): boolean {
  return [12, 16, 40, 52, 56, 64, 108, 124].includes(u32le(head, 14))
}

function sniffTiff(head: Uint8Array, name: string): Sniffed | null {
  const little = startsWith(head, 'II*\0') || startsWith(head, 'II+\0')
  if (!little && !startsWith(head, 'MM\0*') && !startsWith(head, 'MM\0+')) return null
  if (startsWith(head, 'CR', 8) && little) return image('raw', 'image/x-canon-cr2')
  const byName = rawMimes[extensionOf(name)]
  if (byName !== undefined) return image('raw', byName)
  return hasDngVersion(head, little) ? image('raw', 'image/x-adobe-dng') : image('tiff', 'image/tiff')
}

/** Searches for the tag DNGVersion in the first directory, if that is in the head. */
function hasDngVersion(head: Uint8Array, little: boolean): boolean {
  const u16 = little ? u16le : u16be
  const first = (little ? u32le : u32be)(head, 4)
  const count = Math.min(u16(head, first), 200)
  for (let i = 0; i < count; i++) if (u16(head, first + 2 + i * 12) === 0xc612) return true
  return false
}

const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'])

/** ISO base media files (ISO/IEC 14496-12): the brands distinguish pictures from films. */
function sniffBoxes(head: Uint8Array, name: string): Sniffed | null {
  if (!startsWith(head, 'ftyp', 4)) {
    return oldQuickTime.has(ascii(head, 4, 4)) ? video('quicktime', 'video/quicktime') : null
  }
  const main = ascii(head, 8, 4)
  const brands = [main]
  const end = Math.min(u32be(head, 0), head.length)
  for (let at = 16; at + 4 <= end; at += 4) brands.push(ascii(head, at, 4))
  if (main === 'crx ') return image('raw', 'image/x-canon-cr3')
  if (heicBrands.has(main)) return image('heic', 'image/heic')
  if (main === 'avif' || main === 'avis') return image('avif', 'image/avif')
  if (generalBrands.has(main)) return sniffStill(brands)
  if (main === 'qt  ') return video('quicktime', 'video/quicktime')
  if (main.startsWith('M4V')) return video('mp4', 'video/x-m4v')
  if (/^3g[2ps]/.test(main)) return video('3gp', main.startsWith('3g2') ? 'video/3gpp2' : 'video/3gpp')
  if (main === 'M4A ' || main === 'M4B ' || main === 'F4A ') return null
  return isStill(brands, name) ? sniffStill(brands) : video('mp4', 'video/mp4')
}

const generalBrands = new Set(['mif1', 'mif2', 'mif3', 'msf1', 'miaf', '1pic'])
const filmBrands = /^(?:isom|iso\d|mp4\d|avc1|qt {2})$/

/** If the main brand is unknown, the other brands decide whether it is a picture, and then the name. */
function isStill(brands: readonly string[], name: string): boolean {
  if (brands.some(brand => filmBrands.test(brand))) return false
  const saysStill = brands.some(brand => generalBrands.has(brand) || heicBrands.has(brand) || brand.startsWith('avi'))
  return saysStill || /^(?:hei[cf]s?|hif|avif)$/.test(extensionOf(name))
}

/** The general brands of HEIF leave the codec to the compatible ones. */
function sniffStill(brands: string[]): Sniffed {
  if (brands.some(brand => heicBrands.has(brand))) return image('heic', 'image/heic')
  if (brands.includes('avif') || brands.includes('avis')) return image('avif', 'image/avif')
  return image('heic', 'image/heif')
}

function sniffFilm(head: Uint8Array): Sniffed | null {
  if (startsWith(head, '\x1a\x45\xdf\xa3')) {
    return video('matroska', ascii(head, 0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska')
  }
  if (startsWith(head, 'RIFF') && startsWith(head, 'AVI ', 8)) return video('avi', 'video/x-msvideo')
  if (startsWith(head, '\x30\x26\xb2\x75\x8e\x66\xcf\x11')) return video('asf', 'video/x-ms-wmv')
  if (startsWith(head, 'FLV\x01')) return video('flv', 'video/x-flv')
  if (startsWith(head, 'OggS') && ascii(head, 0, 128).includes('theora')) return video('ogg', 'video/ogg')
  const start = u32be(head, 0)
  if (start === 0x1ba || start === 0x1b3) return video('mpeg-ps', 'video/mpeg')
  // Packets of 188 bytes; on Blu-ray and AVCHD, each follows a time stamp of four bytes.
  for (const [first, length] of [
    [0, 188],
    [4, 192],
  ] as const) {
    if ([0, 1, 2, 3].every(i => u8(head, first + i * length) === 0x47)) return video('mpeg-ts', 'video/mp2t')
  }
  return null
}

/** What may precede the root element: byte order mark, declaration, comments, document type. */
const beforeRoot = /^\uFEFF?(?:\s+|<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+svg\b(?:[^[>]|\[[\s\S]*?\])*>)*/

function sniffSvg(head: Uint8Array): Sniffed | null {
  const text = new TextDecoder().decode(head.subarray(0, sniffLength))
  const root = text.replace(beforeRoot, '')
  return /^<(?:svg:)?svg[\s>/]/.test(root) ? image('svg', 'image/svg+xml') : null
}
