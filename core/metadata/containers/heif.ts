/** HEIF and AVIF: the items of the 'meta' box, and the picture's rotation. */
import { ascii, concatBytes, indexOfBytes, startsWith, u8, u16be, u32be, u64be } from '../binary.ts'
import { type ByteSource, memorySource } from '../byte-source.ts'
import { addXmp, type Blocks, noBlocks } from './blocks.ts'
import { boxesIn, type ContainerBox, contentOf, findBox } from './boxes.ts'

interface Item {
  type: string
  contentType: string
}

interface Extent {
  /** 0: offsets in the file, 1: in the 'idat' box. */
  method: number
  parts: { offset: number; length: number }[]
}

const longestBlock = 16 * 1024 * 1024
/** Types of items that are not pictures. */
const nonPictureTypes = new Set(['Exif', 'mime', 'uri '])

export function heifBlocks(source: ByteSource): Blocks {
  const blocks = noBlocks()
  for (const box of boxesIn(source, 0, source.size)) {
    if (box.type === 'meta') readMeta(blocks, source, box)
    // Motion photos of Samsung and Google keep their video in a separate box.
    else if (box.type === 'mpvd') blocks.video = { offset: box.start, length: box.end - box.start }
    else if (box.type === 'mdat' && box.end >= source.size && blocks.width === undefined && box.at > 0) {
      blocks.warnings.push('The file ends within its picture data')
    }
  }
  return blocks
}

function readMeta(blocks: Blocks, source: ByteSource, meta: ContainerBox): void {
  const inside = new Map<string, ContainerBox>()
  for (const box of boxesIn(source, meta.start + 4, meta.end)) if (!inside.has(box.type)) inside.set(box.type, box)
  const items = itemsOf(source, inside.get('iinf'))
  const locations = locationsOf(source, inside.get('iloc'))
  const idat = inside.get('idat')
  const primaryId = primaryOf(source, inside.get('pitm'))
  const described = describedBy(source, inside.get('iref'))
  // Depth maps and other items have their own metadata: the picture's come first.
  const isAboutOther = (id: number) => described.get(id)?.includes(primaryId) === false
  const inOrder = [...items].sort(([a], [b]) => Number(isAboutOther(a)) - Number(isAboutOther(b)))
  for (const [id, item] of inOrder) {
    const isXmp = item.type === 'mime' && /rdf\+xml|xmp/.test(item.contentType)
    if (item.type !== 'Exif' && !isXmp) continue
    if (isXmp ? blocks.xmp.length > 0 : blocks.exif !== undefined) continue
    const bytes = itemBytes(source, locations.get(id), idat)
    if (bytes === null) blocks.warnings.push(`The file's ${isXmp ? 'XMP' : 'EXIF'} item cannot be found`)
    else if (isXmp) addXmp(blocks, bytes)
    else blocks.exif ??= exifItem(bytes)
  }
  const iprp = inside.get('iprp')
  if (iprp !== undefined) Object.assign(blocks, propertiesOf(source, iprp, primaryId))
}

/** Ranges of the coded pictures in the file, sorted by item number, without EXIF, XMP and text. Empty without items. */
export function heifPictureParts(source: ByteSource): { offset: number; length: number }[] {
  const meta = findBox(source, 0, source.size, 'meta')
  if (meta === undefined) return []
  const inside = (type: string) => findBox(source, meta.start + 4, meta.end, type)
  const locations = locationsOf(source, inside('iloc'))
  const idat = inside('idat')
  return [...itemsOf(source, inside('iinf'))]
    .filter(([, { type }]) => !nonPictureTypes.has(type))
    .sort(([a], [b]) => a - b)
    .flatMap(([id]) => extentParts(locations.get(id), idat) ?? [])
}

function primaryOf(source: ByteSource, pitm: ContainerBox | undefined): number {
  if (pitm === undefined) return -1
  const bytes = contentOf(source, pitm, 8)
  return u8(bytes, 0) === 0 ? u16be(bytes, 4) : u32be(bytes, 4)
}

/** For each item, the items that it describes ('cdsc'). */
function describedBy(source: ByteSource, iref: ContainerBox | undefined): Map<number, number[]> {
  const described = new Map<number, number[]>()
  if (iref === undefined) return described
  const isLong = u8(source.read(iref.start, 1), 0) > 0
  const width = isLong ? 4 : 2
  for (const box of boxesIn(source, iref.start + 4, iref.end)) {
    if (box.type !== 'cdsc') continue
    const bytes = contentOf(source, box, 65_536)
    const id = (at: number) => (isLong ? u32be(bytes, at) : u16be(bytes, at))
    const count = Math.min(u16be(bytes, width), Math.floor((bytes.length - width - 2) / width))
    described.set(
      id(0),
      Array.from({ length: Math.max(0, count) }, (_, i) => id(width + 2 + i * width)),
    )
  }
  return described
}

function itemsOf(source: ByteSource, iinf: ContainerBox | undefined): Map<number, Item> {
  const items = new Map<number, Item>()
  if (iinf === undefined) return items
  const version = u8(source.read(iinf.start, 1), 0)
  for (const box of boxesIn(source, iinf.start + (version === 0 ? 6 : 8), iinf.end)) {
    if (box.type !== 'infe') continue
    const infe = contentOf(source, box, 1024)
    const infeVersion = u8(infe, 0)
    if (infeVersion < 2) continue
    const id = infeVersion === 2 ? u16be(infe, 4) : u32be(infe, 4)
    const typeAt = infeVersion === 2 ? 8 : 10
    const nameEnd = infe.indexOf(0, typeAt + 4)
    items.set(id, { type: ascii(infe, typeAt, 4), contentType: ascii(infe, nameEnd + 1, 64).split('\0')[0] ?? '' })
  }
  return items
}

