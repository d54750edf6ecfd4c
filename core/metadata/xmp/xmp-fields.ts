/** Converts the properties of an XMP packet to the library's metadata. */
import type { TagSetName } from '../../../schema/api/tags.ts'
import { tagSetNames } from '../../../schema/limits.ts'
import { albumsOfTexts } from '../albums.ts'
import { foundDate, sortableSeconds } from '../dates.ts'
import { cleanCamera, orientationOf, starsOfPercent } from '../exif.ts'
import type { CameraData, FoundDate } from '../metadata.ts'
import { parseRational, parseXmpCoordinate } from '../position.ts'
import { cleanText } from '../text.ts'
import { propertyText, propertyTexts, type XmpProperties, type XmpValue } from './xmp.ts'
import { regionsOf } from './xmp-regions.ts'

export interface XmpMotion {
  /** Bytes from the beginning of the video to the end of the file. */
  fromEnd?: number
  /** Bytes of the video, if declared. */
  length?: number
}

export type XmpFields = ReturnType<typeof xmpFields>

export function xmpFields(properties: XmpProperties) {
  const text = (name: string) => cleanText(propertyText(properties.get(name)))
  const texts = (name: string) => propertyTexts(properties.get(name)).flatMap(entry => cleanText(entry) ?? [])
  const altitude = parseRational(text('exif:GPSAltitude'))
  const { regions, peopleWithoutBox } = regionsOf(properties)
  return {
    dates: datesOf(text),
    // Seconds since 1970 by the satellites' clock.
    gpsTime: gpsTimeOf(text('exif:GPSTimeStamp')),
    latitude: parseXmpCoordinate(text('exif:GPSLatitude')),
    longitude: parseXmpCoordinate(text('exif:GPSLongitude')),
    altitude: altitude !== undefined && text('exif:GPSAltitudeRef') === '1' ? -altitude : altitude,
    title: text('dc:title'),
    description: text('dc:description'),
    keywords: keywordsOf(texts),
    category: text('photoshop:Category'),
    supplementalCategories: texts('photoshop:SupplementalCategories'),
    authors: texts('dc:creator'),
    place: placeParts(properties, text),
    rating: ratingOf(text),
    regions,
    people: [...peopleWithoutBox, ...texts('Iptc4xmpExt:PersonInImage')],
    objects: texts('keepsake:ObjectInImage'),
    rotation: [90, 180, 270].find(turn => String(turn) === text('keepsake:Rotation')),
    recycled: text('keepsake:Recycled') === 'True',
    albums: albumsOfTexts(texts('keepsake:Albums')),
    complete: completeOf(texts),
    camera: cameraOf(text),
    orientation: orientationOf([Number(text('tiff:Orientation'))]),
    motion: motionOf(properties, text),
  }
}

function completeOf(texts: (name: string) => string[]): TagSetName[] {
  const names = new Set(texts('keepsake:Complete'))
  return tagSetNames.filter(name => names.has(name))
}

type Text = (name: string) => string | undefined
type Texts = (name: string) => string[]

function datesOf(text: Text): FoundDate[] {
  return [
    foundDate(text('exif:DateTimeOriginal'), 'xmp-original', {
      offset: text('exifEX:OffsetTimeOriginal') ?? text('exif:OffsetTimeOriginal'),
    }),
    foundDate(text('photoshop:DateCreated'), 'xmp-photoshop'),
    foundDate(text('exif:DateTimeDigitized'), 'exif-create'),
    foundDate(text('xmp:CreateDate'), 'xmp-create'),
  ].filter(date => date !== null)
}

/** The satellites' time. In XMP it includes the date, and is UTC even without an offset. */
function gpsTimeOf(text: string | undefined): number | undefined {
  const date = foundDate(text, 'xmp-original')
  if (date === null || date.dayOnly) return undefined
  return sortableSeconds(date.local) - (date.offset ?? 0) * 60
}

/** The keywords. Hierarchies are written with their whole path ('Places|Europe|Lake'): the leaf is the keyword. */
function keywordsOf(texts: Texts): string[] {
  const leaves = texts('lr:hierarchicalSubject').map(path => path.slice(path.lastIndexOf('|') + 1))
  const digiKam = texts('digiKam:TagsList').map(path => path.slice(path.lastIndexOf('/') + 1))
  const joined = texts('pdf:Keywords').flatMap(text => text.split(/[,;]/))
  return [...texts('dc:subject'), ...leaves, ...digiKam, ...joined].flatMap(keyword => cleanText(keyword) ?? [])
}

/** Parts of a place, from the smallest to the largest. */
export type PlaceParts = Partial<Record<'sublocation' | 'city' | 'state' | 'country', string>>

function placeParts(properties: XmpProperties, text: Text): PlaceParts {
  const place = {
    sublocation: text('Iptc4xmpCore:Location'),
    city: text('photoshop:City'),
    state: text('photoshop:State'),
    country: text('photoshop:Country'),
  }
  if (Object.values(place).some(part => part !== undefined)) return place
  // Newer writers distinguish where the camera was from the place that is shown.
  return (
    locationOf(properties.get('Iptc4xmpExt:LocationCreated')) ??
    locationOf(properties.get('Iptc4xmpExt:LocationShown')) ??
    {}
  )
}

function locationOf(value: XmpValue | undefined): PlaceParts | null {
  const fields = value?.items[0]?.fields ?? value?.fields
  if (fields === undefined) return null
  const text = (name: string) => cleanText(propertyText(fields.get(`Iptc4xmpExt:${name}`)))
  const place = {
    sublocation: text('Sublocation'),
    city: text('City'),
    state: text('ProvinceState'),
    country: text('CountryName'),
  }
  return Object.values(place).some(part => part !== undefined) ? place : null
}

function ratingOf(text: Text): number | undefined {
  const stars = parseRational(text('xmp:Rating'))
  if (stars !== undefined && stars >= -1 && stars <= 5) return Math.round(stars)
  const percent = parseRational(text('MicrosoftPhoto:Rating'))
  return percent === undefined || percent > 100 ? undefined : starsOfPercent(percent)
}

function cameraOf(text: Text): CameraData {
  return cleanCamera({
    make: text('tiff:Make'),
    model: text('tiff:Model'),
    lens: text('exifEX:LensModel') ?? text('aux:Lens'),
    focalLength: parseRational(text('exif:FocalLength')),
    aperture: parseRational(text('exif:FNumber')),
    exposure: parseRational(text('exif:ExposureTime')),
    iso: parseRational(text('exifEX:PhotographicSensitivity') ?? text('exif:ISOSpeedRatings')),
  })
}

/** The appended video in Google's forms: 'MicroVideo' with an offset from the end, and a directory of appended data. */
function motionOf(properties: XmpProperties, text: Text): XmpMotion {
  const micro = parseRational(text('GCamera:MicroVideoOffset'))
  if (micro !== undefined && micro > 0) return { fromEnd: micro, length: micro }
  const items = (properties.get('Container:Directory')?.items ?? []).map(item => {
    const fields = item.fields.get('Container:Item')?.fields ?? item.fields
    return {
      semantic: propertyText(fields.get('Item:Semantic')),
      length: parseRational(propertyText(fields.get('Item:Length'))) ?? 0,
      padding: parseRational(propertyText(fields.get('Item:Padding'))) ?? 0,
    }
  })
  const video = items.findIndex(({ semantic }) => semantic === 'MotionPhoto')
  const length = items[video]?.length
  if (video < 0 || length === undefined || length <= 0) return {}
  const following = items.slice(video + 1).reduce((sum, item) => sum + item.length + item.padding, 0)
  return { fromEnd: length + following, length }
}
