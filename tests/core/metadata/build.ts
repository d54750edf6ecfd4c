/** Builds small files with known metadata, byte by byte, and reads files. */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { memorySource } from '../../../core/metadata/byte-source.ts'
import { descriptorSource } from '../../../core/metadata/file-source.ts'
import type { Metadata } from '../../../core/metadata/metadata.ts'
import { readMetadataOf } from '../../../core/metadata/read.ts'

/** Metadata of a file in memory. */
export async function readMetadata(file: Uint8Array, name: string): Promise<Metadata> {
  return readMetadataOf(memorySource(file), name)
}

/** A file on disk as a source; the caller closes it. */
export function openFileSource(path: Uint8Array | string) {
  const fd = openSync(typeof path === 'string' ? path : Buffer.from(path), 'r')
  return { ...descriptorSource(fd, fstatSync(fd).size), close: () => closeSync(fd) }
}

/** Metadata of a file on disk. */
export async function readMetadataFrom(path: Uint8Array | string, name: string): Promise<Metadata> {
  const source = openFileSource(path)
  try {
    return readMetadataOf(source, name)
  } finally {
    source.close()
  }
}

/** A tag and its value: text (ASCII), bytes (UNDEFINED), integers (LONG) or fractions (RATIONAL, ÷ 10000). */
export type Tag = readonly [tag: number, value: string | Uint8Array | number[] | { fractions: number[] }]

export interface TiffParts {
  ifd0?: Tag[]
  exif?: Tag[]
  gps?: Tag[]
}

