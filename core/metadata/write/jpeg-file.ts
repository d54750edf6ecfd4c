/** Writes metadata into JPEG: replaces the metadata segments, and keeps all other bytes in order. */
import { createHash } from 'node:crypto'
import { ascii, indexOfBytes, startsWith, u8, u16be } from '../binary.ts'
import { extendedChunk, extendedHeader, photoshopHeader, xmpHeader } from '../containers/jpeg.ts'
import { changedExif, type FileChange, UnsafeWrite, withoutMark } from './file-change.ts'
import { writeIptcTags } from './iptc-tags.ts'
import { makerNoteAt } from './tiff-walk.ts'
import { writeXmpTags } from './xmp-tags.ts'

const longestContent = 65_533
/** Photoshop's blocks and extended packets are split into pieces of this length, below a segment's limit. */
const longestPhotoshop = 65_000
const longestExtension = 65_000

type SegmentKind = 'exif' | 'xmp' | 'extended' | 'photoshop' | 'pictures' | 'other'

interface Segment {
  kind: SegmentKind
  marker: number
  whole: Uint8Array
  content: Uint8Array
}

interface Parts {
  segments: Segment[]
  /** From the start of the scan to the end of the file. */
  rest: Uint8Array
}

/** Splits a file into its segments; null if there is anything unusual between them. */
function partsOf(bytes: Uint8Array): Parts | null {
  if (u16be(bytes, 0) !== 0xffd8) return null
  const segments: Segment[] = []
  let at = 2
  while (segments.length < 10_000) {
    const marker = u8(bytes, at + 1)
    if (u8(bytes, at) !== 0xff || marker < 0xc0 || marker === 0xff) return null
    if (marker === 0xda) return { segments, rest: bytes.subarray(at) }
    if (marker >= 0xd0 && marker <= 0xd9) return null
    const end = at + 2 + u16be(bytes, at + 2)
    if (end < at + 4 || end > bytes.length) return null
    const content = bytes.subarray(at + 4, end)
    segments.push({ kind: kindOf(marker, content), marker, whole: bytes.subarray(at, end), content })
    at = end
  }
  return null
}

function kindOf(marker: number, content: Uint8Array): SegmentKind {
  if (marker === 0xe1 && startsWith(content, 'Exif\0')) return 'exif'
  if (marker === 0xe1 && startsWith(content, xmpHeader)) return 'xmp'
  if (marker === 0xe1 && startsWith(content, extendedHeader)) return 'extended'
  if (marker === 0xed && startsWith(content, photoshopHeader)) return 'photoshop'
  return marker === 0xe2 && startsWith(content, 'MPF\0') ? 'pictures' : 'other'
}

/** Everything but metadata, in order: a change must keep it. */
export function jpegPicture(bytes: Uint8Array): Uint8Array[] | null {
  const parts = partsOf(bytes)
  if (parts === null) return null
  const kept = parts.segments.filter(({ kind }) => kind === 'other' || kind === 'pictures')
  return [...kept.map(({ whole }) => whole), parts.rest]
}

/** The content of the EXIF segments, with their prefix. */
export function jpegExif(bytes: Uint8Array): Uint8Array[] {
  return partsOf(bytes)?.segments.flatMap(({ kind, content }) => (kind === 'exif' ? [content] : [])) ?? []
}

/** Adds EXIF to a JPEG without it, after JFIF; null for a file that should not be changed. */
export function jpegWithExif(bytes: Uint8Array, exif: Uint8Array): Uint8Array | null {
  const parts = partsOf(bytes)
  if (parts === null || exif.length > longestContent || parts.segments.some(({ kind }) => kind === 'exif')) return null
  const [first] = parts.segments
  const at = first?.marker === 0xe0 ? 2 + first.whole.length : 2
  return new Uint8Array(Buffer.concat([bytes.subarray(0, at), segment(0xe1, exif), bytes.subarray(at)]))
}

