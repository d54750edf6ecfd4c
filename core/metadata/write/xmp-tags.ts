/** Writes tag sets into an XMP packet: their properties are replaced, all others stay. */
import type { TagSetName } from '../../../schema/api/tags.ts'
import { albumText } from '../albums.ts'
import { distinct } from '../combine.ts'
import { comparable } from '../file-regions.ts'
import type { CameraData } from '../metadata.ts'
import type { StoredPicture } from '../regions.ts'
import { cleanText } from '../text.ts'
import { isRdf, parseXmp } from '../xmp/xmp.ts'
import { type XmpFields, xmpFields } from '../xmp/xmp-fields.ts'
import { placeParts } from './place-parts.ts'
import type { WantedTags, WrittenSet } from './written-tags.ts'
import { fileText, type XmlNode } from './xml-nodes.ts'
import { editXmp, itemsOf, type XmpEditor } from './xmp-editor.ts'
import { writeRegions } from './xmp-region-tags.ts'

export interface XmpChange {
  wanted: WantedTags
  /** The sets to write; others stay as they are. */
  sets: ReadonlySet<WrittenSet>
  /** The picture that regions are on; null if its size is unknown. */
  picture: StoredPicture | null
  /** Sets that the packet declares complete. */
  complete: readonly TagSetName[]
  /** Camera settings, for a picture made from another one; `altitude` is in metres above the sea. */
  cameraData?: CameraData & { altitude: number | null }
  /** White space before the end of a packet; null: unchanged. */
  padding: number | null
  /** Off for the second part of a packet: properties are only removed from it. */
  additions?: boolean
}

/** The changed packet; null for a damaged one. `bytes` is null if there is no packet yet. */
export function writeXmpTags(bytes: Uint8Array | null, change: XmpChange): Uint8Array | null {
  const editor = editXmp(bytes, change.additions !== false)
  if (editor === null) return null
  const { wanted, sets, picture } = change
  if (sets.has('DateTimeOriginal')) writeDate(editor, wanted)
  if (sets.has('Description')) writeDescription(editor, wanted)
  if (sets.has('Keywords')) writeKeywords(editor, wanted.keywords)
  if (sets.has('Category')) writeCategory(editor, wanted.category)
  if (sets.has('Author')) {
    writeList(editor, 'dc:creator', 'rdf:Seq', wanted.author)
    editor.remove('tiff:Artist')
  }
  if (sets.has('Locations'))
    writeLocation(editor, wanted, bytes === null ? null : xmpFields(parseXmp(bytes).properties))
  if (sets.has('Rating')) writeRating(editor, wanted.rating)
  if (sets.has('Rotation')) writeText(editor, 'keepsake:Rotation', wanted.rotation === 0 ? '' : String(wanted.rotation))
  if (sets.has('Recycled')) writeText(editor, 'keepsake:Recycled', wanted.recycled === true ? 'True' : '')
  if (sets.has('Albums')) writeList(editor, 'keepsake:Albums', 'rdf:Bag', (wanted.albums ?? []).map(albumText))
  if (sets.has('People') || sets.has('Object')) writeRegions(editor, wanted, sets, picture)
  if (sets.has('Object')) {
    const unplaced =
      picture === null ? wanted.regions.filter(({ kind }) => kind === 'object').map(({ name }) => name) : []
    writeList(editor, 'keepsake:ObjectInImage', 'rdf:Bag', [...new Set([...wanted.objects, ...unplaced])])
  }
  if (change.cameraData !== undefined) writeCamera(editor, change.cameraData)
  writeList(editor, 'keepsake:Complete', 'rdf:Bag', change.complete)
  return editor.bytes(change.padding)
}

/** A number in XMP: a fraction, as exact as the library's. */
function fraction(value: number): string {
  if (Number.isInteger(value)) return `${value}/1`
  // Exposure times are written as parts of a second.
  const parts = Math.round(1 / value)
  if (value < 1 && Math.abs(1 / parts - value) < value * 1e-5) return `1/${parts}`
  return `${Math.round(value * 1_000_000_000)}/1000000000`
}

