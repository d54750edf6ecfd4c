/** EXIF: converts the tags of a TIFF structure to the library's metadata. */
import { startsWith, u16be } from './binary.ts'
import { type ByteSource, memorySource } from './byte-source.ts'
import { sizeIfKnown } from './containers/blocks.ts'
import { foundDate } from './dates.ts'
import type { CameraData, FoundDate } from './metadata.ts'
import { cleanText, decodeText, decodeUtf16le } from './text.ts'
import {
  bytesOf,
  numberOf,
  readTiffDirectory,
  readTiffHeader,
  type TiffDirectory,
  type TiffHeader,
  type TiffValue,
} from './tiff.ts'

type Values = ReadonlyMap<number, TiffValue>

const ifd0Tags = new Set([
  0xfe, 0x100, 0x101, 0x10e, 0x10f, 0x110, 0x112, 0x132, 0x13b, 0x14a, 0x2e, 0x2bc, 0x4746, 0x4749, 0x83bb, 0x8649,
  0x8769, 0x8825, 0x9003, 0x9004, 0x829a, 0x829d, 0x8827, 0x920a, 0x9c9b, 0x9c9e, 0xc614, 0x04, 0x05, 0x06, 0x07,
])
const exifTags = new Set([
  0x829a, 0x829d, 0x8827, 0x8831, 0x8832, 0x8833, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9201, 0x9202, 0x920a,
  0x927c, 0x9291, 0x9292, 0xa432, 0xa434,
])
const gpsTags = new Set([1, 2, 3, 4, 5, 6, 7, 0x1d])
const sizeTags = new Set([0xfe, 0x100, 0x101])

/** Reads a TIFF structure from its header on; null if there is none. Damage never causes errors. */
export function readExif(source: ByteSource): ExifFields | null {
  const header = readTiffHeader(source)
  if (header === null) return null
  const directory = (offset: number | undefined, wanted: ReadonlySet<number>) =>
    offset === undefined ? null : readTiffDirectory(source, offset, header.littleEndian, wanted)
  const ifd0 = readTiffDirectory(source, header.first, header.littleEndian, ifd0Tags)
  const exif = directory(numberOf(ifd0.values.get(0x8769)), exifTags)
  const gps = directory(numberOf(ifd0.values.get(0x8825)), gpsTags)
  const fields = exifFields(ifd0, exif, gps)
  return { ...fields, ...mainSize(source, header, ifd0) }
}

/** Reads EXIF whose directories are in separate TIFF structures, as in Canon's CR3; null without a main directory. */
export function readSplitExif(parts: { main?: ByteSource; exif?: ByteSource; gps?: ByteSource }): ExifFields | null {
  const first = (source: ByteSource | undefined, wanted: ReadonlySet<number>) => {
    const header = source === undefined ? null : readTiffHeader(source)
    return source === undefined || header === null
      ? null
      : readTiffDirectory(source, header.first, header.littleEndian, wanted)
  }
  const main = first(parts.main, ifd0Tags)
  if (main === null) return null
  return { ...exifFields(main, first(parts.exif, exifTags), first(parts.gps, gpsTags)), ...sizeOf(main.values) }
}

/** The metadata, and the size of the main picture for files that are TIFFs themselves. */
export type ExifFields = ReturnType<typeof exifFields> & { width?: number; height?: number }

function exifFields(ifd0: TiffDirectory, exif: TiffDirectory | null, gps: TiffDirectory | null) {
  const main = ifd0.values
  // Raw formats like TIFF/EP store in the first directory what EXIF stores in its own.
  const inner: Values = exif === null ? main : exif.values
  return {
    dates: datesOf(main, inner),
    artists: (textOf(main.get(0x13b)) ?? '').split(';').flatMap(name => cleanText(name) ?? []),
    keywords: (utf16Of(main.get(0x9c9e)) ?? '').split(';').flatMap(word => cleanText(word) ?? []),
    description: textOf(main.get(0x10e)),
    title: utf16Of(main.get(0x9c9b)),
    rating: ratingOf(main),
    camera: cameraOf(main, inner),
    orientation: orientationOf(main.get(0x112)),
    // Blocks of the other standards that TIFF files keep in tags.
    xmp: bytesOf(main.get(0x2bc)),
    iptc: bytesOf(main.get(0x83bb)),
    photoshop: bytesOf(main.get(0x8649)),
    // A whole JPEG with its own EXIF, as Panasonic's raw files have it.
    embeddedJpeg: bytesOf(main.get(0x2e)),
    contentIdentifier: appleContentIdentifier(bytesOf(inner.get(0x927c))),
    damaged: ifd0.damaged || (exif?.damaged ?? false) || (gps?.damaged ?? false),
    ...positionOf(gps?.values ?? new Map()),
  }
}

