/** MPEG program and transport streams (MPG, VOB, MTS, M2TS): the first sequence headers and the time stamps at both ends. */
import { concatBytes, indexOfBytes, u8, u16be } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { avcSize } from './avc.ts'
import { avchdFields } from './avchd.ts'
import { sized } from './blocks.ts'
import { type Film, noFilm, type Track } from './film.ts'

/** How much of each end is looked through. */
const endLength = 1024 * 1024

export function readProgramStream(source: ByteSource): Film {
  const film = noFilm()
  const head = source.read(0, endLength)
  const track = mpegVideo(head)
  if (track !== null) film.tracks.push(track)
  const audio = audioInProgram(head)
  if (audio !== undefined) film.tracks.push({ kind: 'audio', codec: audio })
  const tail = source.size > endLength ? source.read(source.size - endLength, endLength) : head
  film.duration = between(timesInProgram(head), timesInProgram(tail), track?.frameRate)
  return film
}

/** Presentation times, in ticks of 90 kHz, of the first and the last pictures. */
interface Times {
  first: number
  last: number
  /** The shortest time between two of them. */
  step: number
}

/** The last picture lasts as long as the others; streams are longer than a day only when their clock jumped. */
function between(head: Times | null, tail: Times | null, frameRate: number | undefined): number | undefined {
  if (head === null || tail === null) return undefined
  const seconds = (tail.last - head.first) / 90_000 + (frameRate ? 1 / frameRate : head.step / 90_000)
  return seconds > 0 && seconds < 86_400 ? Math.round(seconds * 1000) / 1000 : undefined
}

function timesInProgram(bytes: Uint8Array): Times | null {
  const stamps: number[] = []
  for (let at = indexOfBytes(bytes, '\0\0\x01'); at >= 0; at = indexOfBytes(bytes, '\0\0\x01', at + 3)) {
    const id = u8(bytes, at + 3)
    if (id < 0xe0 || id > 0xef) continue
    const time = presentationTime(bytes, at)
    if (time !== null) stamps.push(time)
  }
  return timesOf(stamps)
}

/** Pictures are not stored in the order in which they are shown. */
function timesOf(stamps: number[]): Times | null {
  const sorted = stamps.sort((a, b) => a - b)
  const [first] = sorted
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return null
  const steps = sorted.slice(1).map((stamp, i) => stamp - (sorted[i] ?? stamp))
  const positive = steps.filter(step => step > 0)
  return { first, last, step: positive.length > 0 ? Math.min(...positive) : 0 }
}

/** The time stamp in the header of a packetised elementary stream that begins at `at`, or null. */
function presentationTime(bytes: Uint8Array, at: number): number | null {
  let stamp = at + 9
  if ((u8(bytes, at + 6) & 0xc0) === 0x80) {
    if ((u8(bytes, at + 7) & 0x80) === 0) return null
  } else {
    // MPEG-1: stuffing, then perhaps a buffer size, then the stamp.
    stamp = at + 6
    while (u8(bytes, stamp) === 0xff && stamp < at + 22) stamp++
    if ((u8(bytes, stamp) & 0xc0) === 0x40) stamp += 2
    const kind = u8(bytes, stamp) & 0xf0
    if (kind !== 0x20 && kind !== 0x30) return null
  }
  if (stamp + 5 > bytes.length) return null
  const high = (u8(bytes, stamp) >> 1) & 7
  return high * 2 ** 30 + (u16be(bytes, stamp + 1) >> 1) * 2 ** 15 + (u16be(bytes, stamp + 3) >> 1)
}

const frameRates = [0, 24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60]

/** The first sequence header of MPEG-1 or MPEG-2 video. */
function mpegVideo(bytes: Uint8Array): Track | null {
  const at = indexOfBytes(bytes, '\0\0\x01\xb3')
  if (at < 0) return null
  // Only MPEG-2 follows it up with a sequence extension.
  const extension = indexOfBytes(bytes.subarray(at + 4, at + 400), '\0\0\x01\xb5')
  const track: Track = { kind: 'video', codec: extension < 0 ? 'mpeg1video' : 'mpeg2video' }
  Object.assign(track, sized(u16be(bytes, at + 4) >> 4, u16be(bytes, at + 5) & 0xfff))
  const frameRate = frameRates[u8(bytes, at + 7) & 15]
  // The extension multiplies the rate by a fraction.
  const factors = extension < 0 ? 0 : u8(bytes, at + 4 + extension + 9)
  if (frameRate) track.frameRate = (frameRate * (((factors >> 5) & 3) + 1)) / ((factors & 31) + 1)
  return track
}

function audioInProgram(bytes: Uint8Array): string | undefined {
  for (let at = indexOfBytes(bytes, '\0\0\x01'); at >= 0; at = indexOfBytes(bytes, '\0\0\x01', at + 3)) {
    const id = u8(bytes, at + 3)
    if (id >= 0xc0 && id <= 0xdf) return 'mp2'
    // DVDs carry Dolby and PCM in the first private stream, its kind behind the header.
    if (id === 0xbd) {
      const kind = u8(bytes, at + 9 + u8(bytes, at + 8))
      if (kind >= 0x80 && kind <= 0x87) return 'ac3'
      if (kind >= 0xa0 && kind <= 0xa7) return 'pcm_dvd'
    }
  }
  return undefined
}

