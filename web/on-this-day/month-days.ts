/** Days without a year. Pure. */
import { type Calendar, type CalendarDate, calendarOfYear, dateIn, monthStart } from '../../schema/calendar.ts'
import { ownLocale } from '../../schema/locale.ts'
import { inCalendar, localSeconds } from '../kit/dates.ts'

export type MonthDay = Pick<CalendarDate, 'month' | 'day'>

const daySeconds = 86_400

/** Leap years, so that every day is included. */
const someYear: Record<Calendar, number> = { gregorian: 2000, persian: 1403 }

/** Start of the day in a year, in seconds. */
function startOf({ month, day }: MonthDay, year: number): number {
  return monthStart(year, month) + (day - 1) * daySeconds
}

/** Parses '08-03'; null for other texts. */
export function monthDayOf(text: string, calendar: Calendar): MonthDay | null {
  const [, month, day] = /^(\d\d)-(\d\d)$/.exec(text) ?? []
  if (month === undefined || day === undefined) return null
  const read = { month: Number(month), day: Number(day) }
  const real = dateIn(calendar, startOf(read, someYear[calendar]))
  return real.month === read.month && real.day === read.day ? read : null
}

export function neighbourDay(day: MonthDay, calendar: Calendar, by: -1 | 1): MonthDay {
  // The day before the first one is the last day of a leap year.
  const year = someYear[calendar] + (by < 0 && day.month === 1 ? 1 : 0)
  const { year: _, ...neighbour } = dateIn(calendar, startOf(day, year) + by * daySeconds)
  return neighbour
}

/** Start of today in the browser's time zone, in seconds as if local time were UTC. */
export function todayHere(now = new Date()): number {
  return Math.floor(localSeconds(now) / daySeconds) * daySeconds
}

/** 'Friday, 20 November' for today, or '20 November' for another day. */
export function dayText(
  day: MonthDay,
  calendar: Calendar,
  isToday: boolean,
  now = new Date(),
  locale = ownLocale,
): string {
  const year = isToday ? dateIn(calendar, localSeconds(now)).year : someYear[calendar]
  return new Intl.DateTimeFormat(inCalendar(locale, calendar), {
    ...(isToday ? { weekday: 'long' } : {}),
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(startOf(day, year) * 1000)
}

/** '3 years ago', 'this year', 'last year'. */
export function yearsAgo(year: number, now = new Date(), locale = ownLocale): string {
  const thisYear = dateIn(calendarOfYear(year), localSeconds(now)).year
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(year - thisYear, 'year')
}
