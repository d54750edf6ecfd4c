/** Items of one day in all years: of today, or of `?day=08-03` in the address. */
import { computed, signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import { dateIn } from '../../schema/calendar.ts'
import { api } from '../api.ts'
import { address, go } from '../app/address.ts'
import { filter, filterQuery } from '../app/current-filter.ts'
import { calendarQuery } from '../app/filter.ts'
import { createResource } from '../app/loading/resource.ts'
import { user } from '../app/session.ts'
import { onItemsChanged } from '../items/item-changes.ts'
import { throttle } from '../kit/time/throttle.ts'
import { onThisDayTexts } from '../texts/on-this-day.ts'
import { type MonthDay, monthDayOf, neighbourDay, todayHere } from './month-days.ts'

/** Milliseconds during which changes are collected. */
const gatherMs = 1000
const minuteMs = 60_000

export interface YearOfDay {
  year: number
  items: readonly Item[]
}

/** The day in the address, in the filter's calendar; null means today. */
const askedDay = computed(() =>
  monthDayOf(new URLSearchParams(address.value.search).get('day') ?? '', filter.value.calendar),
)
/** Start of today, checked while the screen is open, because a page may stay open past midnight. */
const today = signal(todayHere())
export const shownDay = computed<MonthDay>(() => askedDay.value ?? dateIn(filter.value.calendar, today.value))
export const isToday = computed(() => askedDay.value === null)

const dayRequest = computed(() => ({
  key: JSON.stringify([user.value?.id ?? 0, filter.value.collection, filterQuery.value, shownDay.value]),
  collection: filter.value.collection,
  query: { ...filterQuery.value, ...calendarQuery(filter.value.calendar) },
  day: askedDay.value,
}))
export const dayKey = computed(() => dayRequest.value.key)

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const resource = createResource<{ key: string; years: readonly YearOfDay[] }>(onThisDayTexts.failedToLoad, async () => {
  const { key, collection, query, day } = dayRequest.peek()
  const response = await api.items.onThisDay({
    params: { collectionId: collection },
    query: { ...query, onthisday: zone(), ...(day === null ? {} : { day: textOf(day) }) },
  })
  const byYear = Object.entries(response).map(([year, items]) => ({ year: Number(year), items }))
  return { key, years: byYear.sort((a, b) => b.year - a.year) }
})
export const { failed: dayFailed, load: loadDay } = resource
const { value: loaded } = resource

/** Newest year first; null during the first load. Items of another day stay until the new ones are loaded. */
export const yearsOfDay = computed(() => loaded.value?.years ?? null)
export const isDayLoaded = computed(() => loaded.value?.key === dayKey.value)

function lookAtToday(): void {
  today.value = todayHere()
}

/** Follows the date and changes of items while the screen is open. Returns the function that stops it. */
export function watchDay(): () => void {
  lookAtToday()
  // The items were loaded before, and may have changed while another screen was open.
  if (isDayLoaded.peek()) void loadDay({ quiet: true })
  const soon = throttle(() => void loadDay({ quiet: isDayLoaded.peek() }), gatherMs)
  const unwatch = onItemsChanged((ids, what) => {
    const gone = what === 'gone' && ids !== null
    const { value } = loaded
    if (gone && value !== null) loaded.value = { ...value, years: withoutItems(value.years, ids) }
    else soon()
  })
  const clock = setInterval(lookAtToday, minuteMs)
  addEventListener('focus', lookAtToday)
  return () => {
    unwatch()
    clearInterval(clock)
    removeEventListener('focus', lookAtToday)
  }
}

/** Years without items are left out. */
function withoutItems(of: readonly YearOfDay[], ids: readonly number[]): YearOfDay[] {
  return of
    .map(({ year, items }) => ({ year, items: items.filter(({ id }) => !ids.includes(id)) }))
    .filter(({ items }) => items.length > 0)
}

function textOf({ month, day }: MonthDay): string {
  return `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Goes to the previous day (-1), the next one (1), or back to today (0). */
export function turnDay(by: -1 | 0 | 1): void {
  const query = new URLSearchParams(address.value.search)
  const { calendar, month } = filter.value
  query.delete('day')
  query.delete('calendar')
  if (by !== 0) query.set('day', textOf(neighbourDay(shownDay.value, calendar, by)))
  if (calendar === 'persian' && (by !== 0 || month !== null)) query.set('calendar', calendar)
  const text = query.toString()
  go(`/on-this-day${text === '' ? '' : `?${text}`}`, { replace: true })
}
