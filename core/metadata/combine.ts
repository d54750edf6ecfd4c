/** Combines all blocks of one file, by the rules of the Metadata Working Group. */
import type { TagSetName } from '../../schema/api/tags.ts'
import type { ByteSource } from './byte-source.ts'
import type { Blocks } from './containers/blocks.ts'
import { type ExifFields, readExif } from './exif.ts'
import { comparable } from './file-regions.ts'
import { type IptcFields, iptcOfPhotoshop, readIptc } from './iptc.ts'
import { byPrecedence, type FoundDate, type Metadata } from './metadata.ts'
import { declaredVideo } from './motion.ts'
import { believablePosition, type Position } from './position.ts'
import { parseXmp, type XmpValue } from './xmp/xmp.ts'
import { type XmpFields, xmpFields } from './xmp/xmp-fields.ts'

/** Texts that cameras write where users describe pictures: 'OLYMPUS DIGITAL CAMERA', 'SONY DSC', 'DCIM\100GOPRO' … */
const cameraTexts = [
  /^(?:[A-Z]+ )*DIGITAL (?:STILL )?CAMERA$/,
  /^(?:SONY DSC|SAMSUNG|SAMSUNG CAMERA PICTURES|KODAK CAMERA|EPSON DSC PICTURE|EXIF_JPEG_PICTURE|JPEG-PICTURE|default)$/i,
  /^<Digimax .*>$/,
  /^DCIM\\\d{3}\w{5}$/,
  // The modes of Huawei's and Honor's cameras.
  /^(?:dav|cof|cav|mde|nor|sdr|edf|rpt|hdr|hdrpl|rhdr|oznor|cuhdr)$/,
  /^[\s.\-_?]*$/,
]

/** Interprets the blocks of a file. `exif` is passed if it does not come from `blocks.exif`. */
export function combineBlocks(source: ByteSource, blocks: Blocks, exif: ExifFields | null = exifIn(blocks)): Metadata {
  const warnings = [...blocks.warnings]
  if (exif === null && blocks.exif !== undefined) warnings.push('The EXIF block is not EXIF')
  if (exif?.damaged) warnings.push('The EXIF block is damaged')
  const record = blocks.iptc ?? exif?.iptc ?? (exif?.photoshop === undefined ? null : iptcOfPhotoshop(exif.photoshop))
  const iptc = record ? readIptc(record) : null
  if (iptc?.damaged) warnings.push('The IPTC block is damaged')
  const xmp = xmpOf([...blocks.xmp, ...(exif?.xmp === undefined ? [] : [exif.xmp])], warnings)
  const metadata = combineFields(exif, xmp, iptc)
  if (metadata.latitude === undefined && hasInvalidPosition(exif, xmp))
    warnings.push('The position is not on the globe')
  const video = blocks.video ?? (xmp === null ? null : declaredVideo(source, xmp.motion)) ?? undefined
  return { ...withContainer(metadata, { ...blocks, video }), warnings: distinct(warnings) }
}

function exifIn(blocks: Blocks): ExifFields | null {
  return blocks.exif === undefined ? null : readExif(blocks.exif)
}

/** Joins packets: earlier ones have precedence. Lists are united unless an earlier packet declares sets complete. */
export function xmpOf(packets: readonly Uint8Array[], warnings: string[]): XmpFields | null {
  const properties = new Map<string, XmpValue>()
  for (const bytes of packets) {
    const packet = parseXmp(bytes)
    if (!packet.wellFormed) warnings.push('The XMP packet is damaged')
    const isUnited = !properties.has('keepsake:Complete')
    for (const [name, value] of packet.properties) {
      const earlier = properties.get(name)
      if (earlier === undefined) properties.set(name, value)
      else if (isUnited && isPlainList(earlier) && isPlainList(value))
        properties.set(name, { ...earlier, items: [...earlier.items, ...value.items] })
    }
  }
  return properties.size === 0 ? null : xmpFields(properties)
}

/** Whether a value is a list of texts, and not one text in several languages. */
function isPlainList({ items }: XmpValue): boolean {
  return items.length > 0 && items.every(({ text, fields, language }) => text !== '' && fields.size === 0 && !language)
}

