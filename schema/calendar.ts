/** Years, months and days of the Gregorian and the Persian (Jalali) calendar. Times are local, in seconds, read as if UTC. */

export const calendars = ['gregorian', 'persian'] as const
export type Calendar = (typeof calendars)[number]

/** Days of a year, month and day; the months and days are numbered from 1. */
export interface CalendarDate {
  year: number
  month: number
  day: number
}

const daySeconds = 86_400

/** The first day of the Persian calendar, in days before 1970. */
export const persianEpoch = 492_268

/** Which calendar a year belongs to: no picture is older than 1800, and the Persian year 1700 begins in 2321. */
export function calendarOfYear(year: number): Calendar {
  return year < 1700 ? 'persian' : 'gregorian'
}

/** The first day of a Persian year, in days since the first one. Agrees with `Intl` until the year 1501. */
const persianNewYear = (year: number) => Math.floor((12_053 * year - 12_024) / 33)

/** Start of a month. Months beyond 12 run into the next year. */
export function monthStart(year: number, month: number, calendar = calendarOfYear(year)): number {
  // `Date.UTC` reads years below 100 as 19xx.
  if (calendar === 'gregorian') return new Date(0).setUTCFullYear(year, month - 1, 1) / 1000
  const before = (month - 1) % 12
  const day = persianNewYear(year + Math.floor((month - 1) / 12)) + 30 * before + Math.min(before, 6)
  return (day - persianEpoch) * daySeconds
}

export function dateIn(calendar: Calendar, seconds: number): CalendarDate {
  if (calendar === 'gregorian') {
    const date = new Date(seconds * 1000)
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  }
  const days = Math.floor(seconds / daySeconds) + persianEpoch
  const year = Math.floor((33 * days + 12_056) / 12_053)
  const ofYear = days - persianNewYear(year)
  // Six months have 31 days, the others 30.
  const before = Math.max(Math.floor(ofYear / 31), Math.floor((ofYear - 6) / 30))
  return { year, month: before + 1, day: ofYear - 30 * before - Math.min(before, 6) + 1 }
}
