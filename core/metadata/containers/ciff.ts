/** CIFF: metadata of Canon's first cameras, in CRW files and in JPEGs from before EXIF. */
import { startsWith, u16be, u16le, u32be, u32le } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { localFromSeconds } from '../dates.ts'
import type { CameraData } from '../metadata.ts'
import { cleanText, decodeText } from '../text.ts'
import { type Blocks, sizeIfKnown } from './blocks.ts'

interface CiffFields extends Pick<Blocks, 'date' | 'width' | 'height'> {
  camera: CameraData
}

/** Reads a heap from its byte order mark on; null when there is none. */
export function readCiff(source: ByteSource): CiffFields | null {
  const head = source.read(0, 14)
  if (!startsWith(head, 'HEAPJPGM', 6) && !startsWith(head, 'HEAPCCDR', 6)) return null
  const littleEndian = startsWith(head, 'II')
  const fields: CiffFields = { camera: {} }
  const start = littleEndian ? u32le(head, 2) : u32be(head, 2)
  readHeap(fields, source, start, source.size, littleEndian, 0)
  return fields
}

/** Reads a heap, which ends with the offset of its directory (ten bytes per entry). Entries may be heaps themselves. */
function readHeap(
  fields: CiffFields,
  source: ByteSource,
  start: number,
  end: number,
  little: boolean,
  depth: number,
): void {
  const u16 = little ? u16le : u16be
  const u32 = little ? u32le : u32be
  const directory = start + u32(source.read(end - 4, 4), 0)
  const count = Math.min(u16(source.read(directory, 2), 0), 500)
  for (let i = 0; i < count; i++) {
    const entry = source.read(directory + 2 + i * 10, 10)
    if (entry.length < 10) return
    const tag = u16(entry, 0)
    const length = u32(entry, 2)
    const at = start + u32(entry, 6)
    const kind = tag & 0x3800
    if ((tag & 0x4000) !== 0) continue
    if ((kind === 0x2800 || kind === 0x3000) && depth < 5) readHeap(fields, source, at, at + length, little, depth + 1)
    else readValue(fields, tag, source.read(at, Math.min(length, 256)), u32)
  }
}

function readValue(fields: CiffFields, tag: number, bytes: Uint8Array, u32: typeof u32le): void {
  if (tag === 0x180e) {
    // Seconds since 1970 in the camera's local time.
    const local = localFromSeconds(u32(bytes, 0))
    if (local !== null && u32(bytes, 0) > 0) fields.date = { local, offset: null, source: 'exif-original' }
  } else if (tag === 0x080a) {
    const make = cleanText(decodeText(bytes))
    const model = cleanText(decodeText(bytes.subarray(bytes.indexOf(0) + 1)))
    if (make !== undefined) fields.camera.make = make
    if (model !== undefined) fields.camera.model = model
  } else if (tag === 0x1810) Object.assign(fields, sizeIfKnown(u32(bytes, 0), u32(bytes, 4)))
}
