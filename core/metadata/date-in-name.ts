/** Finds the dates that cameras, phones and messengers put into file names. */
import { foundInstant, localTimeOfParts } from './dates.ts'
import type { FoundDate } from './metadata.ts'

/** Milliseconds since 1970, in names by Facebook and WeChat and of screenshots. */
const instant = /^(?:FB_IMG_|mmexport|wx_camera_|Screenshot_)(1[0-9]{12})(?!\d)/i

/** 20190801_142233, IMG20190801142233, PXL_20210102_030405678, signal-2019-08-01-142233 … */
const compact = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})[-_ T]{0,2}(\d{2})(\d{2})(\d{2})(\d{3})?(?!\d)/i
/** 2019-08-01 14.22.33, 2019-08-01 at 2.22.33 PM … */
const separated =
  /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?:[-_ T,]+| at | um | à | a las )(\d{1,2})[-_.:h](\d{2})[-_.:m](\d{2})(?:[-_.](\d{3})(?!\d))?(?!\d)\s?([AP]M)?/i

/** IMG-20190801-WA0001, 2019-08-01, 2019_08_01: only the day. */
const day = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/g

/** The date in a file name, or null. Clock times are local, but UTC in names by Google's Pixel phones (PXL_…). */
export function dateInName(name: string): FoundDate | null {
  const milliseconds = instant.exec(name)?.[1]
  if (milliseconds !== undefined) return foundInstant(Number(milliseconds), 'name')
  const found = dateAndTimeIn(name, compact) ?? dateAndTimeIn(name, separated) ?? dayIn(name)
  if (found !== null && !found.dayOnly && /^PXL_/i.test(name)) found.utc = true
  return found
}

function dateAndTimeIn(name: string, pattern: RegExp): FoundDate | null {
  const match = pattern.exec(name)
  if (match === null) return null
  const [, year, , month, dayOfMonth, hour, minute, second, fraction, half] = match
  const local = likelyTime(
    year,
    Number(month),
    Number(dayOfMonth),
    hourOfDay(hour, half),
    Number(minute),
    Number(second),
  )
  if (local === null) return null
  return { local, offset: null, source: 'name', milliseconds: fraction === undefined ? undefined : Number(fraction) }
}

function dayIn(name: string): FoundDate | null {
  for (const [, year, , month, dayOfMonth] of name.matchAll(day)) {
    const local = likelyTime(year, Number(month), Number(dayOfMonth), 0, 0, 0)
    if (local !== null) return { local, offset: null, source: 'name', dayOnly: true }
  }
  return null
}

/** Digits in names are often plain numbers: only plausible years count. */
function likelyTime(
  year: string | undefined,
  ...rest: [month: number, day: number, hour: number, minute: number, second: number]
) {
  return Number(year) < 1826 ? null : localTimeOfParts(Number(year), ...rest)
}

function hourOfDay(hour: string | undefined, half: string | undefined): number {
  const value = Number(hour)
  if (half === undefined) return value
  return (value % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
}
