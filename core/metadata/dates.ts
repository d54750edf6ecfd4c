/** Dates as files write them, and the local times that the library keeps. */
import type { DateSource, FoundDate } from './metadata.ts'

// 2019:08:01 14:22:33.123+02:00 as written by EXIF, XMP, exiftool and careless programs; XMP may end after any part.
const dateTime =
  /^(\d{4})(?!\d)(?:[:\-/. ](\d{1,2})(?:[:\-/. ](\d{1,2})(?:[T ]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,9}))?)?)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?/

/** Parts of a date and time; milliseconds and offset are null where missing. */
function partsOf(text: string) {
  const match = dateTime.exec(text.trim())
  if (match === null) return null
  const [, year, month, day, hour, minute, second, fraction, offset] = match
  return {
    year: Number(year),
    month: Number(month ?? 1),
    day: Number(day ?? 1),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    milliseconds: fraction === undefined ? null : millisecondsOf(fraction),
    offset: offset === undefined ? null : parseOffset(offset),
    dayOnly: hour === undefined,
  }
}

/**
 * A date in the spelling of EXIF, XMP or IPTC, or null for anything invalid: zeros, blanks, 30 February, hour 24, years
 * before 1800. `more.subSeconds` and `more.offset` are EXIF's separate tags and win over the text.
 */
export function foundDate(
  text: string | undefined,
  source: DateSource,
  more: { subSeconds?: string; offset?: string } = {},
): FoundDate | null {
  const parts = text === undefined ? null : partsOf(text)
  if (parts === null) return null
  const local = localTimeOfParts(parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second)
  if (local === null) return null
  const offset = (more.offset === undefined ? null : parseOffset(more.offset)) ?? parts.offset
  const digits = /^\d+/.exec(more.subSeconds?.trim() ?? '')?.[0]
  const milliseconds = (digits === undefined ? parts.milliseconds : millisecondsOf(digits)) ?? undefined
  return { local, offset, source, milliseconds, dayOnly: parts.dayOnly ? true : undefined }
}

/** A date whose instant is known (milliseconds since 1970), but not its local time. Null outside the valid years. */
export function foundInstant(milliseconds: number, source: DateSource): FoundDate | null {
  if (!Number.isFinite(milliseconds)) return null
  const local = localFromSeconds(Math.floor(milliseconds / 1000))
  if (local === null) return null
  const fraction = ((Math.trunc(milliseconds) % 1000) + 1000) % 1000
  return { local, offset: null, source, utc: true, milliseconds: fraction > 0 ? fraction : undefined }
}

/** 'YYYY-MM-DD HH:MM:SS', or null for invalid moments and those before 1800. */
export function localTimeOfParts(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): string | null {
  if (!(year >= 1800 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)))
    return null
  if (!(hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60)) return null
  return `${pad(year, 4)}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`
}

/** The local time read as if it were UTC, in seconds: the sort key of lists. NaN for other texts. */
export function sortableSeconds(local: string): number {
  return Date.parse(`${local.replace(' ', 'T')}Z`) / 1000
}

/** The inverse of sortableSeconds; null outside the years 1800 to 9999. */
export function localFromSeconds(seconds: number): string | null {
  const date = new Date(seconds * 1000)
  const year = date.getUTCFullYear()
  return year >= 1800 && year <= 9999 ? date.toISOString().slice(0, 19).replace('T', ' ') : null
}

/** '+05:45', '-0800' or 'Z' as minutes east of UTC; null for anything else and for unreal offsets. */
export function parseOffset(text: string): number | null {
  if (/^\s*Z/.test(text)) return 0
  const match = /^\s*([+-])(\d{2}):?(\d{2})/.exec(text)
  if (match === null) return null
  const [, sign, hours, minutes] = match
  const total = Number(hours) * 60 + Number(minutes)
  if (Number(minutes) > 59 || total > 16 * 60) return null
  return sign === '-' ? -total || 0 : total
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function millisecondsOf(fraction: string): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'))
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0')
}
