/** Keeps the IPTC-IIM record in Photoshop's resource blocks consistent with XMP. */
import { createHash } from 'node:crypto'
import { u8, u16be } from '../binary.ts'
import { photoshopResources } from '../iptc.ts'
import { decodeUtf8OrLatin } from '../text.ts'
import { placeParts } from './place-parts.ts'
import type { WantedTags, WrittenSet } from './written-tags.ts'
import { fileText } from './xml-nodes.ts'
import { offsetText } from './xmp-tags.ts'

interface Resource {
  id: number
  /** Signature, number and name, unchanged. */
  head: Uint8Array
  data: Uint8Array
}

const iptcResource = 0x0404
/** MD5 of the record: Photoshop detects changes by it. */
const digestResource = 0x0425

/** Writes the sets into the IPTC record of resource blocks. Blocks without a record stay; null for damaged blocks. */
export function writeIptcTags(
  blocks: Uint8Array,
  wanted: WantedTags,
  sets: ReadonlySet<WrittenSet>,
): Uint8Array | null {
  const resources = readResources(blocks)
  const record = resources?.find(({ id }) => id === iptcResource)
  if (resources === null || record === undefined) return resources === null ? null : blocks
  const written = writeRecord(record.data, wanted, sets)
  if (written === null) return null
  return Buffer.concat(
    resources.flatMap(resource => {
      if (resource === record) return resourceBytes(resource, written)
      if (resource.id !== digestResource) return resourceBytes(resource, resource.data)
      return resourceBytes(resource, createHash('md5').update(written).digest())
    }),
  )
}

function readResources(bytes: Uint8Array): Resource[] | null {
  const { resources, end } = photoshopResources(bytes)
  // A single byte at the end is padding.
  if (bytes.length - end > 1 || resources.some(({ dataEnd }) => dataEnd > bytes.length)) return null
  return resources.map(({ id, start, lengthAt, dataEnd }) => ({
    id,
    head: bytes.subarray(start, lengthAt),
    data: bytes.subarray(lengthAt + 4, dataEnd),
  }))
}

function resourceBytes({ head }: Resource, data: Uint8Array): Uint8Array[] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return [head, length, data, new Uint8Array(data.length % 2)]
}

interface DataSet {
  record: number
  number: number
  data: Uint8Array
}

/** 2:55, 2:60 date; 2:15, 2:20 category; 2:25 keywords; 2:80 author; 2:90 to 2:101 place; 2:120 description. */
const numbersOf: Partial<Record<WrittenSet, readonly number[]>> = {
  DateTimeOriginal: [55, 60],
  Category: [15, 20],
  Keywords: [25],
  Author: [80],
  Locations: [90, 92, 95, 101],
  Description: [120],
}
/** Longer values need another form of length, which few programs read. */
const longestValue = 32_767
const utf8Mark: DataSet = { record: 1, number: 90, data: Buffer.from('\x1b%G') }

function writeRecord(bytes: Uint8Array, wanted: WantedTags, sets: ReadonlySet<WrittenSet>): Uint8Array | null {
  const before = readDataSets(bytes)
  if (before === null) return null
  const replaced = new Set([...sets].flatMap(set => numbersOf[set] ?? []))
  const hasWords = replaced.size > 0 && before.some(({ record, number }) => record === 2 && number > 0)
  if (!hasWords) return bytes
  const kept = before.filter(({ record, number }) => !(record === 2 && replaced.has(number)))
  const coding = before.find(({ record, number }) => record === 1 && number === 90)
  const added = [...sets]
    .flatMap(set => valuesOf(set, wanted))
    .map(([number, text]) => ({ record: 2, number, data: Buffer.from(fileText(text)) }))
    .filter(({ data }) => data.length > 0 && data.length <= longestValue)
  const texts = kept.map(set => inUtf8(set, coding))
  const all = [
    ...(coding === undefined ? [utf8Mark] : []),
    ...texts.filter(({ record }) => record <= 2),
    ...added,
    ...texts.filter(({ record }) => record > 2),
  ]
  return all.some(({ data }) => data.length > longestValue) ? null : Buffer.concat(all.flatMap(dataSetBytes))
}

function valuesOf(set: WrittenSet, wanted: WantedTags): [number: number, text: string][] {
  const { date } = wanted
  switch (set) {
    case 'DateTimeOriginal':
      // The standard requires an offset; without a known one, all programs write zero.
      return date === null
        ? []
        : [
            [55, date.local.slice(0, 10).replaceAll('-', '')],
            [60, `${date.local.slice(11).replaceAll(':', '')}${offsetText(date.offset ?? 0).replace(':', '')}`],
          ]
    case 'Category':
      return wanted.category.map(word => [20, word])
    case 'Keywords':
      return wanted.keywords.map(word => [25, word])
    case 'Author':
      return wanted.author.map(word => [80, word])
    case 'Locations': {
      const { sublocation = '', city = '', state = '', country = '' } = placeParts(wanted.placeName)
      return [
        [90, city],
        [92, sublocation],
        [95, state],
        [101, country],
      ]
    }
    case 'Description':
      return [[120, wanted.description]]
    default:
      return []
  }
}

function readDataSets(bytes: Uint8Array): DataSet[] | null {
  const sets: DataSet[] = []
  let at = 0
  while (at + 5 <= bytes.length && bytes[at] === 0x1c) {
    const length = u16be(bytes, at + 3)
    // Only previews use the long form of lengths. A record that cannot be read completely is not changed.
    if (length > longestValue || at + 5 + length > bytes.length) return null
    sets.push({ record: u8(bytes, at + 1), number: u8(bytes, at + 2), data: bytes.subarray(at + 5, at + 5 + length) })
    at += 5 + length
  }
  return bytes.subarray(at).every(byte => byte === 0) ? sets : null
}

/** Converts a text to UTF-8, since the record is declared as UTF-8 now. */
function inUtf8(set: DataSet, coding: DataSet | undefined): DataSet {
  if (coding !== undefined && Buffer.from(coding.data).equals(Buffer.from(utf8Mark.data))) return set
  if (set.record === 1 && set.number === 90) return utf8Mark
  // 2:0 is a number, from 2:200 on there are previews.
  const isText = set.record === 2 && set.number > 0 && set.number < 200
  return isText ? { ...set, data: Buffer.from(decodeUtf8OrLatin(set.data)) } : set
}

function dataSetBytes({ record, number, data }: DataSet): Uint8Array[] {
  const head = Buffer.of(0x1c, record, number, 0, 0)
  head.writeUInt16BE(data.length, 3)
  return [head, data]
}