/** The dates of taking and of digitizing, each with its separate fraction and offset. */
function datesOf(main: Values, inner: Values): FoundDate[] {
  const original = textOf(inner.get(0x9003))
  const digitized = textOf(inner.get(0x9004))
  const offsetDigitized = textOf(inner.get(0x9012))
  // Some phones write an offset only for another date; it applies if that date is equal.
  const offsetOriginal =
    textOf(inner.get(0x9011)) ??
    (digitized === original ? offsetDigitized : undefined) ??
    (textOf(main.get(0x132)) === original ? textOf(inner.get(0x9010)) : undefined)
  return [
    foundDate(original, 'exif-original', { subSeconds: textOf(inner.get(0x9291)), offset: offsetOriginal }),
    foundDate(digitized, 'exif-create', { subSeconds: textOf(inner.get(0x9292)), offset: offsetDigitized }),
  ].filter(date => date !== null)
}

function cameraOf(main: Values, inner: Values): CameraData {
  const shutter = numberOf(inner.get(0x9201))
  const apex = numberOf(inner.get(0x9202))
  return cleanCamera({
    make: textOf(main.get(0x10f)),
    model: textOf(main.get(0x110)) ?? textOf(main.get(0xc614)),
    lens: textOf(inner.get(0xa434)),
    focalLength: numberOf(inner.get(0x920a)),
    aperture: numberOf(inner.get(0x829d)) ?? (apex === undefined ? undefined : 2 ** (apex / 2)),
    exposure: numberOf(inner.get(0x829a)) ?? (shutter === undefined ? undefined : 2 ** -shutter),
    iso: isoOf(inner),
  })
}

/** The ISO value. 65535 means 'more than fits here': then the longer tags have the value. */
function isoOf(inner: Values): number | undefined {
  const short = numberOf(inner.get(0x8827))
  if (short !== undefined && short > 0 && short < 65_535) return short
  return numberOf(inner.get(0x8833)) ?? numberOf(inner.get(0x8832)) ?? numberOf(inner.get(0x8831)) ?? short
}

/** Drops empty, zero and absurd values; manual lenses and scanners write zeros. */
export function cleanCamera(camera: CameraData): CameraData {
  const clean: CameraData = {}
  const { make, model, lens, focalLength, aperture, exposure, iso } = camera
  if (make !== undefined) clean.make = make
  if (model !== undefined) clean.model = model
  if (lens !== undefined && !/^[-\s.]*$|^unknown/i.test(lens)) clean.lens = lens
  if (within(focalLength, 10_000)) clean.focalLength = rounded(focalLength)
  if (within(aperture, 1000)) clean.aperture = rounded(aperture)
  if (within(exposure, 1_000_000)) clean.exposure = Number(exposure?.toPrecision(6))
  if (within(iso, 10_000_000)) clean.iso = Math.round(iso ?? 0)
  return clean
}

function within(value: number | undefined, limit: number): boolean {
  return value !== undefined && value > 0 && value < limit
}

function rounded(value: number | undefined): number {
  return Math.round((value ?? 0) * 100) / 100
}

function positionOf(gps: Values) {
  const latitude = degreesOf(gps.get(2), gps.get(1), 'S')
  const longitude = degreesOf(gps.get(4), gps.get(3), 'W')
  const height = numberOf(gps.get(6))
  const altitude = height !== undefined && numberOf(gps.get(5)) === 1 ? -height : height
  const gpsTime = gpsTimeOf(textOf(gps.get(0x1d)), gps.get(7))
  return { latitude, longitude, altitude, gpsTime }
}

