/** Compares the metadata we read from a sample with that of an independent reader, and lists the differences. */
import { foundDate } from '../../../core/metadata/dates.ts'
import { comparable } from '../../../core/metadata/file-regions.ts'
import type { DateSource, FoundDate, Metadata } from '../../../core/metadata/metadata.ts'
import type { ExpectedFile } from '../../support/samples.ts'

/** One difference per line: 'field: expected … found …'. */
export function differences(expected: ExpectedFile, found: Metadata): string[] {
  return [
    ...dateDifferences(expected, found),
    ...placeDifferences(expected, found),
    ...wordDifferences(expected, found),
    ...regionDifferences(expected, found),
    ...shapeDifferences(expected, found),
    ...videoDifferences(expected, found),
  ]
}

function difference(field: string, expected: unknown, found: unknown): string[] {
  return [`${field}: expected ${JSON.stringify(expected)} found ${JSON.stringify(found)}`]
}

function compareField(field: string, expected: unknown, found: unknown): string[] {
  const absent = (value: unknown) => (value === undefined || value === '' ? null : value)
  return Bun.deepEquals(absent(expected), absent(found)) ? [] : difference(field, absent(expected), absent(found))
}

function dateDifferences(expected: ExpectedFile, found: Metadata): string[] {
  const originals = found.dates.filter(
    date => from(['exif-original', 'xmp-original', 'iptc'])(date) || isWithOffset(date),
  )
  const created = found.dates.filter(
    date => from(['exif-create', 'xmp-create', 'quicktime'])(date) && !isWithOffset(date),
  )
  const isAvi = expected.fileType === 'AVI'
  const photoshop = found.dates.filter(from(['iptc', 'xmp-photoshop', ...(isAvi ? ['quicktime' as const] : [])]))
  return [
    ...dateDifference('dateTimeOriginal', expected.dateTimeOriginal, originals),
    ...dateDifference('createDate', expected.createDate, created),
    ...dateDifference('dateCreated', expected.dateCreated, photoshop),
    ...offsetDifference(expected, found),
  ]
}

function from(sources: DateSource[]): (date: FoundDate) => boolean {
  return date => sources.includes(date.source)
}

/** Whether a date comes from the container and has an offset: exiftool takes such a date as the original date. */
function isWithOffset(date: FoundDate): boolean {
  return date.source === 'quicktime' && date.offset !== null
}

/** Requires the expected date to be among those found. If there is none, no date (or no original one) may be found. */
function dateDifference(field: string, text: string | undefined, dates: FoundDate[]): string[] {
  const locals = dates.map(({ local }) => local)
  const wanted = foundDate(text, 'exif-original')
  if (wanted === null) {
    const unexpected = field === 'dateTimeOriginal' ? dates.filter(({ source }) => source.endsWith('original')) : dates
    return unexpected.length === 0 ? [] : difference(field, text ?? null, locals)
  }
  const isFound = wanted.dayOnly
    ? locals.some(local => local.startsWith(wanted.local.slice(0, 10)))
    : locals.includes(wanted.local)
  return isFound ? [] : difference(field, text, locals)
}

function offsetDifference(expected: ExpectedFile, found: Metadata): string[] {
  const text = expected.offsetTimeOriginal
  if (text === undefined) return []
  const wanted = foundDate('2000-01-01 00:00:00', 'exif-original', { offset: text })
  return compareField('offset', wanted?.offset, found.dates[0]?.offset)
}

function placeDifferences(expected: ExpectedFile, found: Metadata): string[] {
  const { latitude = null, longitude = null, altitude = null } = expected.gps ?? {}
  const near = (wanted: number | null, value: number | undefined, tolerance: number) =>
    wanted === null ? value === undefined : value !== undefined && Math.abs(wanted - value) <= tolerance
  const isNear = near(latitude, found.latitude, 1e-4) && near(longitude, found.longitude, 1e-4)
  const place = (found.placeName ?? '').split(', ')
  const isMissing = (name: unknown) =>
    name !== undefined && name !== '' && !place.join(', ').includes(String(name).trim())
  return [
    ...(isNear ? [] : difference('gps', expected.gps ?? null, [found.latitude, found.longitude])),
    ...(near(altitude, found.altitude, 0.02) ? [] : difference('altitude', altitude, found.altitude)),
    ...(isMissing(expected.city) ? difference('city', expected.city, found.placeName) : []),
    ...(isMissing(expected.country) ? difference('country', expected.country, found.placeName) : []),
  ]
}

function wordDifferences(expected: ExpectedFile, found: Metadata): string[] {
  const titles = [expected.title, expected.objectName].flatMap(present)
  const { exifImageDescription, xmpDescription, iptcCaption } = expected.description ?? {}
  const descriptions = [xmpDescription, exifImageDescription, iptcCaption].flatMap(present)
  const categories = [...(expected.supplementalCategories ?? []), ...(expected.category ?? [])].flatMap(present)
  return [
    ...sameSet('keywords', expectedKeywords(expected), found.keywords),
    ...sameSet('category', categories, found.category),
    ...compareField(
      'description',
      descriptions.find(text => !cameraTexts.has(text)),
      found.description,
    ),
    ...(found.title === undefined && titles.length === 0 ? [] : oneOf('title', titles, found.title)),
    ...compareField('rating', expected.rating, found.rating),
    ...compareField('make', present(expected.make)[0], found.camera.make),
    ...compareField('model', present(expected.model)[0], found.camera.model),
  ]
}