export function bytes(...parts: (Uint8Array | string | number[])[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  )
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function be16(value: number): number[] {
  return [(value >> 8) & 255, value & 255]
}

export function be32(value: number): number[] {
  return [...be16(Math.floor(value / 65_536) & 0xffff), ...be16(value % 65_536)]
}

export function be64(value: number): number[] {
  return [...be32(Math.floor(value / 2 ** 32)), ...be32(value % 2 ** 32)]
}

function le16(value: number): number[] {
  return be16(value).reverse()
}

export function le32(value: number): number[] {
  return be32(value).reverse()
}

/** A little-endian TIFF structure with up to three directories. */
export function tiff({ ifd0 = [], exif, gps }: TiffParts): Uint8Array {
  const main: Tag[] = [...ifd0]
  if (exif !== undefined) main.push([0x8769, [0]])
  if (gps !== undefined) main.push([0x8825, [0]])
  const size = (tags: Tag[] | undefined) => (tags === undefined ? 0 : directory(tags, 0).length)
  const exifAt = 8 + size(main)
  const gpsAt = exifAt + size(exif)
  const pointed = main.map(([tag, value]): Tag => [tag, tag === 0x8769 ? [exifAt] : tag === 0x8825 ? [gpsAt] : value])
  return bytes(
    'II*\0',
    le32(8),
    directory(pointed, 8),
    exif === undefined ? [] : directory(exif, exifAt),
    gps === undefined ? [] : directory(gps, gpsAt),
  )
}

function directory(tags: Tag[], at: number): Uint8Array {
  const sorted = [...tags].sort(([a], [b]) => a - b)
  const entries: number[] = []
  const values: number[] = []
  const valuesAt = at + 2 + sorted.length * 12 + 4
  for (const [tag, value] of sorted) {
    const [type, count, data] = encoded(value)
    const inline = data.length <= 4
    entries.push(...le16(tag), ...le16(type), ...le32(count))
    entries.push(...(inline ? [...data, 0, 0, 0, 0].slice(0, 4) : le32(valuesAt + values.length)))
    if (!inline) values.push(...data, ...(data.length % 2 ? [0] : []))
  }
  return bytes(le16(sorted.length), entries, le32(0), values)
}

function encoded(value: Tag[1]): [type: number, count: number, data: number[]] {
  if (typeof value === 'string') {
    const data = [...utf8(value), 0]
    return [2, data.length, data]
  }
  if (value instanceof Uint8Array) return [7, value.length, [...value]]
  if (Array.isArray(value)) return [4, value.length, value.flatMap(le32)]
  return [5, value.fractions.length, value.fractions.flatMap(f => [...le32(Math.round(f * 10_000)), ...le32(10_000)])]
}

/** One JPEG segment. */
export function segment(marker: number, ...content: (Uint8Array | string | number[])[]): Uint8Array {
  const data = bytes(...content)
  return bytes([0xff, marker], be16(data.length + 2), data)
}

/** A JPEG of this size, without image data. */
export function jpeg(size: { width: number; height: number }, ...segments: Uint8Array[]): Uint8Array {
  const frame = segment(0xc0, [8], be16(size.height), be16(size.width), [1, 1, 0x11, 0])
  return bytes([0xff, 0xd8], ...segments, frame, [0xff, 0xda, 0, 2, 0xff, 0xd9])
}

export function exifSegment(parts: TiffParts): Uint8Array {
  return segment(0xe1, 'Exif\0\0', tiff(parts))
}

export function xmpSegment(packet: string): Uint8Array {
  return segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', utf8(packet))
}

export function iptcSegment(record: Uint8Array): Uint8Array {
  const padded = record.length % 2 ? bytes(record, [0]) : record
  return segment(0xed, 'Photoshop 3.0\0', '8BIM', be16(0x404), [0, 0], be32(record.length), padded)
}

/** Data sets of record 2, preceded by a declaration of UTF-8 if `isUtf8`. */
export function iptc(
  sets: readonly (readonly [dataSet: number, value: string | Uint8Array])[],
  isUtf8 = false,
): Uint8Array {
  const all = sets.map(([dataSet, value]) => {
    const data = typeof value === 'string' ? utf8(value) : value
    return bytes([0x1c, 2, dataSet], be16(data.length), data)
  })
  return bytes(isUtf8 ? bytes([0x1c, 1, 90], be16(3), '\x1b%G') : '', ...all)
}

/** An XMP packet with these properties and the usual prefixes. */
export function xmp(properties: string, attributes = ''): string {
  return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${namespaces} ${attributes}>
${properties}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
}

const namespaces = Object.entries({
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  lr: 'http://ns.adobe.com/lightroom/1.0/',
  digiKam: 'http://www.digikam.org/ns/1.0/',
  MicrosoftPhoto: 'http://ns.microsoft.com/photo/1.0/',
  MP: 'http://ns.microsoft.com/photo/1.2/',
  MPRI: 'http://ns.microsoft.com/photo/1.2/t/RegionInfo#',
  MPReg: 'http://ns.microsoft.com/photo/1.2/t/Region#',
  'mwg-rs': 'http://www.metadataworkinggroup.com/schemas/regions/',
  stArea: 'http://ns.adobe.com/xmp/sType/Area#',
  stDim: 'http://ns.adobe.com/xap/1.0/sType/Dimensions#',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  GCamera: 'http://ns.google.com/photos/1.0/camera/',
  Container: 'http://ns.google.com/photos/1.0/container/',
  Item: 'http://ns.google.com/photos/1.0/container/item/',
})
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ')

export function bag(...items: string[]): string {
  return `<rdf:Bag>${items.map(item => `<rdf:li>${item}</rdf:li>`).join('')}</rdf:Bag>`
}

/** A box (atom) of an MP4, QuickTime, HEIF or JPEG XL file. */
export function box(type: string, ...content: (Uint8Array | string | number[])[]): Uint8Array {
  const data = bytes(...content)
  return bytes(be32(data.length + 8), type, data)
}

/** Seconds since 1904 of a date in UTC. */
export function macSeconds(iso: string): number {
  return Date.parse(iso) / 1000 + 2_082_844_800
}

/** A movie header of version 0 with 1000 ticks per second. */
export function movieHeader(iso: string | null, ticks: number): Uint8Array {
  const created = iso === null ? 0 : macSeconds(iso)
  return box('mvhd', be32(0), be32(created), be32(created), be32(1000), be32(ticks), new Uint8Array(80))
}