function degreesOf(
  value: TiffValue | undefined,
  side: TiffValue | undefined,
  negativeSide: string,
): number | undefined {
  const degrees = numberOf(value)
  if (value === undefined || degrees === undefined || value instanceof Uint8Array) return undefined
  const [, minutes = 0, seconds = 0] = value.map(part => (Number.isFinite(part) ? part : 0))
  const sum = degrees + minutes / 60 + seconds / 3600
  return textOf(side)?.toUpperCase().startsWith(negativeSide) ? -sum : sum
}

function gpsTimeOf(day: string | undefined, time: TiffValue | undefined): number | undefined {
  const match = /^(\d{4})[:-](\d{2})[:-](\d{2})/.exec(day ?? '')
  if (match === null || time === undefined) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = time
  const total = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / 1000
  const gpsTime = total + hours * 3600 + minutes * 60 + seconds
  return Number.isFinite(gpsTime) && total > 0 ? gpsTime : undefined
}

/** The rating in stars. Windows also writes a percentage: 1, 25, 50, 75 and 99 are one to five stars. */
function ratingOf(main: Values): number | undefined {
  const stars = numberOf(main.get(0x4746))
  if (stars !== undefined && stars <= 5) return stars
  const percent = numberOf(main.get(0x4749))
  return percent === undefined ? undefined : starsOfPercent(percent)
}

/** Windows writes zero per cent for no rating. */
export function starsOfPercent(percent: number): number | undefined {
  if (percent <= 0) return undefined
  return Math.min(5, Math.floor((percent + 12.5) / 25) + 1)
}

export function orientationOf(value: TiffValue | undefined): number | undefined {
  const orientation = numberOf(value)
  return orientation !== undefined && orientation >= 1 && orientation <= 8 ? orientation : undefined
}

/** Size of the full-resolution directory of a TIFF or raw file; in raw files the first one is often a thumbnail. */
function mainSize(source: ByteSource, header: TiffHeader, ifd0: TiffDirectory): { width?: number; height?: number } {
  const firstSize = header.magic === 0x55 ? panasonicSize(ifd0.values) : sizeOf(ifd0.values)
  const subDirectories = ifd0.values.get(0x14a)
  if (numberOf(ifd0.values.get(0xfe)) !== 1 || subDirectories === undefined) return firstSize
  for (const offset of [...subDirectories].slice(0, 8)) {
    const sub = readTiffDirectory(source, offset, header.littleEndian, sizeTags)
    if ((numberOf(sub.values.get(0xfe)) ?? 0) === 0 && sizeOf(sub.values).width !== undefined) return sizeOf(sub.values)
  }
  return firstSize
}

function sizeOf(values: Values): { width?: number; height?: number } {
  return sizeIfKnown(numberOf(values.get(0x100)) ?? 0, numberOf(values.get(0x101)) ?? 0)
}

/** The picture's size in Panasonic's raw files, from its borders on the sensor: top, left, bottom, right. */
function panasonicSize(values: Values): { width?: number; height?: number } {
  const [top = 0, left = 0, bottom = 0, right = 0] = [4, 5, 6, 7].map(tag => numberOf(values.get(tag)) ?? 0)
  return sizeIfKnown(right - left, bottom - top)
}

/** The identifier of the still's Live Photo: tag 0x11 of Apple's maker note, which is a TIFF directory. */
function appleContentIdentifier(note: Uint8Array | undefined): string | undefined {
  if (note === undefined || !startsWith(note, 'Apple iOS\0') || u16be(note, 12) !== 0x4d4d) return undefined
  const { values } = readTiffDirectory(memorySource(note), 14, false, new Set([0x11]))
  return textOf(values.get(0x11))
}

function textOf(value: TiffValue | undefined): string | undefined {
  return value instanceof Uint8Array ? cleanText(decodeText(value)) : undefined
}

function utf16Of(value: TiffValue | undefined): string | undefined {
  return value instanceof Uint8Array ? cleanText(decodeUtf16le(value)) : undefined
}
