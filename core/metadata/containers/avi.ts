/** AVI: the headers of its streams, and the date and the words that cameras add. */
import { ascii, u16le, u32le } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { decodeText } from '../text.ts'
import { sized } from './blocks.ts'
import { addText, type Film, noFilm, type Track } from './film.ts'
import { riffChunks } from './riff.ts'

/** What of it lies before the film; the index and the film itself are of no interest. */
const mostChunks = 2000

export function readAvi(source: ByteSource): Film {
  const film = noFilm()
  takeList(film, source, 12, source.size, { left: mostChunks })
  return film
}

function takeList(film: Film, source: ByteSource, from: number, to: number, budget: { left: number }): void {
  let track: Track | null = null
  for (const { type, start, length } of riffChunks(source, from, to)) {
    if (budget.left-- <= 0) return
    if (type === 'LIST') {
      const kind = ascii(source.read(start, 4), 0, 4)
      if (kind === 'hdrl' || kind === 'strl' || kind === 'INFO')
        takeList(film, source, start + 4, start + length, budget)
    } else if (type === 'strh') {
      track = takeStream(film, source.read(start, 48))
    } else if (type === 'strf' && track !== null) {
      takeFormat(track, source.read(start, 40))
    } else if (type === '_PMX') film.xmp.push(source.read(start, Math.min(length, 1024 * 1024)))
    else if (type === 'IDIT' || /^I[A-Z]{3}$/.test(type)) {
      addText(film, type, decodeText(source.read(start, Math.min(length, 65_536))))
    }
  }
}

function takeStream(film: Film, header: Uint8Array): Track | null {
  const kind = ascii(header, 0, 4)
  if (kind !== 'vids' && kind !== 'auds') return null
  const track: Track = { kind: kind === 'vids' ? 'video' : 'audio' }
  const scale = u32le(header, 20)
  const rate = u32le(header, 24)
  const length = u32le(header, 32)
  if (scale > 0 && rate > 0) {
    if (kind === 'vids') track.frameRate = rate / scale
    const seconds = (length * scale) / rate
    // The longer of picture and sound, as for films of other kinds.
    if (seconds > 0 && seconds < 1e7) film.duration = Math.max(film.duration ?? 0, seconds)
  }
  film.tracks.push(track)
  return track
}

function takeFormat(track: Track, format: Uint8Array): void {
  if (track.kind === 'audio') {
    track.codec = audioCodecs[u16le(format, 0)]
    return
  }
  Object.assign(track, sized(u32le(format, 4), Math.abs(u32le(format, 8) | 0)))
  const letters = ascii(format, 16, 4)
  track.codec = videoCodecs[letters.toUpperCase()] ?? (letters.replace(/[^\x21-\x7e]/g, '').toLowerCase() || 'rawvideo')
}

const videoCodecs: Record<string, string> = {
  H264: 'h264',
  X264: 'h264',
  AVC1: 'h264',
  HEVC: 'hevc',
  H265: 'hevc',
  XVID: 'mpeg4',
  DIVX: 'mpeg4',
  DX50: 'mpeg4',
  FMP4: 'mpeg4',
  MP4V: 'mpeg4',
  DIV3: 'msmpeg4v3',
  MP43: 'msmpeg4v3',
  MP42: 'msmpeg4v2',
  MJPG: 'mjpeg',
  DVSD: 'dvvideo',
  CVID: 'cinepak',
  IV50: 'indeo5',
  MPG2: 'mpeg2video',
  MPG1: 'mpeg1video',
}

const audioCodecs: Record<number, string> = {
  1: 'pcm_s16le',
  2: 'adpcm_ms',
  6: 'pcm_alaw',
  7: 'pcm_mulaw',
  17: 'adpcm_ima_wav',
  80: 'mp2',
  85: 'mp3',
  255: 'aac',
  353: 'wmav2',
  8192: 'ac3',
}
