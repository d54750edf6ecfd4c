/** Reads the date, maker and model of AVCHD films (MTS, M2TS) in the video stream, where ffprobe does not look. */
import { concatBytes, indexOfBytes, u8, u16be } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { addText, type Film, noFilm } from './film.ts'

/** Only this many bytes at the beginning are searched. */
const headLength = 1024 * 1024

/** Marks the camera's supplemental information: an identifier and 'MDPM'. */
const marker = Buffer.from('17ee8c60f84d11d98cd60800200c9a664d44504d', 'hex')

const makers: Record<number, string> = { 259: 'Panasonic', 264: 'Sony', 4113: 'Canon', 4356: 'JVC' }

/** The date is stored as 'date' among the film's texts, in ISO 8601 with its offset, if known. */
export function readTransportStream(source: ByteSource): Film {
  const film = noFilm()
  const packets = packetsOf(source.read(0, headLength))
  for (const stream of new Set(packets.map(({ pid }) => pid))) {
    const elementary = concatBytes(packets.flatMap(({ pid, payload }) => (pid === stream ? [payload] : [])))
    for (const unit of unitsOf(elementary, 6)) {
      const at = indexOfBytes(unit, marker)
      if (at >= 0 && film.texts.size === 0) readEntries(film, entriesOf(unit, at + marker.length))
    }
  }
  return film
}

function readEntries(film: Film, entries: Map<number, Uint8Array>): void {
  addText(film, 'date', dateOf(entries.get(0x18), entries.get(0x19)) ?? undefined)
  const maker = entries.get(0xe0)
  addText(film, 'make', maker === undefined ? undefined : makers[u16be(maker, 0)])
  addText(film, 'model', modelOf(entries))
}

/** Splits into packets of 188 bytes, or of 192 with a time stamp before each. */
function packetsOf(bytes: Uint8Array) {
  const packets: { pid: number; payload: Uint8Array }[] = []
  const [first, step] = packetSpacing(bytes)
  if (first < 0) return packets
  for (let at = first; at + 188 <= bytes.length; at += step) {
    if (u8(bytes, at) !== 0x47) break
    const control = u8(bytes, at + 3)
    const adaptation = control & 0x20 ? 1 + u8(bytes, at + 4) : 0
    if ((control & 0x10) === 0 || adaptation > 183) continue
    packets.push({
      pid: u16be(bytes, at + 1) & 0x1fff,
      payload: bytes.subarray(at + 4 + adaptation, at + 188),
    })
  }
  return packets
}

function packetSpacing(bytes: Uint8Array): [first: number, step: number] {
  for (let at = 0; at < 384; at++) {
    for (const step of [188, 192]) {
      if ([0, 1, 2, 3].every(i => u8(bytes, at + i * step) === 0x47)) return [at, step]
    }
  }
  return [-1, 188]
}

/** The network units of one type, without escape bytes; at most a few hundred. */
function* unitsOf(bytes: Uint8Array, type: number): Generator<Uint8Array> {
  let start = -1
  let count = 0
  for (let at = 0; at + 3 <= bytes.length && count < 500; at++) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) continue
    if (start >= 0 && (u8(bytes, start) & 31) === type) yield unescaped(bytes.subarray(start + 1, at))
    start = at + 3
    count++
    at += 2
  }
  if (start >= 0 && (u8(bytes, start) & 31) === type) yield unescaped(bytes.subarray(start + 1, start + 65_536))
}

/** Removes escape bytes: a 3 after two zeros, which only prevents start codes inside the data. */
function unescaped(bytes: Uint8Array): Uint8Array {
  const clean = new Uint8Array(bytes.length)
  let length = 0
  let zeros = 0
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    clean[length++] = byte
  }
  return clean.subarray(0, length)
}

/** Reads a count and its entries, each with a tag and four bytes. */
function entriesOf(unit: Uint8Array, at: number): Map<number, Uint8Array> {
  const entries = new Map<number, Uint8Array>()
  const count = u8(unit, at)
  for (let i = 0; i < count; i++) {
    const entry = at + 1 + i * 5
    if (entry + 5 > unit.length) break
    entries.set(u8(unit, entry), unit.subarray(entry + 1, entry + 5))
  }
  return entries
}

/** `first` holds zone, century, year and month, `second` day, hour, minute and second; four bits per decimal digit. */
function dateOf(first: Uint8Array | undefined, second: Uint8Array | undefined): string | null {
  if (first === undefined || second === undefined) return null
  const [century, year, month] = digits(first.subarray(1))
  const [day, hour, minute, seconds] = digits(second)
  return `${century}${year}-${month}-${day}T${hour}:${minute}:${seconds}${zoneOf(u8(first, 0))}`
}

/** Decodes a time zone: half hours, a sign, and a bit for summer time, which the hours already include. */
function zoneOf(code: number): string {
  if (code & 0x80) return ''
  const hours = String((code >> 1) & 15).padStart(2, '0')
  return `${code & 0x20 ? '-' : '+'}${hours}:${code & 1 ? '30' : '00'}`
}

function digits(bytes: Uint8Array): string[] {
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0'))
}

function modelOf(entries: Map<number, Uint8Array>): string {
  const bytes = [0xe4, 0xe5, 0xe6].flatMap(tag => [...(entries.get(tag) ?? [])])
  const end = bytes.indexOf(0)
  const text = String.fromCharCode(...(end < 0 ? bytes : bytes.slice(0, end)))
  return /^[\x20-\x7e]*$/.test(text) ? text.trim() : ''
}
