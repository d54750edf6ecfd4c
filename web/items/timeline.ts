/** Item counts by month of the filter's calendar: for the date filter (without the filter's date) and for the scrubber (with it). */
import { computed } from '@preact/signals-react'
import { api } from '../api.ts'
import { filter, filtered, filterQuery, sortQuery } from '../app/current-filter.ts'
import { calendarQuery, dateless } from '../app/filter.ts'
import { createResource } from '../app/loading/resource.ts'
import { user } from '../app/session.ts'
import { baseTexts } from '../texts/base.ts'
import { type Month, marksOf } from './scrubber-marks.ts'

const timelineRequest = computed(() => {
  const { collection } = filter.value
  const query = { ...dateless(filterQuery.value), ...calendarQuery(filter.value.calendar) }
  return { key: JSON.stringify([user.value?.id ?? 0, collection, query, sortQuery.value]), collection, query }
})

/** Identifies the months for the present filter, except its date: when this changes, they must be loaded. */
export const timelineKey = computed(() => timelineRequest.value.key)

const timeline = createResource<readonly Month[]>(
  baseTexts.failedToLoadItems,
  async () => {
    const { collection, query } = timelineRequest.peek()
    return (await api.items.timeline({ params: { collectionId: collection }, query })).months
  },
  // If items are filtered, the list already reports the failure.
  () => filtered.peek(),
)
export const { load: loadTimeline, failed: timelineFailed } = timeline

/** Months of the items that the filter matches, apart from its date; newest first. */
const months = computed(() => timeline.value.value ?? [])

/** Whether a date can be chosen: there are months, or a filter may be the reason that there are none. */
export const hasDates = computed(() => months.value.length > 0 || filtered.value)

/** Years that have items, newest first. */
export const yearsWithItems = computed(() => [...new Set(months.value.map(({ year }) => year))])

/** Items in each of the twelve months of the chosen year, or of all years; index 0 is the first month. */
export const monthCounts = computed(() => {
  const counts: number[] = Array.from({ length: 12 }, () => 0)
  const { year } = filter.value
  for (const month of months.value) {
    if (year === null || month.year === year) counts[month.month - 1] = (counts[month.month - 1] ?? 0) + month.count
  }
  return counts
})

/** The months of the scrubber: only those of the date in the filter. */
export const scrubberMarks = computed(() => {
  const { year, month, sort } = filter.value
  const shown = months.value.filter(
    one => (year === null || one.year === year) && (month === null || one.month === month),
  )
  // In any order other than by date, all items are in one month 0, as in responses of `item/layout`.
  const count = shown.reduce((sum, one) => sum + one.count, 0)
  return marksOf(sort === null ? shown : [{ year: 0, month: 0, count }])
})
