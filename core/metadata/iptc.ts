/** IPTC-IIM: reads the records that picture agencies introduced and that Photoshop wraps in its resource blocks. */
import { ascii, startsWith, u8, u16be, u32be } from './binary.ts'
import { foundDate } from './dates.ts'
import type { FoundDate } from './metadata.ts'
import { cleanText, decodeLatin, decodeText } from './text.ts'

/** One of Photoshop's resource blocks, from `start` to `dataEnd`. */
export interface Resource {
  id: number
  start: number
  lengthAt: number
  dataEnd: number
}

/** Photoshop's resource blocks; `end` is the offset after the last one. The last one may be truncated. */
export function photoshopResources(bytes: Uint8Array): { resources: Resource[]; end: number } {
  const resources: Resource[] = []
  let at = 0
  while (at + 12 <= bytes.length && ascii(bytes, at, 4) === '8BIM') {
    const nameLength = u8(bytes, at + 6) + 1
    const lengthAt = at + 6 + nameLength + (nameLength % 2)
    const length = u32be(bytes, lengthAt)
    resources.push({ id: u16be(bytes, at + 4), start: at, lengthAt, dataEnd: lengthAt + 4 + length })
    at = lengthAt + 4 + length + (length % 2)
  }
  return { resources, end: at }
}

/** The IPTC record among Photoshop's resource blocks; null when there is none. */
export function iptcOfPhotoshop(bytes: Uint8Array): Uint8Array | null {
  const record = photoshopResources(bytes).resources.find(({ id }) => id === 0x0404)
  return record === undefined ? null : bytes.subarray(record.lengthAt + 4, record.dataEnd)
}

/** Reads the data sets of a record. Never throws for damage. */
export function readIptc(bytes: Uint8Array) {
  const sets = new Map<number, Uint8Array[]>()
  let coding: Uint8Array | undefined
  let at = 0
  let damaged = false
  while (at + 5 <= bytes.length && bytes[at] === 0x1c) {
    const record = u8(bytes, at + 1)
    const dataSet = u8(bytes, at + 2)
    const [length, start] = lengthOf(bytes, at + 3)
    const value = bytes.subarray(start, start + length)
    if (value.length < length) damaged = true
    if (record === 1 && dataSet === 90) coding = value
    if (record === 2) {
      const known = sets.get(dataSet)
      if (known === undefined) sets.set(dataSet, [value])
      else known.push(value)
    }
    at = start + length
  }
  return fieldsOf(sets, decoderOf(coding), damaged)
}

/** The length of a data set. Above 32767, it is written as the number of bytes that contain the length. */
function lengthOf(bytes: Uint8Array, at: number): [length: number, start: number] {
  const length = u16be(bytes, at)
  if (length < 0x8000) return [length, at + 2]
  const width = length & 0x7fff
  let long = 0
  for (let i = 0; i < Math.min(width, 8); i++) long = long * 256 + u8(bytes, at + 2 + i)
  return [long, at + 2 + width]
}

/**
 * 'ESC % G' means UTF-8. Most writers declare nothing and use UTF-8 or Windows-1252, which `decodeText` distinguishes;
 * any other escape sequence means one of the old national character sets, usually Latin-1.
 */
function decoderOf(coding: Uint8Array | undefined): (bytes: Uint8Array) => string {
  if (coding === undefined || coding.length === 0 || startsWith(coding, '\x1b%G')) return decodeText
  return bytes => decodeLatin(bytes)
}

export type IptcFields = ReturnType<typeof readIptc>

function fieldsOf(sets: Map<number, Uint8Array[]>, decode: (b: Uint8Array) => string, damaged: boolean) {
  const all = (dataSet: number) => (sets.get(dataSet) ?? []).flatMap(value => cleanText(decode(value)) ?? [])
  const first = (dataSet: number) => all(dataSet)[0]
  const date = createdDate(first(55), first(60))
  return {
    dates: date === null ? [] : [date],
    title: first(5),
    description: first(120),
    keywords: all(25),
    category: first(15),
    supplementalCategories: all(20),
    authors: all(80),
    place: { sublocation: first(92), city: first(90), state: first(95), country: first(101) },
    damaged,
  }
}

/** The date in CCYYMMDD and HHMMSS±HHMM; careless writers add the punctuation of other standards. */
function createdDate(day: string | undefined, time: string | undefined): FoundDate | null {
  if (day === undefined) return null
  const plain = /^(\d{4})(\d{2})(\d{2})$/.exec(day)
  const date = plain === null ? day : `${plain[1]}-${plain[2]}-${plain[3]}`
  const clock = /^(\d{2}):?(\d{2}):?(\d{2})\s*([+-]\d{2}:?\d{2})?/.exec(time ?? '')
  if (clock === null) return foundDate(date, 'iptc')
  return foundDate(`${date} ${clock[1]}:${clock[2]}:${clock[3]}${clock[4] ?? ''}`, 'iptc') ?? foundDate(date, 'iptc')
}