/** Combines the three standards: chooses single values by precedence, and unites lists. */
export function combineFields(exif: ExifFields | null, xmp: XmpFields | null, iptc: IptcFields | null): Metadata {
  const complete = xmp?.complete ?? []
  // If the XMP packet declares a set complete, the older standards do not count for it.
  const olderStandards = (set: TagSetName) => (complete.includes(set) ? { exif: null, iptc: null } : { exif, iptc })
  const date = olderStandards('DateTimeOriginal')
  // If the packet declares the date complete, a date of scanning or editing does not replace a missing date taken.
  const isOriginal = ({ source }: FoundDate) => source === 'xmp-original' || source === 'xmp-photoshop'
  const xmpDates = xmp?.dates.filter(one => !complete.includes('DateTimeOriginal') || isOriginal(one)) ?? []
  const category = olderStandards('Category').iptc
  const author = olderStandards('Author')
  return {
    dates: byPrecedence([...(date.exif?.dates ?? []), ...xmpDates, ...(date.iptc?.dates ?? [])]),
    gpsTime: exif?.gpsTime ?? xmp?.gpsTime,
    placeName: placeName(xmp, olderStandards('Locations').iptc),
    ...positionOf(olderStandards('Locations').exif, xmp),
    description: complete.includes('Description')
      ? xmp?.description
      : [xmp?.description, exif?.description, iptc?.description].find(isUserText),
    title: [xmp?.title, iptc?.title, exif?.title].find(isUserText),
    keywords: keywordsOf(olderStandards('Keywords').exif, xmp, olderStandards('Keywords').iptc),
    category: distinct([
      ...(xmp?.supplementalCategories ?? []),
      ...(category?.supplementalCategories ?? []),
      ...asList(xmp?.category),
      ...asList(category?.category),
    ]),
    author: distinct([...(xmp?.authors ?? []), ...(author.exif?.artists ?? []), ...(author.iptc?.authors ?? [])]),
    rating: xmp?.rating ?? olderStandards('Rating').exif?.rating,
    regions: xmp?.regions ?? [],
    people: peopleWithoutRegion(xmp),
    objects: xmp?.objects.length ? xmp.objects : undefined,
    rotation: xmp?.rotation,
    recycled: xmp?.recycled === true ? true : undefined,
    albums: xmp?.albums.length ? xmp.albums : undefined,
    complete: complete.length > 0 ? complete : undefined,
    camera: { ...xmp?.camera, ...exif?.camera },
    orientation: exif?.orientation ?? xmp?.orientation,
    contentIdentifier: exif?.contentIdentifier,
    warnings: [],
  }
}

/** Adds the container's own values. Its date comes first, unless EXIF has the original date or XMP's is complete. */
function withContainer(metadata: Metadata, blocks: Blocks): Metadata {
  const { complete = [] } = metadata
  const isOriginal = metadata.dates[0]?.source === 'exif-original' || complete.includes('DateTimeOriginal')
  const isSized = blocks.width !== undefined && blocks.height !== undefined
  const described = isUserText(blocks.description) && !complete.includes('Description') ? blocks.description : undefined
  const needsAuthor = metadata.author.length === 0 && blocks.author !== undefined && !complete.includes('Author')
  return {
    ...metadata,
    dates: blocks.date === undefined || isOriginal ? metadata.dates : [blocks.date, ...metadata.dates],
    camera: { ...blocks.camera, ...metadata.camera },
    width: isSized ? blocks.width : undefined,
    height: isSized ? blocks.height : undefined,
    orientation: blocks.orientation ?? metadata.orientation,
    description: metadata.description ?? described,
    title: metadata.title ?? (isUserText(blocks.title) ? blocks.title : undefined),
    author: needsAuthor ? asList(blocks.author) : metadata.author,
    motionVideoOffset: blocks.video?.offset,
    motionVideoLength: blocks.video?.length,
  }
}

/** Whether a text was written by people, rather than by a camera into every picture. */
function isUserText(text: string | undefined): text is string {
  return text !== undefined && !cameraTexts.some(pattern => pattern.test(text))
}

function keywordsOf(exif: ExifFields | null, xmp: XmpFields | null, iptc: IptcFields | null): string[] {
  const keywords = distinct([...(xmp?.keywords ?? []), ...(iptc?.keywords ?? [])])
  const seen = new Set(keywords.map(comparable))
  // Some programs join with commas what Windows joins with semicolons: such a text adds nothing new.
  const isRepeated = (keyword: string) =>
    keyword.includes(',') && keyword.split(',').every(part => seen.has(comparable(part.trim())))
  return distinct([...keywords, ...(exif?.keywords ?? []).filter(keyword => !isRepeated(keyword))])
}

/** Texts without duplicates; the first spelling of each is kept. */
export function distinct(texts: readonly string[]): string[] {
  const seen = new Map<string, string>()
  for (const text of texts) {
    const key = comparable(text)
    if (!seen.has(key)) seen.set(key, text)
  }
  return [...seen.values()]
}

function asList(text: string | undefined): string[] {
  return text === undefined ? [] : [text]
}

function peopleWithoutRegion(xmp: XmpFields | null): string[] {
  const inRegions = new Set((xmp?.regions ?? []).map(({ name }) => comparable(name)))
  return distinct(xmp?.people ?? []).filter(name => !inRegions.has(comparable(name)))
}

/** EXIF's position, or XMP's where EXIF has none. */
function positionOf(exif: ExifFields | null, xmp: XmpFields | null): Position | null {
  const inExif = believablePosition(exif?.latitude, exif?.longitude, exif?.altitude)
  return inExif ?? believablePosition(xmp?.latitude, xmp?.longitude, xmp?.altitude)
}

function hasInvalidPosition(...all: (ExifFields | XmpFields | null)[]): boolean {
  return all.some(
    fields => fields !== null && (Math.abs(fields.latitude ?? 0) > 90 || Math.abs(fields.longitude ?? 0) > 180),
  )
}

function placeName(xmp: XmpFields | null, iptc: IptcFields | null): string | undefined {
  const smallestFirst = ['sublocation', 'city', 'state', 'country'] as const
  const parts = smallestFirst.map(part => xmp?.place[part] ?? iptc?.place[part])
  const name = distinct(parts.filter(part => part !== undefined)).join(', ')
  return name === '' ? undefined : name
}
