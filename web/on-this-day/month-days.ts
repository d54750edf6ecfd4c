/** Days without a year. Pure. */
import { ownLocale } from '../../schema/locale.ts'

export interface MonthDay {
  month: number
  day: number
}

/** A leap year, so that every day is included. */
const someYear = 2000

function dateOf({ month, day }: MonthDay): Date {
  return new Date(Date.UTC(someYear, month - 1, day))
}

function monthDay(date: Date): MonthDay {
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Parses '08-03'; null for other texts. */
export function monthDayOf(text: string): MonthDay | null {
  const [, month, day] = /^(\d\d)-(\d\d)$/.exec(text) ?? []
  if (month === undefined || day === undefined) return null
  const read = { month: Number(month), day: Number(day) }
  const real = monthDay(dateOf(read))
  return real.month === read.month && real.day === read.day ? read : null
}

export function neighbourDay(day: MonthDay, by: -1 | 1): MonthDay {
  const date = dateOf(day)
  date.setUTCDate(date.getUTCDate() + by)
  return monthDay(date)
}

/** Today in the browser's time zone. */
export function todayHere(now = new Date()): MonthDay {
  return { month: now.getMonth() + 1, day: now.getDate() }
}

/** 'Friday, 20 November' for today, or '20 November' for another day. */
export function dayText(day: MonthDay, isToday: boolean, now = new Date(), locale = ownLocale): string {
  const date = isToday ? new Date(Date.UTC(now.getFullYear(), day.month - 1, day.day)) : dateOf(day)
  return new Intl.DateTimeFormat(locale, {
    ...(isToday ? { weekday: 'long' } : {}),
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(date)
}

/** '3 years ago', 'this year', 'last year'. */
export function yearsAgo(year: number, now = new Date(), locale = ownLocale): string {
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(year - now.getFullYear(), 'year')
}
