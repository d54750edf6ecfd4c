/** Builds zip files byte by byte, including malformed and malicious ones. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string | Buffer
  data?: string | Uint8Array
  /** The data is not deflated; empty data never is. */
  stored?: boolean
  /** A Unix mode that includes the kind of entry: 0o100644 for a file, 0o120777 for a link. */
  mode?: number
  /** This value and the next four are for both headers; `header` overrides those of the local header. */
  crc?: number
  size?: number
  packed?: number
  method?: number
  flags?: number
  header?: { name?: string; size?: number; packed?: number; method?: number; signature?: number }
  /** The offset of the local header, as the central directory states it. */
  offset?: number
  /** Bytes appended to the packed data and counted as packed. */
  tail?: Uint8Array
  /** Sizes and offset are written in the zip64 form, as for files beyond 4 GB. */
  wide?: boolean
}

export interface ZipEnd {
  count?: number
  comment?: string
  /** Bytes before the archive. */
  before?: Uint8Array
  listLength?: number
  disk?: number
  /** The end record is written in the zip64 form, as for archives beyond 4 GB. */
  wide?: boolean
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [n, value] of values.entries()) bytes.writeUInt16LE(value & 0xffff, n * 2)
  return bytes
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [n, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, n * 4)
  return bytes
}

function u64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [n, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), n * 8)
  return bytes
}

const full = 0xffffffff

/** 2020-02-02 02:02:02 in the two 16-bit words of the format. */
const time = u16((2 << 11) | (2 << 5) | 1, ((2020 - 1980) << 9) | (2 << 5) | 2)

export function buildZip(entries: readonly ZipEntry[], end: ZipEnd = {}): Buffer {
  const pieces: Buffer[] = [Buffer.from(end.before ?? [])]
  const list: Buffer[] = []
  let at = pieces[0]?.length ?? 0
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '')
    const name = Buffer.from(entry.name)
    const packedData = Buffer.concat([
      entry.stored === true || data.length === 0 ? data : deflateRawSync(data),
      entry.tail ?? Buffer.of(),
    ])
    const method = entry.method ?? (entry.stored === true || data.length === 0 ? 0 : 8)
    const flags = entry.flags ?? (typeof entry.name === 'string' ? 0x800 : 0)
    const crc = entry.crc ?? crc32(data)
    const size = entry.size ?? data.length
    const packed = entry.packed ?? packedData.length
    const header = entry.header ?? {}
    const localName = header.name === undefined ? name : Buffer.from(header.name)
    const local = Buffer.concat([
      u32(header.signature ?? 0x04034b50),
      u16(20, flags, header.method ?? method),
      time,
      entry.wide === true ? u32(crc, full, full) : u32(crc, header.packed ?? packed, header.size ?? size),
      u16(localName.length, entry.wide === true ? 20 : 0),
      localName,
      entry.wide === true ? Buffer.concat([u16(1, 16), u64(size, packed)]) : Buffer.of(),
      packedData,
    ])
    list.push(
      u32(0x02014b50),
      u16((entry.mode === undefined ? 0 : 3 << 8) | 20, 20, flags, method),
      time,
      entry.wide === true ? u32(crc, full, full) : u32(crc, packed, size),
      u16(name.length, entry.wide === true ? 28 : 0, 0, 0, 0),
      u32(((entry.mode ?? 0) << 16) >>> 0, entry.wide === true ? full : (entry.offset ?? at)),
      name,
      entry.wide === true ? Buffer.concat([u16(1, 24), u64(size, packed, entry.offset ?? at)]) : Buffer.of(),
    )
    pieces.push(local)
    at += local.length
  }
  const directory = Buffer.concat(list)
  const count = end.count ?? entries.length
  const comment = Buffer.from(end.comment ?? '')
  const wide = Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(count, count, end.listLength ?? directory.length, at),
    u32(0x07064b50, 0),
    u64(at + directory.length),
    u32(1),
  ])
  return Buffer.concat([
    ...pieces,
    directory,
    end.wide === true ? wide : Buffer.of(),
    u32(0x06054b50),
    end.wide === true ? u16(0, 0, 0xffff, 0xffff) : u16(end.disk ?? 0, 0, count, count),
    end.wide === true ? u32(full, full) : u32(end.listLength ?? directory.length, at),
    u16(comment.length),
    comment,
  ])
}
