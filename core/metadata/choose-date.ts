/** Chooses the date of a picture among all found dates. */
import { dateInName } from './date-in-name.ts'
import { foundInstant, localFromSeconds, sortableSeconds } from './dates.ts'
import type { FoundDate } from './metadata.ts'
import { zoneAt, zoneOffset } from './zones.ts'

export interface DateContext {
  /** File name, for the date in it. */
  name: string
  /** Modification time of the file in milliseconds since 1970. */
  mtimeMs: number
  /** The current time, in milliseconds since 1970: dates after next year are wrong. */
  now: number
  /** IANA name of the server's time zone. */
  zone: string
}

export interface DateEvidence extends DateContext {
  /** In order of precedence. */
  dates: readonly FoundDate[]
  latitude?: number
  longitude?: number
  /** Seconds since 1970 by GPS. */
  gpsTime?: number
}

/** The chosen date; null only when even the file's own time is invalid. */
export function chooseDate(evidence: DateEvidence): FoundDate | null {
  const zone = zoneAt(evidence.latitude, evidence.longitude) ?? evidence.zone
  const inName = dateInName(evidence.name)
  const ofFile = foundInstant(evidence.mtimeMs, 'file')
  const candidates = [...evidence.dates, ...(inName === null ? [] : [inName])].filter(date =>
    isPossible(date, evidence.now),
  )
  const [first, ...others] = candidates
  if (first === undefined) {
    // The file's time says nothing about the place of the picture, so the server's zone is used.
    return ofFile !== null && isPossible(ofFile, evidence.now) ? inZone(ofFile, evidence.zone) : null
  }
  const complete = withTimeOfDay(first, others, zone)
  if (complete.utc) return inOffsetOfOthers(complete, others) ?? inZone(complete, zone)
  if (complete.offset !== null || complete.dayOnly) return complete
  return { ...complete, offset: offsetFromOthers(complete, others) ?? offsetFromGps(complete, evidence.gpsTime) }
}

function isPossible(date: FoundDate, now: number): boolean {
  const year = Number(date.local.slice(0, 4))
  return year >= 1800 && year <= new Date(now).getUTCFullYear() + 1
}

function inZone(date: FoundDate, zone: string): FoundDate {
  const utc = sortableSeconds(date.local)
  return inOffset(date, zoneOffset(zone, utc * 1000))
}

function inOffset(date: FoundDate, offset: number): FoundDate {
  const { utc: _, ...rest } = date
  return { ...rest, local: localFromSeconds(sortableSeconds(date.local) + offset * 60) ?? date.local, offset }
}

/** If a date is only a day, adds the time from the next source that has the same day. */
function withTimeOfDay(date: FoundDate, others: readonly FoundDate[], zone: string): FoundDate {
  if (!date.dayOnly) return date
  for (const other of others) {
    if (other.dayOnly) continue
    const clock = other.utc ? inZone(other, zone) : other
    if (clock.local.slice(0, 10) === date.local.slice(0, 10)) return { ...clock, source: date.source }
  }
  return date
}

/** The date in the offset of another source with the same instant (a video's XMP beside its container's UTC). */
function inOffsetOfOthers(date: FoundDate, others: readonly FoundDate[]): FoundDate | null {
  const instant = sortableSeconds(date.local)
  for (const other of others) {
    if (other.utc || other.offset === null) continue
    if (Math.abs(sortableSeconds(other.local) - other.offset * 60 - instant) <= 2) return inOffset(date, other.offset)
  }
  return null
}

/** The offset that another source gives for the same time. Zero is not trusted: it is a common default. */
function offsetFromOthers(date: FoundDate, others: readonly FoundDate[]): number | null {
  const same = others.find(other => other.offset && other.source !== 'iptc' && other.local === date.local && !other.utc)
  return same?.offset ?? null
}

const quarter = 15 * 60

/** The offset from the satellites' clock, in whole quarters of an hour; null if the GPS time is from another moment. */
function offsetFromGps(date: FoundDate, gpsTime: number | undefined): number | null {
  if (gpsTime === undefined) return null
  const difference = sortableSeconds(date.local) - gpsTime
  const nearest = Math.round(difference / quarter) * quarter
  if (Math.abs(difference - nearest) > 120 || nearest < -12 * 3600 || nearest > 14 * 3600) return null
  return nearest / 60
}
