/** Sidecars: metadata in XMP files and Google Takeout's JSON files beside a picture. */
import { combineFields, distinct, xmpOf } from '../combine.ts'
import { foundInstant } from '../dates.ts'
import { type Metadata, noMetadata } from '../metadata.ts'
import { believablePosition, type Position } from '../position.ts'
import { cleanText, decodeXml } from '../text.ts'

/** Metadata of an XMP sidecar. Errors are in `warnings`; never throws. */
export function parseXmpSidecar(bytes: Uint8Array): Metadata {
  const warnings: string[] = []
  const xmp = xmpOf([bytes], warnings)
  // A packet without properties is valid: its content was removed.
  const isPacket = /<(?:\w+:)?RDF[\s/>]/.test(decodeXml(bytes))
  if (xmp === null && warnings.length === 0 && !isPacket) warnings.push('The sidecar holds no XMP')
  return { ...combineFields(null, xmp, null), warnings }
}

/** Metadata of a Takeout JSON. Null for other JSON (of albums, of other programs), a warning for invalid JSON. */
export function parseTakeout(bytes: Uint8Array): Metadata | null {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return { ...noMetadata(), warnings: ['The sidecar is damaged JSON'] }
  }
  const root = objectIn(json)
  if (root === null || (root.photoTakenTime === undefined && root.geoData === undefined)) return null
  // Google writes 0 for unknown values.
  const taken = Number(objectIn(root.photoTakenTime)?.timestamp ?? 0)
  const date = taken === 0 ? null : foundInstant(taken * 1000, 'takeout')
  const people = Array.isArray(root.people) ? root.people : []
  return {
    ...noMetadata(),
    dates: date === null ? [] : [date],
    ...(positionOf(root.geoData) ?? positionOf(root.geoDataExif)),
    description: textIn(root.description),
    title: textIn(root.title),
    favorite: root.favorited === true ? true : undefined,
    people: distinct(people.flatMap(person => textIn(objectIn(person)?.name) ?? [])),
  }
}

/** Metadata of a sidecar of this name; null for unrelated JSON. */
export function parseSidecar(name: string, bytes: Uint8Array) {
  const kind = /\.json$/i.test(name) ? 'takeout' : 'xmp'
  const data = kind === 'takeout' ? parseTakeout(bytes) : parseXmpSidecar(bytes)
  return data === null ? null : ({ kind, data } as const)
}

function objectIn(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? cleanText(value) : undefined
}

/** Zeros mean 'no position'. */
function positionOf(value: unknown): Position | null {
  const place = objectIn(value)
  const number = (key: string) => {
    const found = place?.[key]
    return typeof found === 'number' ? found : undefined
  }
  const altitude = number('altitude')
  return believablePosition(number('latitude'), number('longitude'), altitude === 0 ? undefined : altitude)
}
