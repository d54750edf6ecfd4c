/** Matroska and WebM: length, date, tracks and tags out of the EBML elements before (and, by the index, behind) the film. */
import { u8 } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { decodeText } from '../text.ts'
import { addText, type Film, noFilm, type Track } from './film.ts'

interface Element {
  id: number
  start: number
  /** Offset behind it; for elements of unknown length the end of what they are in. */
  end: number
  /** Of unknown length, as live recordings have them. */
  isOpen: boolean
}

const ids = {
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  date: 0x4461,
  title: 0x7ba9,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  frameDuration: 0x23e383,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  tags: 0x1254c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagString: 0x4487,
  targets: 0x63c0,
  trackUid: 0x63c5,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
} as const

const mostElements = 20_000
/** Nanoseconds between 1970 and 2001, from when Matroska counts, in milliseconds. */
const matroskaEpoch = Date.UTC(2001, 0, 1)

export function readMatroska(source: ByteSource): Film {
  const film = noFilm()
  const segment = elementsIn(source, 0, source.size).find(({ id }) => id === ids.segment)
  if (segment === undefined) {
    film.warnings.push('The film has no segment: it may be cut off')
    return film
  }
  let scale = 1_000_000
  const seen = new Set<number>()
  const take = (element: Element) => {
    if (seen.has(element.start)) return
    seen.add(element.start)
    if (element.id === ids.info) scale = takeInfo(film, source, element)
    else if (element.id === ids.tracks) takeTracks(film, source, element)
    else if (element.id === ids.tags) takeTags(film, source, element)
  }
  const index: number[] = []
  for (const element of elementsIn(source, segment.start, segment.end, true)) {
    if (element.id === ids.seekHead) index.push(...positionsIn(source, element))
    take(element)
  }
  for (const position of index) {
    const element = elementAt(source, segment.start + position, segment.end)
    if (element !== null) take(element)
  }
  // Recordings of browsers have no length: the last block's time is one.
  if (film.duration === undefined) film.duration = lastTime(source, segment, scale)
  return film
}

/** The elements between two offsets; with `untilFilm` only those before the first cluster. */
function elementsIn(source: ByteSource, from: number, to: number, untilFilm = false): Element[] {
  const elements: Element[] = []
  let at = from
  while (at < to && elements.length < mostElements) {
    const element = elementAt(source, at, to)
    if (element === null || (untilFilm && element.id === ids.cluster)) break
    elements.push(element)
    at = element.end
  }
  return elements
}

function elementAt(source: ByteSource, at: number, limit: number): Element | null {
  const head = source.read(at, 12)
  const idLength = Math.clz32(u8(head, 0)) - 23
  if (head.length < 2 || idLength > 4) return null
  const lengthLength = Math.clz32(u8(head, idLength)) - 23
  if (lengthLength > 8 || idLength + lengthLength > head.length) return null
  let length = u8(head, idLength) & (0xff >> lengthLength)
  let isUnknown = length === 0xff >> lengthLength
  for (let i = 1; i < lengthLength; i++) {
    length = length * 256 + u8(head, idLength + i)
    isUnknown = isUnknown && u8(head, idLength + i) === 0xff
  }
  const start = at + idLength + lengthLength
  const end = isUnknown ? limit : Math.min(limit, start + length)
  return { id: unsigned(head.subarray(0, idLength)), start, end, isOpen: isUnknown }
}

function bytesIn(source: ByteSource, element: Element, most = 65_536): Uint8Array {
  return source.read(element.start, Math.min(most, element.end - element.start))
}

function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0)
}

function number(source: ByteSource, element: Element): number {
  return unsigned(bytesIn(source, element, 8))
}

function float(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return bytes.length === 4 ? view.getFloat32(0) : bytes.length === 8 ? view.getFloat64(0) : 0
}

function text(source: ByteSource, element: Element): string {
  return decodeText(bytesIn(source, element))
}

function positionsIn(source: ByteSource, seekHead: Element): number[] {
  const wanted = new Set<number>([ids.info, ids.tracks, ids.tags, ids.seekHead])
  return elementsIn(source, seekHead.start, seekHead.end).flatMap(seek => {
    const parts = elementsIn(source, seek.start, seek.end)
    const id = parts.find(part => part.id === ids.seekId)
    const position = parts.find(part => part.id === ids.seekPosition)
    if (id === undefined || position === undefined || !wanted.has(number(source, id))) return []
    return [number(source, position)]
  })
}

/** Answers the length of a tick in nanoseconds. */
function takeInfo(film: Film, source: ByteSource, info: Element): number {
  let scale = 1_000_000
  let ticks = 0
  for (const element of elementsIn(source, info.start, info.end)) {
    if (element.id === ids.scale) scale = number(source, element) || scale
    else if (element.id === ids.duration) ticks = float(bytesIn(source, element, 8))
    else if (element.id === ids.title) addText(film, 'title', text(source, element))
    else if (element.id === ids.date) {
      const bytes = bytesIn(source, element, 8)
      const nanoseconds = bytes.length === 8 ? new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0) : 0n
      if (nanoseconds !== 0n) film.created = matroskaEpoch + Number(nanoseconds / 1_000_000n)
    }
  }
  if (ticks > 0 && Number.isFinite(ticks)) film.duration = (ticks * scale) / 1e9
  return scale
}

