/** Media types: by name for listings, by bytes for what is sent. */
import { sniff, sniffLength } from '../media/formats/sniff.ts'

/** The preview dialog treats every type that begins with `text` as editable text. */
const extensionsByType: Record<string, string> = {
  'image/jpeg': 'jpg jpeg jpe jfif mpo',
  'image/png': 'png apng',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic heif hif heics heifs',
  'image/tiff': 'tif tiff',
  'image/bmp': 'bmp dib',
  'image/svg+xml': 'svg',
  'image/jxl': 'jxl',
  'image/jp2': 'jp2 j2k jpf jpx',
  'image/vnd.adobe.photoshop': 'psd',
  'image/x-icon': 'ico',
  'image/x-raw':
    '3fr arw cr2 cr3 crw dcr dng erf fff gpr iiq kdc mef mos mrw nef nrw orf pef raf raw rw2 rwl sr2 srf srw x3f',
  'video/mp4': 'mp4 m4v',
  'video/quicktime': 'mov qt',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/x-msvideo': 'avi',
  'video/mpeg': 'mpg mpeg m2v vob',
  'video/mp2t': 'mts m2ts',
  'video/3gpp': '3gp 3g2',
  'video/x-ms-wmv': 'wmv',
  'video/x-flv': 'flv',
  'video/ogg': 'ogv',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg oga opus',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz tgz',
  'application/x-tar': 'tar',
  'application/x-7z-compressed': '7z',
  'application/vnd.rar': 'rar',
  'text/plain': 'txt text log ini conf cfg toml srt sub sh bat ps1 py rb go rs c h cpp java kt swift php pl lua sql',
  'text/markdown': 'md markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/html': 'html htm xhtml',
  'text/xml': 'xml xmp gpx kml xsd xsl',
  'text/css': 'css',
  'text/javascript': 'js mjs cjs jsx',
  'text/typescript': 'ts tsx',
  'text/json': 'json jsonl geojson',
  'text/yaml': 'yaml yml',
  'text/vtt': 'vtt',
  'text/calendar': 'ics',
  'text/vcard': 'vcf',
}

const typeByExtension = new Map(
  Object.entries(extensionsByType).flatMap(([type, endings]) => endings.split(' ').map(ending => [ending, type])),
)

/** The extension as it is written; '' if there is none (the dot that begins a name begins no extension). */
export function writtenExtensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1)
}

export function typeOfName(name: string): string {
  return typeByExtension.get(writtenExtensionOf(name).toLowerCase()) ?? 'application/octet-stream'
}

const drawingType = 'image/svg+xml'

const shownEverywhere = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'])

/** Number of bytes that `kindOfBytes` needs. */
export const headLength = sniffLength

/** How bytes may be shown. `foreign`: a picture that browsers don't support; `svg`: sandboxed; `other`: not at all. */
export interface ShownAs {
  kind: 'picture' | 'foreign' | 'svg' | 'media' | 'pdf' | 'text' | 'other'
  type: string
}

function startsWith(head: Uint8Array, text: string, at = 0): boolean {
  return Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1', at, at + text.length) === text
}

function audioType(head: Uint8Array): string | null {
  if (startsWith(head, 'ID3')) return 'audio/mpeg'
  if (startsWith(head, 'fLaC')) return 'audio/flac'
  if (startsWith(head, 'RIFF') && startsWith(head, 'WAVE', 8)) return 'audio/wav'
  if (startsWith(head, 'OggS') && (startsWith(head, 'OpusHead', 28) || startsWith(head, '\x01vorbis', 28)))
    return 'audio/ogg'
  if (startsWith(head, 'ftypM4A', 4)) return 'audio/mp4'
  // MPEG audio without a tag: eleven bits set, a layer, a bit rate and a sampling rate (ISO 11172-3, 2.4.2.3).
  const [first = 0, second = 0, third = 0] = head
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0 && (second & 0x18) !== 0x08
  return isFrame && third >> 4 !== 15 && (third & 0x0c) !== 0x0c ? 'audio/mpeg' : null
}

/** Whether a head is text: UTF-8, of which the end may be cut off, or Latin-1, without unusual control characters. */
function isText(head: Uint8Array): boolean {
  if (
    head.some(byte => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b)
  )
    return false
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    decoder.decode(head, { stream: true })
    return true
  } catch {
    // Old texts are in Latin-1 or similar: they are shown, even if a few letters are wrong.
    return !head.some(byte => byte >= 0x80 && byte < 0xa0)
  }
}

/** Determines the kind by the first bytes; the name only distinguishes kinds of camera files, and SVGs from texts. */
export function kindOfBytes(head: Uint8Array, name: string): ShownAs {
  if (startsWith(head, '%PDF-')) return { kind: 'pdf', type: 'application/pdf' }
  const audio = audioType(head)
  if (audio !== null) return { kind: 'media', type: audio }
  const found = sniff(head, name)
  // Listings recognise an SVG by its name, so it is sent as an SVG, even if a long comment precedes its root element.
  if (found?.type === 'svg' || (found === null && typeOfName(name) === drawingType && isText(head)))
    return { kind: 'svg', type: drawingType }
  if (found !== null && shownEverywhere.has(found.mime)) return { kind: 'picture', type: found.mime }
  if (found?.kind === 'video') return { kind: 'media', type: found.mime }
  if (found !== null) return { kind: 'foreign', type: found.mime }
  return isText(head)
    ? { kind: 'text', type: 'text/plain; charset=utf-8' }
    : { kind: 'other', type: 'application/octet-stream' }
}
