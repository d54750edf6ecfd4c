/** The boxes (atoms) that ISO base media files are made of: MP4, QuickTime, HEIF, AVIF, JPEG XL, Canon's CR3. */
import { ascii, u32be, u64be } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'

export interface ContainerBox {
  type: string
  /** Offset of the content, after the header; for 'uuid' also after the identifier. */
  start: number
  /** Offset of the first byte after the box. */
  end: number
  /** Offset of the header. */
  at: number
  /** 32 hexadecimal digits, for boxes of the type 'uuid'. */
  uuid?: string
}

/** Fragmented films have some boxes per second; this limit is enough for days. */
const maxBoxes = 200_000

/** The boxes between two offsets, in order. A box that exceeds the end is cut. */
export function* boxesIn(source: ByteSource, from: number, to: number): Generator<ContainerBox> {
  let at = from
  const limit = Math.min(to, source.size)
  for (let count = 0; count < maxBoxes && at + 8 <= limit; count++) {
    const head = source.read(at, 32)
    if (head.length < 8) return
    const type = ascii(head, 4, 4)
    const short = u32be(head, 0)
    const headLength = (short === 1 ? 16 : 8) + (type === 'uuid' ? 16 : 0)
    const length = short === 1 ? u64be(head, 8) : short === 0 ? limit - at : short
    // An impossible length: no boxes follow.
    if (length < headLength) return
    const box: ContainerBox = { type, at, start: at + headLength, end: Math.min(limit, at + length) }
    if (type === 'uuid') box.uuid = Buffer.from(head.subarray(headLength - 16, headLength)).toString('hex')
    yield box
    at += length
  }
}

export function findBox(source: ByteSource, from: number, to: number, type: string): ContainerBox | undefined {
  for (const box of boxesIn(source, from, to)) if (box.type === type) return box
  return undefined
}

/** Follows a path of types from box to box. */
export function boxAt(source: ByteSource, from: ContainerBox, ...path: string[]): ContainerBox | undefined {
  let box: ContainerBox | undefined = from
  for (const type of path) box = box && findBox(source, box.start, box.end, type)
  return box
}

/** The content of a box, at most `limit` bytes; empty for a missing box. */
export function contentOf(source: ByteSource, box: ContainerBox | undefined, limit = 16 * 1024 * 1024): Uint8Array {
  return box === undefined ? new Uint8Array(0) : source.read(box.start, Math.min(limit, box.end - box.start))
}

/** The identifier of boxes with Adobe's XMP packets. */
export const xmpUuid = 'be7acfcb97a942e89c71999491e3afac'