function writeCamera(editor: XmpEditor, camera: NonNullable<XmpChange['cameraData']>): void {
  const { make, model, lens, focalLength, aperture, exposure, iso, altitude } = camera
  const texts = { 'tiff:Make': make, 'tiff:Model': model, 'exifEX:LensModel': lens }
  for (const [name, value] of Object.entries(texts)) if (value !== undefined) writeText(editor, name, value)
  if (iso !== undefined) writeText(editor, 'exifEX:PhotographicSensitivity', String(iso))
  const numbers = { 'exif:FocalLength': focalLength, 'exif:FNumber': aperture, 'exif:ExposureTime': exposure }
  for (const [name, value] of Object.entries(numbers)) if (value !== undefined) writeText(editor, name, fraction(value))
  if (altitude === null) return
  writeText(editor, 'exif:GPSAltitude', fraction(Math.abs(altitude)))
  writeText(editor, 'exif:GPSAltitudeRef', altitude < 0 ? '1' : '0')
}

function writeText(editor: XmpEditor, name: string, value: string): void {
  if (fileText(value) === '') editor.remove(name)
  else editor.setText(name, value)
}

/** Writes a list; an equal list keeps its form. */
function writeList(editor: XmpEditor, name: string, kind: 'rdf:Bag' | 'rdf:Seq', values: readonly string[]): void {
  const texts = values.map(fileText).filter(text => text !== '')
  if (texts.length === 0) {
    editor.remove(name)
    return
  }
  const [only, ...others] = editor.occurrences(name)
  const written = only?.element ? itemsOf(only.element)?.items.map(item => item.text.trim()) : undefined
  if (others.length === 0 && written !== undefined && JSON.stringify(written) === JSON.stringify(texts)) return
  editor.set({ name, children: [{ name: kind, children: texts.map(text => ({ name: 'rdf:li', text })) }] })
}

