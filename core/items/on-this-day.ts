/** On This Day: items that were taken on this day of other years, and of this one. */
import type { FilterQuery, Item } from '../../schema/api/items.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { Viewer } from '../accounts/access.ts'
import { any, type Filter, takenBetween } from '../filter/filter.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Items } from './items.ts'

export interface MonthDay {
  month: number
  day: number
}

/** Today in a zone; `invalid` if there is no such zone. '' is the zone of the server. */
export function todayIn(zone: string, now: number): MonthDay & { year: number } {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      ...(zone === '' ? {} : { timeZone: zone }),
      calendar: 'gregory',
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

/** The day before the first of March shows the length of February. */
function isLeap(year: number): boolean {
  return new Date(new Date(0).setUTCFullYear(year, 2, 0)).getUTCDate() === 29
}

/** The days of the year that are shown today: in common years the 28th of February includes the 29th. */
export function daysShown(today: MonthDay & { year: number }): MonthDay[] {
  const { year, month, day } = today
  const thisDay = { month, day }
  return month === 2 && day === 28 && !isLeap(year) ? [thisDay, { month: 2, day: 29 }] : [thisDay]
}

const daySeconds = 86_400

/** A condition for these days in each of these years; the 29th of February only in leap years. */
function onDays(days: readonly MonthDay[], years: readonly number[]): Filter {
  return any(
    years.flatMap(year =>
      days.flatMap(({ month, day }) => {
        const date = new Date(new Date(0).setUTCFullYear(year, month - 1, day))
        if (date.getUTCMonth() !== month - 1) return []
        const start = date.getTime() / 1000
        return takenBetween(start, start + daySeconds)
      }),
    ),
  )
}

export function createOnThisDay({ items, clock }: { items: Items; clock: Clock }) {
  return {
    /** Condition for today's date, or a `day` like '08-03', in the years with items of that month. */
    filterFor(viewer: Viewer, collectionId: number, query: FilterQuery, zone: string, day = ''): Filter {
      const today = todayIn(zone, clock.now())
      const [month = today.month, date = today.day] = day === '' ? [] : day.split('-').map(Number)
      const days = daysShown({ year: today.year, month, day: date })
      const { months } = items.timeline(viewer, { collectionId }, query)
      const years = months.filter(({ month }) => days.some(day => day.month === month)).map(({ year }) => year)
      return onDays(days, [...new Set(years)])
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
      const yearOf = ({ taken_at }: Item) => taken_at.slice(0, taken_at.indexOf('-', 1))
      return Object.fromEntries(Map.groupBy(page.items, yearOf))
    },
  }
}

export type OnThisDay = ReturnType<typeof createOnThisDay>
