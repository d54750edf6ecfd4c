/** Reads positions on the globe in the forms of several formats. */

export interface Position {
  latitude: number
  longitude: number
  altitude?: number
}

/** Returns a plausible position, or null. Devices without a GPS fix write exactly (0, 0). */
export function believablePosition(
  latitude: number | undefined,
  longitude: number | undefined,
  altitude: number | undefined,
): Position | null {
  if (latitude === undefined || longitude === undefined) return null
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null
  if (latitude === 0 && longitude === 0) return null
  const position: Position = { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) }
  if (altitude !== undefined && Math.abs(altitude) < 100_000) position.altitude = Math.round(altitude * 100) / 100
  return position
}

/** Rounds to a tenth of a millimetre, which also avoids values like 0.30000000000000004. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9
}

/** ISO 6709 as QuickTime and Android write it: +48.8583+002.2944+035.000/, also with minutes and seconds. */
export function parseIso6709(text = ''): Position | null {
  const match = /^\s*([+-]\d+(?:\.\d+)?)([+-]\d+(?:\.\d+)?)([+-]\d+(?:\.\d+)?)?/.exec(text)
  if (match === null) return null
  const [, latitude = '', longitude = '', altitude] = match
  const height = altitude === undefined ? undefined : Number(altitude)
  return believablePosition(sexagesimal(latitude, 2), sexagesimal(longitude, 3), height)
}

/** Parses ±DD.DDD, ±DDMM.MMM or ±DDMMSS.SSS, distinguished by the number of digits before the point. */
function sexagesimal(text: string, degreeDigits: number): number {
  const sign = text.startsWith('-') ? -1 : 1
  const [whole = '', fraction = '0'] = text.slice(1).split('.')
  const rest = whole.slice(degreeDigits)
  if (whole.length <= degreeDigits) return sign * Number(`${whole}.${fraction}`)
  const degrees = Number(whole.slice(0, degreeDigits))
  if (rest.length <= 2) return sign * (degrees + Number(`${rest}.${fraction}`) / 60)
  return sign * (degrees + Number(rest.slice(0, 2)) / 60 + Number(`${rest.slice(2)}.${fraction}`) / 3600)
}

/** XMP's 'DDD,MM,SSk' and 'DDD,MM.mmk' with k one of N, S, E, W; also plain decimals. Undefined for anything else. */
export function parseXmpCoordinate(text: string | undefined): number | undefined {
  const match = /^\s*([+-]?\d+(?:\.\d+)?)(?:\s*,\s*(\d+(?:\.\d+)?))?(?:\s*,\s*(\d+(?:\.\d+)?))?\s*([NSEW])?\s*$/i.exec(
    text ?? '',
  )
  if (match === null) return undefined
  const [, degrees, minutes = '0', seconds = '0', side] = match
  const value = Math.abs(Number(degrees)) + Number(minutes) / 60 + Number(seconds) / 3600
  const negative = degrees?.startsWith('-') || /[SW]/i.test(side ?? '')
  return negative ? -value : value
}

/** A number that may be written as a fraction ('35/10'), as XMP does with EXIF's rationals. */
export function parseRational(text: string | undefined): number | undefined {
  const match = /^\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(?:\/\s*([+-]?\d+(?:\.\d+)?))?/i.exec(text ?? '')
  if (match === null) return undefined
  const value = Number(match[1]) / Number(match[2] ?? 1)
  return Number.isFinite(value) ? value : undefined
}
