/** Reading the metadata of videos, whatever their container. */
import type { ByteSource } from './byte-source.ts'
import { combineFields, distinct, xmpOf } from './combine.ts'
import type { ContainerKind } from './container-kind.ts'
import { readTransportStream } from './containers/avchd.ts'
import { type Film, keywordTexts } from './containers/film.ts'
import { readQuickTime } from './containers/quicktime.ts'
import { foundDate, foundInstant } from './dates.ts'
import { cleanCamera } from './exif.ts'
import { byPrecedence, type CameraData, type FoundDate, type Metadata, noMetadata } from './metadata.ts'
import { type Position, parseIso6709, parseRational } from './position.ts'
import { cleanText, decodeXml } from './text.ts'
import { parseXml, type XmlElement } from './xmp/xml.ts'

type Reader = (source: ByteSource) => Metadata

const ofFilm =
  (filmOf: (source: ByteSource) => Film): Reader =>
  source =>
    filmMetadata(filmOf(source))

export const videoReaders = {
  mp4: ofFilm(readQuickTime),
  // ffprobe reads these; without it, only name, size and the file's date are known.
  matroska: noMetadata,
  avi: noMetadata,
  'mpeg-program': noMetadata,
  'mpeg-transport': ofFilm(readTransportStream),
} satisfies Partial<Record<ContainerKind, Reader>>

/** A film in the library's terms; texts of its XMP packet precede those of its container. */
function filmMetadata(film: Film): Metadata {
  const warnings = [...film.warnings]
  const metadata = combineFields(null, xmpOf(film.xmp, warnings), null)
  const text = (...names: string[]) => names.map(name => film.texts.get(name)).find(found => found !== undefined)
  // Within one source, the container's dates with an offset precede its plain UTC date.
  metadata.dates = byPrecedence([...datesOf(film, text), ...metadata.dates])
  Object.assign(metadata, positionOf(text))
  metadata.title ??= text('com.apple.quicktime.title', '\xa9nam', 'titl')
  metadata.description ??= text(
    'com.apple.quicktime.description',
    '\xa9des',
    'desc',
    'ldes',
    'dscp',
    'com.apple.quicktime.comment',
  )
  metadata.keywords = distinct([...metadata.keywords, ...keywordsOf(text)])
  const author = text('com.apple.quicktime.author', '\xa9aut', 'auth', '\xa9ART')
  if (author !== undefined && metadata.author.length === 0) metadata.author = [author]
  const rating = parseRational(text('com.apple.quicktime.rating.user'))
  if (rating !== undefined && rating >= 0 && rating <= 5) metadata.rating ??= Math.round(rating)
  metadata.camera = { ...metadata.camera, ...cameraOf(text) }
  const contentIdentifier = text('com.apple.quicktime.content.identifier')
  if (contentIdentifier !== undefined) metadata.contentIdentifier = contentIdentifier
  // A film's rotation comes from its display matrix only.
  delete metadata.orientation
  return { ...metadata, ...mediaPropertiesOf(film), warnings: distinct(warnings) }
}

type Text = (...names: string[]) => string | undefined

function datesOf(film: Film, text: Text): FoundDate[] {
  const created = film.created ?? film.tracks.find(track => track.created !== undefined)?.created
  return [
    foundDate(text('com.apple.quicktime.creationdate'), 'quicktime'),
    foundDate(text('date'), 'quicktime'),
    foundDate(sonyDate(film.xml), 'quicktime'),
    dateWithTime(foundDate(text('\xa9day'), 'quicktime')),
    created === undefined ? null : foundInstant(created, 'quicktime'),
  ].filter(date => date !== null)
}

/** Keeps only dates with a time: in iTunes' lists, the same atom contains the year in which a film was published. */
function dateWithTime(date: FoundDate | null): FoundDate | null {
  return date?.dayOnly ? null : date
}

/** The date of Sony's cameras, which write XML beside the video's other fields. */
function sonyDate(xml: readonly Uint8Array[]): string | undefined {
  const datesIn = ({ name, attributes, children }: XmlElement): string[] =>
    name.local === 'CreationDate'
      ? attributes.filter(attribute => attribute.name.local === 'value').map(({ value }) => value)
      : children.flatMap(datesIn)
  return xml.flatMap(bytes => datesIn(parseXml(decodeXml(bytes)).root))[0]
}

function positionOf(text: Text): Position | null {
  const written = text('com.apple.quicktime.location.ISO6709', '\xa9xyz', 'loci')
  return parseIso6709(written)
}

function keywordsOf(text: Text): string[] {
  const joined = [...keywordTexts].flatMap(name => text(name) ?? [])
  return joined.flatMap(one => one.split(/[,;]/)).flatMap(keyword => cleanText(keyword) ?? [])
}

function cameraOf(text: Text): CameraData {
  return cleanCamera({
    make: text('com.apple.quicktime.make', 'com.android.manufacturer', '\xa9mak', 'make'),
    model: text('com.apple.quicktime.model', 'com.android.model', '\xa9mod', 'model'),
    lens: text('com.apple.quicktime.camera.lens_model'),
  })
}

function mediaPropertiesOf(film: Film): Partial<Metadata> {
  const video =
    film.tracks.find(track => track.kind === 'video' && track.width !== undefined) ?? film.tracks.find(isVideo)
  const isSized = video?.width !== undefined && video.height !== undefined
  return {
    duration: film.duration === undefined ? undefined : Math.round(film.duration * 1000) / 1000,
    width: isSized ? video.width : undefined,
    height: isSized ? video.height : undefined,
    videoCodec: video?.codec,
    videoRotation: video?.rotation,
    frameRate: believableRate(video?.frameRate),
    audioCodec: film.tracks.find(track => !isVideo(track))?.codec,
  }
}

/** A higher frame rate is a time unit that was mistaken for a rate. */
const highestRate = 480

/** The frame rate, rounded to thousandths; undefined for an implausible one. */
export function believableRate(rate: number | undefined): number | undefined {
  const isRate = rate !== undefined && rate > 0 && rate <= highestRate
  return isRate ? Math.round(rate * 1000) / 1000 : undefined
}

function isVideo(track: { kind: string }): boolean {
  return track.kind === 'video'
}