function takeTracks(film: Film, source: ByteSource, tracks: Element): void {
  for (const track of elementsIn(source, tracks.start, tracks.end)) {
    if (track.id === ids.track) takeTrack(film, source, elementsIn(source, track.start, track.end))
  }
}

function takeTrack(film: Film, source: ByteSource, parts: Element[]): void {
  const part = (id: number) => parts.find(element => element.id === id)
  const type = part(ids.trackType)
  const kind = type === undefined ? 0 : number(source, type)
  if (kind !== 1 && kind !== 2) return
  const track: Track = { kind: kind === 1 ? 'video' : 'audio' }
  const codec = part(ids.codec)
  if (codec !== undefined) track.codec = codecOf(text(source, codec))
  const frame = part(ids.frameDuration)
  const nanoseconds = frame === undefined ? 0 : number(source, frame)
  if (kind === 1 && nanoseconds > 0) track.frameRate = 1e9 / nanoseconds
  const video = part(ids.video)
  for (const element of video === undefined ? [] : elementsIn(source, video.start, video.end)) {
    if (element.id === ids.width) track.width = number(source, element)
    else if (element.id === ids.height) track.height = number(source, element)
  }
  film.tracks.push(track)
}

/** Tags of the whole film, not those of single tracks. */
function takeTags(film: Film, source: ByteSource, tags: Element): void {
  for (const tag of elementsIn(source, tags.start, tags.end)) {
    const parts = tag.id === ids.tag ? elementsIn(source, tag.start, tag.end) : []
    const targets = parts.find(({ id }) => id === ids.targets)
    const ofTrack = targets && elementsIn(source, targets.start, targets.end).some(({ id }) => id === ids.trackUid)
    if (ofTrack) continue
    for (const simple of parts.filter(({ id }) => id === ids.simpleTag)) {
      const inner = elementsIn(source, simple.start, simple.end)
      const name = inner.find(({ id }) => id === ids.tagName)
      const value = inner.find(({ id }) => id === ids.tagString)
      if (name && value) addText(film, text(source, name).toLowerCase(), text(source, value))
    }
  }
}

/** Enough for a recording of some hours. */
const mostBlocks = 400_000

/**
 * Seconds at which the last block begins. Clusters are hopped over and only the last one is looked into, but for those
 * of unknown length, whose blocks have to be passed one by one.
 */
function lastTime(source: ByteSource, segment: Element, scale: number): number | undefined {
  const clock = { base: 0, last: 0 }
  let lastCluster: Element | null = null
  let at = segment.start
  for (let count = 0; count < mostBlocks; count++) {
    const element = elementAt(source, at, segment.end)
    if (element === null) break
    if (element.id === ids.cluster && !element.isOpen) lastCluster = element
    else takeTime(clock, source, element)
    at = element.id === ids.cluster && element.isOpen ? element.start : element.end
  }
  for (const element of lastCluster === null ? [] : elementsIn(source, lastCluster.start, lastCluster.end)) {
    takeTime(clock, source, element)
  }
  return clock.last > 0 ? (clock.last * scale) / 1e9 : undefined
}

/** Blocks tell their time relative to their cluster's. */
function takeTime(clock: { base: number; last: number }, source: ByteSource, element: Element): void {
  if (element.id === ids.clusterTime) clock.base = number(source, element)
  const block = element.id === ids.blockGroup ? elementAt(source, element.start, element.end) : element
  if (block === null || (block.id !== ids.simpleBlock && block.id !== ids.block)) return
  const head = bytesIn(source, block, 4)
  const relative = (((u8(head, 1) << 8) | u8(head, 2)) << 16) >> 16
  clock.last = Math.max(clock.last, clock.base + relative)
}

const codecs: Record<string, string> = {
  'V_MPEG4/ISO/AVC': 'h264',
  'V_MPEGH/ISO/HEVC': 'hevc',
  'V_MPEG4/ISO/ASP': 'mpeg4',
  'V_MPEG4/ISO/SP': 'mpeg4',
  V_MPEG1: 'mpeg1video',
  V_MPEG2: 'mpeg2video',
  V_VP8: 'vp8',
  V_VP9: 'vp9',
  V_AV1: 'av1',
  V_MJPEG: 'mjpeg',
  V_THEORA: 'theora',
  V_PRORES: 'prores',
  A_OPUS: 'opus',
  A_VORBIS: 'vorbis',
  A_FLAC: 'flac',
  A_AC3: 'ac3',
  A_EAC3: 'eac3',
  A_DTS: 'dts',
  'A_MPEG/L3': 'mp3',
  'A_MPEG/L2': 'mp2',
  'A_PCM/INT/LIT': 'pcm_s16le',
  'A_PCM/INT/BIG': 'pcm_s16be',
  'A_PCM/FLOAT/IEEE': 'pcm_f32le',
}

function codecOf(id: string): string {
  return codecs[id] ?? (id.startsWith('A_AAC') ? 'aac' : id.replace(/^[VA]_/, '').toLowerCase())
}