/** The parts of the changed file; null if it cannot be changed safely. Throws UnsafeWrite after a failed check. */
export function changedJpeg(bytes: Uint8Array, change: FileChange): Uint8Array[] | null {
  const parts = partsOf(bytes)
  if (parts === null) return null
  const { segments } = parts
  const xmps = segments.filter(({ kind }) => kind === 'xmp')
  if (xmps.length > 1 || segments.some(isMisnamedXmp)) return null
  const extension = changedExtension(segments, change)
  if (extension === null) return null
  const packet = changedPacket(xmps[0]?.content.subarray(xmpHeader.length) ?? null, change, extension.digest)
  if (packet === null) return null

  const changed = new Map<Segment, Uint8Array[]>()
  for (const one of segments.filter(({ kind }) => kind === 'exif')) {
    const content = changedExif(one.content, change)
    // EXIF that would become too long stays as it is; the packet is then declared complete.
    if (content !== one.content && content.length <= longestContent) changed.set(one, [segment(0xe1, content)])
  }
  const resources = segments.filter(({ kind }) => kind === 'photoshop')
  const photoshop = changedPhotoshop(resources, change)
  resources.forEach((one, n) => {
    if (photoshop !== null) changed.set(one, n === 0 ? photoshop : [])
  })
  const extended = segments.filter(({ kind }) => kind === 'extended')
  extended.forEach((one, n) => {
    if (extension.pieces !== null) changed.set(one, n === 0 ? extension.pieces : [])
  })
  const [xmp] = xmps
  const written = segment(0xe1, Buffer.concat([Buffer.from(xmpHeader), packet]))
  if (xmp !== undefined) changed.set(xmp, [written])
  else {
    // After JFIF and EXIF, which programs expect at the beginning.
    const first = segments.findIndex(({ kind, marker }) => kind !== 'exif' && marker !== 0xe0)
    const after = segments[(first < 0 ? segments.length : first) - 1]
    const pieces = after === undefined ? [] : (changed.get(after) ?? [after.whole])
    const nothing = new Uint8Array(0)
    const place: Segment = after ?? { kind: 'other', marker: 0, whole: nothing, content: nothing }
    if (after === undefined) segments.unshift(place)
    changed.set(place, [...pieces, written])
  }
  if (movesPictures(segments, changed)) return null
  const exif = segments.filter(({ kind }) => kind === 'exif')
  const hasNote = exif.some(({ content }) => makerNoteAt(withoutMark(content)) !== null)
  const isListed = segments.some(({ kind }) => kind === 'pictures')
  const mayBeReferenced = !isListed && hasNote && isFoundByOffset(trailerOf(parts.rest))
  if (mayBeReferenced || exif.some(({ content }) => pointsToPictureIn(bytes, parts.rest, content)))
    throw new UnsafeWrite('its maker note may point to data behind the picture, which would move')
  return [bytes.subarray(0, 2), ...segments.flatMap(one => changed.get(one) ?? [one.whole]), parts.rest]
}

/** Bytes before the TIFF structure in Nikon's maker notes, and between Sony's offset of a preview and the preview. */
const nikonHead = 10
const sonyHead = 32

/**
 * Whether EXIF has the offset of a preview in `rest`, the end of `file`. It may count from the start of the file, of
 * TIFF, of the maker note, or of the structure in the note. Looks for 0xd8ff, because the first byte of Minolta's
 * previews is not 0xff; within a scan, a zero or a restart follows these two bytes.
 */
function pointsToPictureIn(file: Uint8Array, rest: Uint8Array, content: Uint8Array): boolean {
  const exif = Buffer.from(content.buffer, content.byteOffset, content.length)
  const structure = withoutMark(content)
  const restAt = file.length - rest.length
  const tiffAt = structure.byteOffset - file.byteOffset
  const noteAt = tiffAt + (makerNoteAt(structure) ?? 0)
  const bases = [0, tiffAt, noteAt, noteAt + nikonHead]
  const bytes = Buffer.from(rest.buffer, rest.byteOffset, rest.length)
  const offset = Buffer.alloc(4)
  const containsOffset = (at: number) => {
    if (at < 0) return false
    offset.writeUInt32LE(at)
    if (exif.includes(offset)) return true
    offset.writeUInt32BE(at)
    return exif.includes(offset)
  }
  for (let at = bytes.indexOf('d8ff', 0, 'hex'); at > 0; at = bytes.indexOf('d8ff', at + 1, 'hex')) {
    const marker = u8(rest, at + 2)
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) continue
    const begins = restAt + at - 1
    if (bases.some(base => containsOffset(begins - base) || containsOffset(begins - sonyHead - base))) return true
  }
  return false
}

/** The data after the picture; `rest` begins with its first scan. */
function trailerOf(rest: Uint8Array): Uint8Array {
  for (let at = rest.indexOf(0xff); at >= 0; at = rest.indexOf(0xff, at)) {
    const marker = u8(rest, at + 1)
    if (marker === 0xd9) return rest.subarray(at + 2)
    // Within a scan: a byte of the picture, a restart, or a fill byte. Otherwise a segment before the next scan.
    const isInScan = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)
    at += marker === 0xff ? 1 : isInScan ? 2 : 2 + u16be(rest, at + 2)
  }
  return rest.subarray(rest.length)
}

/** Padding and garbage have fewer non-zero bytes than any preview. */
const minPreview = 1000

