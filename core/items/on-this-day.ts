/** On This Day: items that were taken on this day of other years, and of this one, in the calendar of the call. */
import type { FilterQuery, Item } from '../../schema/api/items.ts'
import { type Calendar, type CalendarDate, dateIn, monthStart } from '../../schema/calendar.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { Viewer } from '../accounts/access.ts'
import { any, type Filter, takenBetween } from '../filter/filter.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Items } from './items.ts'

export type MonthDay = Pick<CalendarDate, 'month' | 'day'>

/** Today in a zone; `invalid` if there is no such zone. '' is the zone of the server. */
export function todayIn(zone: string, now: number, calendar: Calendar = 'gregorian'): CalendarDate {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      ...(zone === '' ? {} : { timeZone: zone }),
      calendar: calendar === 'persian' ? 'persian' : 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    }).formatToParts(now)
    const of = (type: string) => Number(parts.find(part => part.type === type)?.value)
    return { year: of('year'), month: of('month'), day: of('day') }
  } catch {
    throw new Failure('invalid', sentence`There is no time zone '${zone}'. Give one such as Europe/Madrid.`, {
      field: 'onthisday',
    })
  }
}

const daySeconds = 86_400

/** The days that only leap years have. */
const leapDays: Record<Calendar, MonthDay> = { gregorian: { month: 2, day: 29 }, persian: { month: 12, day: 30 } }

/** Start of a day in seconds; null if the year does not have it. */
function startOf(calendar: Calendar, { year, month, day }: CalendarDate): number | null {
  const start = monthStart(year, month, calendar) + (day - 1) * daySeconds
  return start < monthStart(year, month + 1, calendar) ? start : null
}

/** The days of the year that are shown today: in common years the day before the leap day includes the leap day. */
export function daysShown({ year, month, day }: CalendarDate, calendar: Calendar = 'gregorian'): MonthDay[] {
  const leap = leapDays[calendar]
  const isBeforeLeap = month === leap.month && day === leap.day - 1
  return isBeforeLeap && startOf(calendar, { year, ...leap }) === null ? [{ month, day }, leap] : [{ month, day }]
}

/** A condition for these days in each of these years; leap days only in leap years. */
function onDays(calendar: Calendar, days: readonly MonthDay[], years: readonly number[]): Filter {
  const starts = years.flatMap(year => days.flatMap(day => startOf(calendar, { year, ...day }) ?? []))
  return any(starts.map(start => takenBetween(start, start + daySeconds)))
}

export function createOnThisDay({ items, clock }: { items: Items; clock: Clock }) {
  return {
    /** Condition for today's date, or a `day` like '08-03', in the years with items of that month. */
    filterFor(viewer: Viewer, collectionId: number, query: FilterQuery, zone: string, day = ''): Filter {
      const { calendar = 'gregorian' } = query
      const today = todayIn(zone, clock.now(), calendar)
      const [month = today.month, date = today.day] = day === '' ? [] : day.split('-').map(Number)
      const days = daysShown({ year: today.year, month, day: date }, calendar)
      const { months } = items.timeline(viewer, { collectionId }, query)
      const years = months.filter(({ month }) => days.some(day => day.month === month)).map(({ year }) => year)
      return onDays(calendar, days, [...new Set(years)])
    },

    /** Items by year, newest first in each; years without any are omitted. */
    list(
      viewer: Viewer,
      { collectionId }: { collectionId: number },
      query: FilterQuery & { onthisday?: string | undefined; day?: string | undefined; limit?: number | undefined },
    ): Record<string, Item[]> {
      const { onthisday = '', day, limit = limits.maxOnThisDay, ...filters } = query
      const also = this.filterFor(viewer, collectionId, filters, onthisday, day)
      const path = '/v1/item/onthisday'
      const page = items.listOf(viewer, { collectionId, path, also }, { ...filters, limit })
      const yearOf = ({ taken }: Item) => String(dateIn(query.calendar ?? 'gregorian', taken).year)
      return Object.fromEntries(Map.groupBy(page.items, yearOf))
    },
  }
}

export type OnThisDay = ReturnType<typeof createOnThisDay>