function locationsOf(source: ByteSource, iloc: ContainerBox | undefined): Map<number, Extent> {
  const locations = new Map<number, Extent>()
  if (iloc === undefined) return locations
  const bytes = contentOf(source, iloc, 4 * 1024 * 1024)
  const version = u8(bytes, 0)
  const offsetSize = u8(bytes, 4) >> 4
  const lengthSize = u8(bytes, 4) & 15
  const baseSize = u8(bytes, 5) >> 4
  const indexSize = version === 0 ? 0 : u8(bytes, 5) & 15
  const count = version < 2 ? u16be(bytes, 6) : u32be(bytes, 6)
  let at = version < 2 ? 8 : 10
  for (let i = 0; i < count && at < bytes.length; i++) {
    const id = version < 2 ? u16be(bytes, at) : u32be(bytes, at)
    at += version < 2 ? 2 : 4
    const method = version === 0 ? 0 : u16be(bytes, at) & 15
    at += version === 0 ? 2 : 4
    const base = uintOf(bytes, at, baseSize)
    const extents = u16be(bytes, at + baseSize)
    at += baseSize + 2
    const parts: Extent['parts'] = []
    for (let k = 0; k < extents && at < bytes.length; k++) {
      const offset = base + uintOf(bytes, at + indexSize, offsetSize)
      parts.push({ offset, length: uintOf(bytes, at + indexSize + offsetSize, lengthSize) })
      at += indexSize + offsetSize + lengthSize
    }
    locations.set(id, { method, parts })
  }
  return locations
}

function uintOf(bytes: Uint8Array, at: number, size: number): number {
  return size === 4 ? u32be(bytes, at) : size === 8 ? u64be(bytes, at) : 0
}

/** The parts of the file that contain an item; null if unknown. */
function extentParts(extent: Extent | undefined, idat: ContainerBox | undefined): Extent['parts'] | null {
  if (extent === undefined || extent.method > 1 || (extent.method === 1 && idat === undefined)) return null
  const base = extent.method === 1 ? (idat?.start ?? 0) : 0
  return extent.parts.map(({ offset, length }) => ({ offset: base + offset, length }))
}

function itemBytes(source: ByteSource, extent: Extent | undefined, idat: ContainerBox | undefined): Uint8Array | null {
  const parts = extentParts(extent, idat) ?? []
  const wanted = parts.reduce((sum, part) => sum + part.length, 0)
  if (wanted === 0 || wanted > longestBlock) return null
  const bytes = concatBytes(parts.map(({ offset, length }) => source.read(offset, length)))
  return bytes.length < wanted ? null : bytes
}

/** The item begins with four bytes: the offset of the TIFF header after them. Some writers count wrongly. */
function exifItem(bytes: Uint8Array): ByteSource {
  const offset = 4 + u32be(bytes, 0)
  const isTiff = startsWith(bytes, 'II', offset) || startsWith(bytes, 'MM', offset)
  if (isTiff) return memorySource(bytes.subarray(offset))
  const header = indexOfBytes(bytes.subarray(0, 64), 'Exif\0\0')
  return memorySource(bytes.subarray(header < 0 ? 4 : header + 6))
}

/** Size and orientation among an item's properties. */
function propertiesOf(source: ByteSource, iprp: ContainerBox, id: number): Partial<Blocks> {
  const ipco = findBox(source, iprp.start, iprp.end, 'ipco')
  if (ipco === undefined) return {}
  const properties = [...boxesIn(source, ipco.start, ipco.end)].slice(0, 32_768)
  const found: Partial<Blocks> = {}
  let quarters = 0
  let mirror: Mirror = 'none'
  for (const index of associationsOf(source, iprp, id)) {
    const property = properties[index - 1]
    if (property === undefined) continue
    const bytes = contentOf(source, property, 16)
    if (property.type === 'ispe') {
      found.width = u32be(bytes, 4)
      found.height = u32be(bytes, 8)
    } else if (property.type === 'irot') quarters = u8(bytes, 0) & 3
    else if (property.type === 'imir') mirror = u8(bytes, 0) & 1 ? 'left-right' : 'top-bottom'
  }
  found.orientation = orientationFor(quarters, mirror)
  return found
}

function associationsOf(source: ByteSource, iprp: ContainerBox, wanted: number): number[] {
  for (const box of boxesIn(source, iprp.start, iprp.end)) {
    if (box.type !== 'ipma') continue
    const bytes = contentOf(source, box, 4 * 1024 * 1024)
    const isLong = (u8(bytes, 3) & 1) === 1
    const version = u8(bytes, 0)
    const count = u32be(bytes, 4)
    let at = 8
    for (let i = 0; i < count && at < bytes.length; i++) {
      const id = version === 0 ? u16be(bytes, at) : u32be(bytes, at)
      at += version === 0 ? 2 : 4
      const entries = u8(bytes, at)
      at += 1
      const indices: number[] = []
      for (let k = 0; k < entries; k++, at += isLong ? 2 : 1) {
        indices.push(isLong ? u16be(bytes, at) & 0x7fff : u8(bytes, at) & 0x7f)
      }
      if (id === wanted) return indices
    }
  }
  return []
}

type Mirror = 'none' | 'left-right' | 'top-bottom'

/** The EXIF orientation for a rotation to the left by quarters and then a mirroring (ISO 23008-12). */
function orientationFor(quarters: number, mirror: Mirror): number {
  const turned = [1, 8, 3, 6]
  const turnedThenLeftRight = [2, 7, 4, 5]
  const turnedThenTopBottom = [4, 5, 2, 7]
  const table = mirror === 'none' ? turned : mirror === 'left-right' ? turnedThenLeftRight : turnedThenTopBottom
  return table[quarters] ?? 1
}
