/** MP4, QuickTime and 3GP: reads dates, place, texts and the tracks' dimensions from the 'moov' box. */
import { ascii, i32be, u8, u16be, u32be, u64be } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { sizeIfKnown } from './blocks.ts'
import { boxAt, boxesIn, type ContainerBox, contentOf, findBox, xmpUuid } from './boxes.ts'
import { type Film, noFilm, type Track } from './film.ts'
import { fragmentsDuration } from './fragments.ts'
import { codecOf } from './quicktime-codecs.ts'
import { readQuickTimeTexts } from './quicktime-texts.ts'

export function readQuickTime(source: ByteSource): Film {
  const film = noFilm()
  const fragments: ContainerBox[] = []
  let movie: ContainerBox | undefined
  for (const box of boxesIn(source, 0, source.size)) {
    if (box.type === 'moov') {
      movie ??= box
      readMovie(film, source, box)
    } else if (box.type === 'moof') fragments.push(box)
    else if (box.uuid === xmpUuid) film.xmp.push(contentOf(source, box))
    else if (box.type === 'meta') readXml(film, source, box)
  }
  if (movie !== undefined && fragments.length > 0) {
    film.duration = fragmentsDuration(source, movie, fragments) ?? film.duration
  }
  if (movie === undefined) film.warnings.push('The video has no table of contents: it may be cut off')
  return film
}

function readMovie(film: Film, source: ByteSource, movie: ContainerBox): void {
  for (const box of boxesIn(source, movie.start, movie.end)) {
    if (box.type === 'mvhd') Object.assign(film, readTimes(contentOf(source, box, 32)))
    else if (box.type === 'trak') readTrack(film, source, box)
    else if (box.type === 'udta' || box.type === 'meta') readTexts(film, source, box)
    else if (box.uuid === xmpUuid) film.xmp.push(contentOf(source, box))
  }
}

function readTexts(film: Film, source: ByteSource, box: ContainerBox): void {
  readQuickTimeTexts(film, source, box)
  if (box.type !== 'udta') return
  const xmp = findBox(source, box.start, box.end, 'XMP_')
  if (xmp !== undefined) film.xmp.push(contentOf(source, xmp))
}

function readXml(film: Film, source: ByteSource, meta: ContainerBox): void {
  const xml = findBox(source, meta.start + 4, meta.end, 'xml ')
  if (xml !== undefined) film.xml.push(contentOf(source, xml, 1024 * 1024).subarray(4))
}

function readTrack(film: Film, source: ByteSource, box: ContainerBox): void {
  const media = findBox(source, box.start, box.end, 'mdia')
  const meta = findBox(source, box.start, box.end, 'meta')
  if (meta !== undefined) readTexts(film, source, meta)
  if (media === undefined) return
  const handler = ascii(contentOf(source, boxAt(source, media, 'hdlr'), 12), 8, 4)
  if (handler !== 'vide' && handler !== 'soun') return
  const track: Track = { kind: handler === 'vide' ? 'video' : 'audio' }
  const { created, duration } = readTimes(contentOf(source, boxAt(source, media, 'mdhd'), 32))
  if (created !== undefined) track.created = created
  const table = boxAt(source, media, 'minf', 'stbl')
  const entry = contentOf(source, table && boxAt(source, table, 'stsd'), 4096).subarray(8)
  if (entry.length >= 16) {
    track.codec = codecOf(entry)
    if (track.kind === 'video') Object.assign(track, sizeIfKnown(u16be(entry, 32), u16be(entry, 34)))
  }
  if (track.kind === 'video') {
    const header = findBox(source, box.start, box.end, 'tkhd')
    if (header !== undefined) track.rotation = rotationOf(contentOf(source, header, 96))
    const frames = table === undefined ? 0 : sampleCount(source, table)
    if (frames > 1 && duration) track.frameRate = frames / duration
  }
  film.tracks.push(track)
}

/** Creation time in milliseconds and duration in seconds, from 'mvhd' or 'mdhd' in their short or long form. */
function readTimes(bytes: Uint8Array): { created?: number; duration?: number } {
  const isLong = u8(bytes, 0) === 1
  const seconds = isLong ? u64be(bytes, 4) : u32be(bytes, 4)
  const scale = u32be(bytes, isLong ? 20 : 12)
  const duration = isLong ? u64be(bytes, 24) : u32be(bytes, 16)
  const isKnown = scale > 0 && duration > 0 && duration !== 0xffff_ffff
  return { created: createdAt(seconds), duration: isKnown ? duration / scale : undefined }
}

/** Seconds between 1904, the epoch of old Macintoshes, and 1970. */
const macintoshEpoch = 2_082_844_800

/** Milliseconds since 1970. Some writers wrongly count the seconds from 1970 instead of 1904. */
function createdAt(seconds: number): number | undefined {
  if (seconds === 0) return undefined
  return (seconds >= macintoshEpoch ? seconds - macintoshEpoch : seconds) * 1000
}

/** The clockwise rotation from the first two numbers of the display matrix of 'tkhd'; only quarter turns. */
function rotationOf(header: Uint8Array): number {
  const at = u8(header, 0) === 1 ? 52 : 40
  const a = Math.sign(i32be(header, at))
  const b = Math.sign(i32be(header, at + 4))
  if (a === 0) return b < 0 ? 270 : b > 0 ? 90 : 0
  return a < 0 && b === 0 ? 180 : 0
}

function sampleCount(source: ByteSource, table: ContainerBox): number {
  const sizes = findBox(source, table.start, table.end, 'stsz') ?? findBox(source, table.start, table.end, 'stz2')
  return u32be(contentOf(source, sizes, 12), 8)
}