/** An offset in minutes as '+02:00'. */
export function offsetText(offset: number): string {
  const minutes = Math.abs(offset)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

function writeDate(editor: XmpEditor, { date }: WantedTags): void {
  // '2019-08-01T14:22:33+02:00'
  const zone = date === null || date.offset === null ? '' : offsetText(date.offset)
  const text = date === null ? '' : `${date.local.replace(' ', 'T')}${zone}`
  writeText(editor, 'exif:DateTimeOriginal', text)
  writeText(editor, 'photoshop:DateCreated', text)
  // These would be read as the offset and the fraction of the new date.
  for (const name of ['exifEX:OffsetTimeOriginal', 'exif:OffsetTimeOriginal', 'exif:SubSecTimeOriginal'])
    editor.remove(name)
}

/** Writes the default text; texts in named languages are left to other programs. */
function writeDescription(editor: XmpEditor, { description }: WantedTags): void {
  editor.remove('tiff:ImageDescription')
  const name = 'dc:description'
  if (fileText(description) === '') {
    editor.remove(name)
    return
  }
  const item: XmlNode = { name: 'rdf:li', attributes: [['xml:lang', 'x-default']], text: description }
  const all = editor.occurrences(name)
  const found = all.length === 1 && all[0]?.element ? itemsOf(all[0].element) : null
  if (found === null || !isRdf(found.list.name, 'Alt')) {
    editor.set({ name, children: [{ name: 'rdf:Alt', children: [item] }] })
    return
  }
  const defaultText = found.items.find(({ attributes }) =>
    attributes.some(({ name: of, value }) => of.space === 'xml' && of.local === 'lang' && value === 'x-default'),
  )
  if (defaultText === undefined) editor.append(found.list, item, true)
  else editor.replace(defaultText, found.list, item)
}

/** Lists of keywords with their whole paths. `grows`: new keywords are added. */
const hierarchies = [
  // Its readers also read dc:subject, and treat every entry as a whole path.
  { name: 'lr:hierarchicalSubject', separator: '|', grows: false },
  { name: 'digiKam:TagsList', separator: '/', grows: true },
  { name: 'MicrosoftPhoto:LastKeywordXMP', separator: '/', grows: true },
  { name: 'mediapro:CatalogSets', separator: '|', grows: false },
]

const joinedKeywords = 'pdf:Keywords'

function writeKeywords(editor: XmpEditor, keywords: readonly string[]): void {
  writeList(editor, 'dc:subject', 'rdf:Bag', keywords)
  // One text, which readers split at commas and semicolons.
  if (editor.occurrences(joinedKeywords).length > 0)
    writeText(editor, joinedKeywords, keywords.some(word => /[,;]/.test(word)) ? '' : keywords.join(', '))
  const wanted = new Set(keywords.map(keyword => comparable(fileText(keyword))))
  for (const { name, separator, grows } of hierarchies) {
    const all = editor.occurrences(name)
    const found = all.length === 1 && all[0]?.element ? itemsOf(all[0].element) : null
    if (found === null) {
      // A single text in place of a list: it stays only if it is still a wanted keyword.
      if (all.some(({ value }) => !wanted.has(leafOf(value, separator)))) editor.remove(name)
      continue
    }
    const leaves = found.items.map(item => leafOf(item.text, separator))
    if (!leaves.some(leaf => wanted.has(leaf))) {
      editor.remove(name)
      continue
    }
    found.items.forEach((item, n) => {
      if (!wanted.has(leaves[n] ?? '')) editor.cut(item)
    })
    if (!grows) continue
    // Programs that maintain such a list read no other, so new keywords are added; parts of a path are in it already.
    const known = new Set(found.items.flatMap(item => item.text.split(separator).map(part => leafOf(part, separator))))
    for (const keyword of keywords.map(fileText)) {
      if (keyword === '' || keyword.includes(separator) || known.has(comparable(keyword))) continue
      editor.append(found.list, { name: 'rdf:li', text: keyword })
    }
  }
}

function leafOf(path: string, separator: string): string {
  return comparable(cleanText(path.slice(path.lastIndexOf(separator) + 1)) ?? '')
}

/** Writes the categories. The old single code stays if it is one of the categories; the list has all of them. */
function writeCategory(editor: XmpEditor, category: readonly string[]): void {
  writeList(editor, 'photoshop:SupplementalCategories', 'rdf:Bag', category)
  const code = editor.occurrences('photoshop:Category')
  const isKept = code.every(({ value }) => category.some(word => comparable(word) === comparable(value.trim())))
  if (!isKept) editor.remove('photoshop:Category')
}

/** Writes the location. Equal values keep their form. */
function writeLocation(editor: XmpEditor, { position, placeName }: WantedTags, found: XmpFields | null): void {
  const { sublocation, city, state, country } = found?.place ?? {}
  const known = distinct([sublocation, city, state, country].filter(part => part !== undefined)).join(', ')
  if (known !== fileText(placeName)) {
    const parts = placeParts(placeName)
    writeText(editor, 'Iptc4xmpCore:Location', parts.sublocation ?? '')
    writeText(editor, 'photoshop:City', parts.city ?? '')
    writeText(editor, 'photoshop:State', parts.state ?? '')
    writeText(editor, 'photoshop:Country', parts.country ?? '')
    if (country !== parts.country) editor.remove('Iptc4xmpCore:CountryCode')
    // Newer forms of the same properties would contradict.
    editor.remove('Iptc4xmpExt:LocationCreated')
    editor.remove('Iptc4xmpExt:LocationShown')
  }
  if (position === null) {
    for (const name of ['GPSLatitude', 'GPSLongitude', 'GPSAltitude', 'GPSAltitudeRef']) editor.remove(`exif:${name}`)
    return
  }
  const isNear = (stated: number | undefined, degrees: number) => Math.abs((stated ?? 1000) - degrees) < 1e-9
  const { latitude, longitude } = position
  if (!isNear(found?.latitude, latitude)) editor.setText('exif:GPSLatitude', coordinate(latitude, 'N', 'S'))
  if (!isNear(found?.longitude, longitude)) editor.setText('exif:GPSLongitude', coordinate(longitude, 'E', 'W'))
}

/** A coordinate as 'DDD,MM.mmmmmmmmmK'; nine digits after the point keep the library's precision. */
function coordinate(degrees: number, positive: string, negative: string): string {
  const size = Math.abs(degrees)
  let whole = Math.floor(size)
  let minutes = ((size - whole) * 60).toFixed(9)
  if (minutes.startsWith('60')) {
    whole++
    minutes = '0.000000000'
  }
  return `${whole},${minutes}${degrees < 0 ? negative : positive}`
}

/** Percentages that Windows writes for zero to five stars. */
export const percentOfStars = [0, 1, 25, 50, 75, 99]

function writeRating(editor: XmpEditor, rating: number | null): void {
  writeText(editor, 'xmp:Rating', rating === null ? '' : String(rating))
  if (editor.occurrences('MicrosoftPhoto:Rating').length === 0) return
  writeText(editor, 'MicrosoftPhoto:Rating', rating === null || rating < 1 ? '' : String(percentOfStars[rating]))
}