/** Texts that the sample cameras write as descriptions, which we ignore. */
const cameraTexts = new Set([
  'SONY DSC',
  'OLYMPUS DIGITAL CAMERA',
  'SANYO DIGITAL CAMERA',
  'KONICA MINOLTA DIGITAL CAMERA',
  'DIGITAL CAMERA',
  'SAMSUNG',
  '<Digimax i50 MP3, Samsung #1 MP3>',
  'DCIM\\100GOPRO',
  'default',
])

function expectedKeywords(expected: ExpectedFile): string[] {
  const leaves = (expected.hierarchicalSubject ?? []).map(path => String(path).split('|').at(-1))
  const windows = String(expected.xpKeywords ?? '').split(';')
  return [...(expected.xmpSubject ?? []), ...(expected.iptcKeywords ?? []), ...leaves, ...windows].flatMap(present)
}

function present(value: unknown): string[] {
  const text = value === undefined || value === null ? '' : String(value).trim()
  return text === '' ? [] : [text]
}

function oneOf(field: string, expected: string[], found: string | undefined): string[] {
  return found !== undefined && expected.includes(found) ? [] : difference(field, expected, found)
}

function sameSet(field: string, expected: string[], found: string[]): string[] {
  const wanted = new Set(expected.map(comparable))
  const got = new Set(found.map(comparable))
  const missing = [...wanted].filter(text => !got.has(text))
  const added = [...got].filter(text => !wanted.has(text))
  return missing.length + added.length === 0 ? [] : difference(field, { missing }, { added })
}

function regionDifferences(expected: ExpectedFile, found: Metadata): string[] {
  const mwg = (expected.mwgRegions ?? [])
    .filter(({ x, w }) => x !== null && w !== null)
    .map(region => ({
      name: present(region.name)[0] ?? '',
      box: [region.x, region.y, region.w, region.h],
      kind: region.type === 'Face' ? 'person' : 'object',
    }))
  const named = new Set(mwg.map(({ name }) => name))
  const microsoft = (expected.microsoftRegions ?? [])
    .filter(({ name, rectangle }) => rectangle !== null && !named.has(present(name)[0] ?? ''))
    .map(({ name, rectangle }) => {
      const [left = 0, top = 0, width = 0, height = 0] = (rectangle ?? '').split(',').map(Number)
      const box = [left + width / 2, top + height / 2, width, height]
      return { name: present(name)[0] ?? '', box, kind: 'person' }
    })
  const rounded = (box: (number | null)[]) => box.map(value => Math.round((value ?? 0) * 1e4) / 1e4)
  const wanted = [...mwg, ...microsoft].map(({ name, box, kind }) => [kind, name, ...rounded(box)])
  const got = found.regions.map(({ kind, name, x, y, width, height }) => [
    kind,
    name,
    ...rounded([x, y, width, height]),
  ])
  const inRegions = new Set(found.regions.map(({ name }) => name))
  const withoutBox = (expected.microsoftRegions ?? [])
    .filter(({ rectangle }) => rectangle === null)
    .map(({ name }) => name)
  const people = [...(expected.personInImage ?? []), ...withoutBox]
    .flatMap(present)
    .filter(name => !inRegions.has(name))
  return [...compareField('regions', wanted, got), ...sameSet('people', people, found.people)]
}

function shapeDifferences(expected: ExpectedFile, found: Metadata): string[] {
  if (expected.kind !== 'image') return []
  return [
    ...compareField('orientation', validOrientation(expected.orientation), found.orientation ?? 1),
    ...compareField('width', expected.width, found.width),
    ...compareField('height', expected.height, found.height),
    ...displayDifference(expected, found),
  ]
}

/** A missing orientation, or a value that EXIF does not define (such as 0 and 9), means upright. */
function validOrientation(orientation: number | undefined): number {
  return orientation !== undefined && orientation >= 1 && orientation <= 8 ? orientation : 1
}

/** Compares the size after applying the orientation with the size that decoders show. */
function displayDifference(expected: ExpectedFile, found: Metadata): string[] {
  if (expected.displayWidth === undefined || expected.displayHeight === undefined) return []
  const isTurned = (found.orientation ?? 1) >= 5
  const shown = isTurned ? [found.height, found.width] : [found.width, found.height]
  return compareField('display', [expected.displayWidth, expected.displayHeight], shown)
}

function videoDifferences(expected: ExpectedFile, found: Metadata): string[] {
  const { video } = expected
  if (video === undefined || !video.readable) return []
  const tolerance = 0.06
  const isAsLong = Math.abs((video.durationSeconds ?? 0) - (found.duration ?? 0)) <= tolerance
  const created = video.creationTime?.slice(0, 19).replace('T', ' ')
  const instants = found.dates.filter(date => date.utc).map(({ local }) => local)
  return [
    ...(isAsLong ? [] : difference('duration', video.durationSeconds, found.duration)),
    ...compareField('width', video.width, found.width),
    ...compareField('height', video.height, found.height),
    ...compareField('rotation', video.rotationClockwise ?? 0, found.videoRotation ?? 0),
    ...compareField('videoCodec', video.videoCodec, found.videoCodec),
    ...compareField('audioCodec', video.audioCodec, found.audioCodec),
    ...(created === undefined || instants.includes(created) ? [] : difference('creationTime', created, instants)),
  ]
}