/** Whether programs find a trailer by its offset (old previews). Videos of motion photos are found from the end. */
function isFoundByOffset(trailer: Uint8Array): boolean {
  if (trailer.filter(byte => byte !== 0).length < minPreview) return false
  const isFilm = ascii(trailer, 4, 4) === 'ftyp'
  const isSamsung = ascii(trailer, trailer.length - 4, 4) === 'SEFT'
  return !isFilm && !isSamsung
}

/** A few programs write a wrong name for the segment; readers accept it. */
function isMisnamedXmp({ kind, marker, content }: Segment): boolean {
  return kind === 'other' && marker === 0xe1 && indexOfBytes(content.subarray(0, 200), '<x:xmpmeta') >= 0
}

/** Whether a change moves further pictures, which are located by the distance from the segment that lists them. */
function movesPictures(segments: readonly Segment[], changed: ReadonlyMap<Segment, readonly Uint8Array[]>): boolean {
  const listAt = segments.findIndex(({ kind }) => kind === 'pictures')
  if (listAt < 0) return false
  const moved = segments.slice(listAt + 1).reduce((sum, one) => {
    const pieces = changed.get(one)
    return pieces === undefined ? sum : sum + pieces.reduce((n, { length }) => n + length, 0) - one.whole.length
  }, 0)
  return moved !== 0
}

function segment(marker: number, content: Uint8Array): Uint8Array {
  const head = Buffer.of(0xff, marker, 0, 0)
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** The main packet: without padding if it would not fit otherwise, null if it does not even fit then. */
function changedPacket(before: Uint8Array | null, change: FileChange, digest: string | null): Uint8Array | null {
  const end = before === null ? -1 : before.findLastIndex(byte => byte !== 0)
  const packet = before === null ? null : before.subarray(0, end + 1)
  for (const padding of [change.reservedBytes, 0]) {
    const written = writeXmpTags(packet, { ...change, padding })
    if (written === null) return null
    const whole = digest === null ? written : withDigest(written, digest)
    if (whole === null) return null
    if (whole.length + xmpHeader.length <= longestContent) return whole
  }
  return null
}

const digestPattern = /(HasExtendedXMP\s*(?:=\s*["']|>)\s*)[0-9A-Fa-f]{32}/

function withDigest(packet: Uint8Array, digest: string): Uint8Array | null {
  const text = Buffer.from(packet).toString('latin1')
  return digestPattern.test(text) ? Buffer.from(text.replace(digestPattern, `$1${digest}`), 'latin1') : null
}

/** The second part of a packet too long for one segment: properties that are written now are removed from it. */
function changedExtension(
  segments: readonly Segment[],
  change: FileChange,
): { pieces: Uint8Array[] | null; digest: string | null } | null {
  const unchanged = { pieces: null, digest: null }
  const extended = segments.filter(({ kind }) => kind === 'extended')
  if (extended.length === 0) return unchanged
  const chunks = extended.map(({ content }) => extendedChunk(content)).sort((a, b) => a.offset - b.offset)
  const whole = Buffer.concat(chunks.map(({ bytes }) => bytes))
  const isWhole = chunks.every(({ guid, total }) => guid === chunks[0]?.guid && total === whole.length)
  // Several packets, or one with gaps (which readers ignore), are left as they are.
  if (!isWhole) return unchanged
  // Regions are one property, which cannot be split between both parts.
  const hasRegions = indexOfBytes(whole, 'RegionList') >= 0 || indexOfBytes(whole, 'RegionInfo') >= 0
  if (hasRegions && (change.sets.has('People') || change.sets.has('Object'))) return null
  const written = writeXmpTags(whole, { ...change, complete: [], padding: null, additions: false })
  if (written === null || Buffer.from(written).equals(whole)) return unchanged
  const digest = createHash('md5').update(written).digest('hex').toUpperCase()
  const pieces: Uint8Array[] = []
  for (let offset = 0; offset < written.length; offset += longestExtension) {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(written.length)
    head.writeUInt32BE(offset, 4)
    const part = written.subarray(offset, offset + longestExtension)
    pieces.push(segment(0xe1, Buffer.concat([Buffer.from(extendedHeader + digest), head, part])))
  }
  return { pieces, digest }
}

/** Photoshop's blocks in as many segments as they need; null if nothing in them changes. */
function changedPhotoshop(segments: readonly Segment[], { wanted, sets }: FileChange): Uint8Array[] | null {
  if (segments.length === 0) return null
  const whole = Buffer.concat(segments.map(({ content }) => content.subarray(photoshopHeader.length)))
  const written = writeIptcTags(whole, wanted, sets)
  if (written === null || Buffer.from(written).equals(whole)) return null
  const pieces: Uint8Array[] = []
  for (let at = 0; at < written.length; at += longestPhotoshop)
    pieces.push(
      segment(0xed, Buffer.concat([Buffer.from(photoshopHeader), written.subarray(at, at + longestPhotoshop)])),
    )
  return pieces
}
