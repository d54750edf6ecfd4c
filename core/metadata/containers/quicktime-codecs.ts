/** Names of the codecs in MP4 and QuickTime, as in ffprobe. */
import { ascii, indexOfBytes, u8 } from '../binary.ts'

const byFormat: Record<string, string> = {
  avc1: 'h264',
  avc2: 'h264',
  avc3: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  dvh1: 'hevc',
  dvhe: 'hevc',
  av01: 'av1',
  vp08: 'vp8',
  vp09: 'vp9',
  mp4v: 'mpeg4',
  s263: 'h263',
  h263: 'h263',
  H263: 'h263',
  jpeg: 'mjpeg',
  mp1v: 'mpeg1video',
  mp2v: 'mpeg2video',
  apch: 'prores',
  apcn: 'prores',
  apcs: 'prores',
  apco: 'prores',
  ap4h: 'prores',
  ap4x: 'prores',
  AVdh: 'dnxhd',
  mp4a: 'aac',
  samr: 'amr_nb',
  sawb: 'amr_wb',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  Opus: 'opus',
  fLaC: 'flac',
  alac: 'alac',
  '.mp3': 'mp3',
  sowt: 'pcm_s16le',
  twos: 'pcm_s16be',
  lpcm: 'pcm_s16le',
  'raw ': 'pcm_u8',
  in24: 'pcm_s24be',
  in32: 'pcm_s32be',
  fl32: 'pcm_f32be',
  ulaw: 'pcm_mulaw',
  alaw: 'pcm_alaw',
}

/** The codecs of 'mp4a' and 'mp4v' (ISO 14496-1, object type indication). */
const byObjectType: Record<number, string> = {
  32: 'mpeg4',
  33: 'h264',
  35: 'hevc',
  64: 'aac',
  96: 'mpeg2video',
  97: 'mpeg2video',
  98: 'mpeg2video',
  102: 'aac',
  103: 'aac',
  104: 'aac',
  105: 'mp3',
  106: 'mpeg1video',
  107: 'mp3',
  108: 'mjpeg',
  165: 'ac3',
  166: 'eac3',
  169: 'dts',
  173: 'opus',
  221: 'vorbis',
}

/** The codec of a sample entry, which begins with its length. An unknown codec is named by its four letters. */
export function codecOf(entry: Uint8Array): string | undefined {
  const format = ascii(entry, 4, 4)
  const named = byFormat[format]
  if (format === 'mp4a' || format === 'mp4v') return byObjectType[objectType(entry)] ?? named
  // QuickTime wraps Windows' audio formats: 'ms' and the number.
  if (format === 'ms\0\x55') return 'mp3'
  const letters = format.replace(/[^\x21-\x7e]/g, '').toLowerCase()
  return named ?? (letters === '' ? undefined : letters)
}

/** The object type in the decoder's description within the elementary stream descriptor; 0 if there is none. */
function objectType(entry: Uint8Array): number {
  const esds = indexOfBytes(entry, 'esds')
  if (esds < 0) return 0
  let at = afterTag(entry, esds + 8, 3)
  if (at < 0) return 0
  const flags = u8(entry, at + 2)
  at += 3 + (flags & 0x80 ? 2 : 0)
  if (flags & 0x40) at += 1 + u8(entry, at)
  if (flags & 0x20) at += 2
  const config = afterTag(entry, at, 4)
  return config < 0 ? 0 : u8(entry, config)
}

/** Skips a descriptor's tag and its length of one to four bytes; -1 for another tag. */
function afterTag(bytes: Uint8Array, at: number, tag: number): number {
  if (u8(bytes, at) !== tag) return -1
  let next = at + 1
  for (let i = 0; i < 3 && u8(bytes, next) & 0x80; i++) next++
  return next + 1
}
