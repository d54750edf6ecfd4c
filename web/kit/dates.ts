/** Dates and times in the language of the page. A picture's time is local time, and is never shifted. */
import { type Calendar, calendarOfYear, dateIn, monthStart } from '../../schema/calendar.ts'
import { inOwnDigits } from '../../schema/figures.ts'
import { ownLocale } from '../../schema/locale.ts'
import { baseTexts } from '../texts/base.ts'

/** The calendar of the language. */
export const ownCalendar: Calendar = isPersian(new Intl.DateTimeFormat(ownLocale)) ? 'persian' : 'gregorian'

/** A local time in seconds, read as if UTC. */
export const localSeconds = (date: Date): number => date.getTime() / 1000 - date.getTimezoneOffset() * 60

/** The year of a local time in the calendar of the language. */
export const yearOf = (taken: number): number => dateIn(ownCalendar, taken).year

/** Seconds of a day such as '2026-11-18'; NaN for other texts. */
export const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

function isPersian(formatter: Intl.DateTimeFormat): boolean {
  return formatter.resolvedOptions().calendar === 'persian'
}

type Style = Intl.DateTimeFormatOptions
const formatters = new Map<string, Intl.DateTimeFormat>()

function wallClock(taken: number, style: Style, locale = ownLocale): string {
  const key = `${locale} ${JSON.stringify(style)}`
  let formatter = formatters.get(key)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' })
    formatters.set(key, formatter)
  }
  // In Persian, `Intl` would begin a long date with the year.
  if (!isPersian(formatter)) return formatter.format(taken * 1000)
  const parts = formatter.formatToParts(taken * 1000).filter(({ type }) => type !== 'literal')
  const order = ['weekday', 'day', 'month', 'year']
  const isDate = parts.every(({ type }) => order.includes(type))
  if (!isDate) return formatter.format(taken * 1000)
  return order.flatMap(type => parts.find(part => part.type === type)?.value ?? []).join(' ')
}

/** 'Saturday, 3 August 2019'. `taken` in seconds, a local time read as if UTC. */
export function longDate(taken: number, locale = ownLocale): string {
  return wallClock(taken, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, locale)
}

/** 'Sat, 3 August 2019'; without the year in this year. */
export function dayHeading(taken: number, now = new Date(), locale = ownLocale): string {
  const isThisYear = yearOf(taken) === yearOf(localSeconds(now))
  const style: Style = { weekday: 'short', day: 'numeric', month: 'long' }
  return wallClock(taken, isThisYear ? style : { ...style, year: 'numeric' }, locale)
}

/** '3 Aug 2019', the short form. */
export function shortDate(taken: number, locale = ownLocale): string {
  return wallClock(taken, { day: 'numeric', month: 'short', year: 'numeric' }, locale)
}

/** '18:58' or, with seconds, '18:58:03'. */
export function clockTime(taken: number, withSeconds = false, locale = ownLocale): string {
  const style: Style = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return wallClock(taken, withSeconds ? { ...style, second: '2-digit' } : style, locale)
}

/** The parts of 'Sat, 3 August 2019, 18:58'; the clock time is the part 'time'. Others have the types of `Intl`. */
export function dateParts(taken: number, locale = ownLocale): { type: string; text: string }[] {
  const style: Style = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
  const day = new Intl.DateTimeFormat(locale, style)
    .formatToParts(taken * 1000)
    .map(({ type, value }) => ({ type, text: value }))
  return [...day, { type: 'literal', text: ', ' }, { type: 'time', text: clockTime(taken, false, locale) }]
}

export const inCalendar = (locale: string, calendar: Calendar): string =>
  new Intl.Locale(locale, { calendar: calendar === 'persian' ? 'persian' : 'gregory' }).toString()

/** A year in the digits of the language, without separators. */
export const yearText = (year: number): string => inOwnDigits(String(year))

