/** Time zones: the zone of a place, and its offset from UTC at a moment. */
import tzLookup from '@photostructure/tz-lookup'

/** IANA name of the zone at a position, or null without one. On the open sea it is an 'Etc/GMT…' zone. */
export function zoneAt(latitude: number | undefined, longitude: number | undefined): string | null {
  if (latitude === undefined || longitude === undefined) return null
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null
  return tzLookup(latitude, longitude)
}

/** IANA name of the server's time zone. */
export function serverZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const formatters = new Map<string, Intl.DateTimeFormat | null>()

/** Minutes east of UTC in a zone at an instant (milliseconds since 1970); 0 for an unknown zone. */
export function zoneOffset(zone: string, instant: number): number {
  const formatter = formatterOf(zone)
  if (formatter === null || !Number.isFinite(instant)) return 0
  const part = new Map(formatter.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const localTime = Date.UTC(
    part.get('year') ?? 0,
    (part.get('month') ?? 1) - 1,
    part.get('day') ?? 1,
    part.get('hour') ?? 0,
    part.get('minute') ?? 0,
    part.get('second') ?? 0,
  )
  // Before standard time, offsets had seconds; they are rounded to minutes.
  return Math.round((localTime - Math.floor(instant / 1000) * 1000) / 60_000)
}

function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const cached = formatters.get(zone)
  if (cached !== undefined) return cached
  const formatter = createFormatter(zone)
  formatters.set(zone, formatter)
  return formatter
}

function createFormatter(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-u-hc-h23', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return null
  }
}
