/** Computes the duration of fragmented films, which streaming and many recorders write, from the last fragments. */
import { u8, u32be, u64be } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { boxAt, boxesIn, type ContainerBox, contentOf, findBox } from './boxes.ts'

/** Fragments of different tracks alternate; the end of each track is among the last of them. */
const lastFragments = 8

interface TrackDefaults {
  /** Ticks per second. */
  scale: number
  /** Ticks per sample. */
  duration: number
}

/** Seconds up to the end of the last fragment, or undefined when unknown. */
export function fragmentsDuration(
  source: ByteSource,
  movie: ContainerBox,
  fragments: readonly ContainerBox[],
): number | undefined {
  const defaults = defaultsOf(source, movie)
  let longest = 0
  for (const fragment of fragments.slice(-lastFragments)) {
    for (const part of boxesIn(source, fragment.start, fragment.end)) {
      if (part.type === 'traf') longest = Math.max(longest, endOf(source, part, defaults))
    }
  }
  return longest > 0 ? longest : undefined
}

function defaultsOf(source: ByteSource, movie: ContainerBox): Map<number, TrackDefaults> {
  const defaults = new Map<number, TrackDefaults>()
  for (const track of boxesIn(source, movie.start, movie.end)) {
    if (track.type !== 'trak') continue
    const header = findBox(source, track.start, track.end, 'tkhd')
    const media = boxAt(source, track, 'mdia', 'mdhd')
    if (header === undefined || media === undefined) continue
    const tkhd = contentOf(source, header, 32)
    const mdhd = contentOf(source, media, 32)
    const id = u32be(tkhd, u8(tkhd, 0) === 1 ? 20 : 12)
    defaults.set(id, { scale: u32be(mdhd, u8(mdhd, 0) === 1 ? 20 : 12), duration: 0 })
  }
  const extended = findBox(source, movie.start, movie.end, 'mvex')
  for (const box of extended === undefined ? [] : boxesIn(source, extended.start, extended.end)) {
    if (box.type !== 'trex') continue
    const trex = contentOf(source, box, 24)
    const known = defaults.get(u32be(trex, 4))
    if (known !== undefined) known.duration = u32be(trex, 12)
  }
  return defaults
}

/** Where one track's part of a fragment ends, in seconds. */
function endOf(source: ByteSource, part: ContainerBox, defaults: Map<number, TrackDefaults>): number {
  const headerBox = findBox(source, part.start, part.end, 'tfhd')
  const timeBox = findBox(source, part.start, part.end, 'tfdt')
  if (headerBox === undefined || timeBox === undefined) return 0
  const header = contentOf(source, headerBox, 32)
  const track = defaults.get(u32be(header, 4))
  if (track === undefined || track.scale === 0) return 0
  const flags = u32be(header, 0) & 0xffffff
  const durationAt = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0)
  const sampleDuration = flags & 8 ? u32be(header, durationAt) : track.duration
  const time = contentOf(source, timeBox, 12)
  let ticks = u8(time, 0) === 1 ? u64be(time, 4) : u32be(time, 4)
  for (const box of boxesIn(source, part.start, part.end)) {
    if (box.type === 'trun') ticks += runDuration(contentOf(source, box, 1024 * 1024), sampleDuration)
  }
  return ticks / track.scale
}

function runDuration(run: Uint8Array, sampleDuration: number): number {
  const flags = u32be(run, 0) & 0xffffff
  const count = u32be(run, 4)
  if ((flags & 0x100) === 0) return count * sampleDuration
  const step = [0x100, 0x200, 0x400, 0x800].filter(flag => flags & flag).length * 4
  let ticks = 0
  let at = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
  for (let i = 0; i < count && at + 4 <= run.length; i++, at += step) ticks += u32be(run, at)
  return ticks
}