/** 'August 2012', or 'Aug 2012' as the short form; in the calendar of the year. */
export function monthAndYear(year: number, month: number, short = false, locale = ownLocale): string {
  const style: Style = { month: short ? 'short' : 'long', year: 'numeric' }
  return wallClock(monthStart(year, month), style, inCalendar(locale, calendarOfYear(year)))
}

/** 'August', or 'Aug' as the short form. */
export function monthName(month: number, calendar: Calendar, short = false, locale = ownLocale): string {
  const start = monthStart(calendar === 'persian' ? 1400 : 2000, month)
  const name = wallClock(start, { month: short ? 'short' : 'long' }, inCalendar(locale, calendar))
  // In most languages `Intl` has no short names of Persian months. In Persian the whole names fit.
  return short && calendar === 'persian' && !locale.startsWith('fa') ? name.slice(0, 3) : name
}

/** Formats '2026-11-18' as '18 November 2026'; other texts are returned unchanged. */
export function dayOf(day: string, locale = ownLocale): string {
  const seconds = secondsOf(day)
  if (Number.isNaN(seconds)) return day
  return wallClock(seconds, { day: 'numeric', month: 'long', year: 'numeric' }, locale)
}

/** 'UTC+2', 'UTC−3:30'. `offset` in minutes east. */
export function offsetText(offset: number): string {
  if (offset === 0) return 'UTC'
  const minutes = Math.abs(offset)
  const rest = minutes % 60
  const sign = offset < 0 ? '−' : '+'
  return `UTC${sign}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

const sources: Record<string, string> = {
  'exif-original': baseTexts.fromTheCamera,
  'exif-create': baseTexts.fromTheCamera,
  'xmp-original': baseTexts.fromTheCamera,
  quicktime: baseTexts.fromTheCamera,
  iptc: baseTexts.writtenInTheFile,
  'xmp-photoshop': baseTexts.writtenInTheFile,
  'xmp-create': baseTexts.writtenInTheFile,
  takeout: baseTexts.fromGoogleTakeout,
  name: baseTexts.guessedFromTheFileName,
  file: baseTexts.guessedFromTheFiles,
  user: baseTexts.setByHand,
}

/** The source of a date, in words; '' for unknown sources. */
export function sourceText(source: string): string {
  return sources[source] ?? ''
}

/** 'Saturday, 3 August 2019, 18:58:03 UTC+2, from the camera'. */
export function exactDate(
  item: { taken: number; utc_offset: number | null; date_source: string },
  locale = ownLocale,
): string {
  const offset = item.utc_offset === null ? '' : ` ${offsetText(item.utc_offset)}`
  const source = sourceText(item.date_source)
  const time = `${clockTime(item.taken, true, locale)}${offset}`
  return `${longDate(item.taken, locale)}, ${time}${source === '' ? '' : `, ${source}`}`
}

/** A moment for administrators: 'Today, 09:12', 'Yesterday, 22:40', '12 November', 'Never'. */
export function momentText(iso: string, now = new Date(), locale = ownLocale): string {
  const moment = new Date(iso)
  if (iso === '' || Number.isNaN(moment.getTime())) return baseTexts.never
  const midnight = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime()
  const time = moment.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (moment.getTime() >= midnight(0)) return baseTexts.todayAt({ time })
  if (moment.getTime() >= midnight(1)) return baseTexts.yesterdayAt({ time })
  const sameYear = yearOf(localSeconds(moment)) === yearOf(localSeconds(now))
  return moment.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' as const }),
  })
}

/** When something ends, in this browser's time zone: '29 Nov 2026, 22:10'. Seconds since the epoch. */
export function endText(seconds: number, locale = ownLocale): string {
  return new Date(seconds * 1000).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
}

/** The day on which something ended, in this browser's time zone: 'Sunday, 15 November 2026'. Seconds since the epoch. */
export function dayText(seconds: number, locale = ownLocale): string {
  return longDate(localSeconds(new Date(seconds * 1000)), locale)
}

/** Formats seconds as '3:12' or '1:02:45'. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return inOwnDigits(hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`)
}