const streamCodecs: Record<number, Track> = {
  1: { kind: 'video', codec: 'mpeg1video' },
  2: { kind: 'video', codec: 'mpeg2video' },
  16: { kind: 'video', codec: 'mpeg4' },
  27: { kind: 'video', codec: 'h264' },
  36: { kind: 'video', codec: 'hevc' },
  234: { kind: 'video', codec: 'vc1' },
  3: { kind: 'audio', codec: 'mp2' },
  4: { kind: 'audio', codec: 'mp2' },
  15: { kind: 'audio', codec: 'aac' },
  17: { kind: 'audio', codec: 'aac_latm' },
  128: { kind: 'audio', codec: 'pcm_bluray' },
  129: { kind: 'audio', codec: 'ac3' },
  130: { kind: 'audio', codec: 'dts' },
  131: { kind: 'audio', codec: 'truehd' },
  132: { kind: 'audio', codec: 'eac3' },
}

export function readTransportStream(source: ByteSource): Film {
  const film = noFilm()
  const head = packetsOf(source.read(0, endLength))
  const streams = streamsOf(head)
  const videoPid = [...streams].find(([, { kind }]) => kind === 'video')?.[0]
  for (const track of streams.values()) film.tracks.push({ ...track })
  if (videoPid === undefined) {
    film.warnings.push('The transport stream has no video')
    return film
  }
  const elementary = payloadOf(head, videoPid)
  const video = film.tracks.find(({ kind }) => kind === 'video')
  if (video?.codec === 'h264') {
    Object.assign(video, avcSize(elementary))
    Object.assign(film, avchdFields(elementary))
  } else if (video?.codec?.startsWith('mpeg')) Object.assign(video, mpegVideo(elementary), { codec: video.codec })
  // The last packets need not begin where a packet of the first ones would.
  const tail = source.size > endLength ? packetsOf(source.read(source.size - endLength, endLength)) : head
  film.duration = longest(head, tail, streams, video?.frameRate)
  return film
}

/** Cuts into packets of 188 bytes, or of 192 with a time stamp before each. */
function packetsOf(bytes: Uint8Array) {
  const packets: { pid: number; isStart: boolean; payload: Uint8Array }[] = []
  const [first, step] = rhythmOf(bytes)
  if (first < 0) return packets
  for (let at = first; at + 188 <= bytes.length; at += step) {
    if (u8(bytes, at) !== 0x47) break
    const control = u8(bytes, at + 3)
    const adaptation = control & 0x20 ? 1 + u8(bytes, at + 4) : 0
    if ((control & 0x10) === 0 || adaptation > 183) continue
    packets.push({
      pid: u16be(bytes, at + 1) & 0x1fff,
      isStart: (u8(bytes, at + 1) & 0x40) !== 0,
      payload: bytes.subarray(at + 4 + adaptation, at + 188),
    })
  }
  return packets
}

type Packet = ReturnType<typeof packetsOf>[number]

function rhythmOf(bytes: Uint8Array): [first: number, step: number] {
  for (let at = 0; at < 384; at++) {
    for (const step of [188, 192]) {
      if ([0, 1, 2, 3].every(i => u8(bytes, at + i * step) === 0x47)) return [at, step]
    }
  }
  return [-1, 188]
}

/** Streams by their packet identifiers, from the program association and map tables. */
function streamsOf(packets: Packet[]): Map<number, Track> {
  const streams = new Map<number, Track>()
  const association = packets.find(({ pid, isStart }) => pid === 0 && isStart)?.payload
  if (association === undefined) return streams
  const mapPid = programMapOf(association)
  const map = packets.find(({ pid, isStart }) => pid === mapPid && isStart)?.payload
  if (map === undefined) return streams
  const section = map.subarray(1 + u8(map, 0))
  const end = Math.min(section.length, 3 + (u16be(section, 1) & 0xfff) - 4)
  let at = 12 + (u16be(section, 10) & 0xfff)
  while (at + 5 <= end) {
    const track = streamCodecs[u8(section, at)]
    if (track !== undefined) streams.set(u16be(section, at + 1) & 0x1fff, track)
    at += 5 + (u16be(section, at + 3) & 0xfff)
  }
  return streams
}

/** The first program's map; number 0 is the network's table. */
function programMapOf(payload: Uint8Array): number {
  const section = payload.subarray(1 + u8(payload, 0))
  for (let at = 8; at + 8 <= section.length; at += 4) {
    if (u16be(section, at) !== 0) return u16be(section, at + 2) & 0x1fff
  }
  return -1
}

function payloadOf(packets: Packet[], wanted: number): Uint8Array {
  return concatBytes(packets.filter(({ pid }) => pid === wanted).map(({ payload }) => payload))
}

function longest(
  head: Packet[],
  tail: Packet[],
  streams: Map<number, Track>,
  frameRate: number | undefined,
): number | undefined {
  let duration: number | undefined
  for (const [pid, { kind }] of streams) {
    const step = kind === 'video' ? frameRate : undefined
    const seconds = between(timesOf(stampsOf(head, pid)), timesOf(stampsOf(tail, pid)), step)
    if (seconds !== undefined && seconds > (duration ?? 0)) duration = seconds
  }
  return duration
}

function stampsOf(packets: Packet[], wanted: number): number[] {
  return packets.flatMap(({ pid, isStart, payload }) => {
    if (pid !== wanted || !isStart || u8(payload, 2) !== 1) return []
    return presentationTime(payload, 0) ?? []
  })
}
