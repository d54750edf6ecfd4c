/** Motion photos: finding the video that phones append to a still. */
import { ascii, startsWith, u16le, u32le } from './binary.ts'
import type { ByteSource } from './byte-source.ts'
import type { XmpMotion } from './xmp/xmp-fields.ts'

export interface MotionVideo {
  offset: number
  length: number
}

/** The video that XMP declares, if it exists: programs that edit a picture drop appended data, but keep the XMP. */
export function declaredVideo(source: ByteSource, motion: XmpMotion): MotionVideo | null {
  if (motion.fromEnd === undefined) return null
  const offset = source.size - motion.fromEnd
  return isVideo(source, offset) ? { offset, length: motion.length ?? motion.fromEnd } : null
}

/** The type of a video in Samsung's directory of appended blocks. */
const embeddedVideo = 0x0a30

/** Samsung's trailer: a directory ('SEFH' … 'SEFT') at the end names blocks, among them 'MotionPhoto_Data'. */
export function samsungVideo(source: ByteSource): MotionVideo | null {
  const tail = source.read(source.size - 8, 8)
  if (!startsWith(tail, 'SEFT', 4)) return null
  const directory = source.size - 8 - u32le(tail, 0)
  const head = source.read(directory, 12)
  if (!startsWith(head, 'SEFH')) return null
  const count = Math.min(u32le(head, 8), 1000)
  for (let i = 0; i < count; i++) {
    const entry = source.read(directory + 12 + i * 12, 12)
    if (u16le(entry, 2) !== embeddedVideo) continue
    const block = directory - u32le(entry, 4)
    const nameLength = u32le(source.read(block, 8), 4)
    const offset = block + 8 + nameLength
    if (isVideo(source, offset)) return { offset, length: u32le(entry, 8) - 8 - nameLength }
  }
  return null
}

function isVideo(source: ByteSource, offset: number): boolean {
  return ascii(source.read(offset + 4, 4), 0, 4) === 'ftyp'
}
