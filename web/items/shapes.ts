/** Shapes (aspect ratios) of the list's items by month, for the timeline. A month is loaded when it comes near the screen. */
import { computed, signal } from '@preact/signals-react'
import type { LayoutMonth } from '../../schema/api/items.ts'
import { monthStart } from '../../schema/calendar.ts'
import { api } from '../api.ts'
import { filter, filterQuery } from '../app/current-filter.ts'
import { calendarQuery, dateless, dateQuery } from '../app/filter.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import type { Marks, Month } from './scrubber-marks.ts'
import { timelineKey } from './timeline.ts'

/** The pictures of a month: a byte for the shape of each (see `shapeOf`), and how many each day has; in the list's order. */
export interface MonthShapes {
  shapes: Uint8Array
  /** `day` is null if the days are unknown. */
  days: readonly { day: number | null; count: number }[]
}

/** Maximum number of items of consecutive months in one request; a single month may have more. */
const maxPerRequest = 3000

const monthKey = ({ year, month }: Pick<Month, 'year' | 'month'>) => year * 12 + month - 1

const held = signal<{ key: string; months: ReadonlyMap<number, MonthShapes> }>({ key: '', months: new Map() })
/** Months (with their list's key) that were requested since the numbers of items were loaded last. */
const requested = new Set<string>()
/** The numbers of items for which shapes were requested last. */
let lastMarks: Marks | null = null
let hasFailed = false

/** Returns the shapes of a month of the present list; undefined until they are loaded. */
export const shapesOf = computed(() => {
  const { key, months } = held.value
  return (month: Pick<Month, 'year' | 'month'>): MonthShapes | undefined =>
    key === timelineKey.value ? months.get(monthKey(month)) : undefined
})

function parse({ shapes, days }: LayoutMonth): MonthShapes {
  return { days, shapes: Uint8Array.from(atob(shapes), letter => letter.charCodeAt(0)) }
}

/** First second of a month, by its `monthKey`. */
const secondsOf = (key: number) => monthStart(Math.floor(key / 12), (key % 12) + 1)

async function load(months: readonly Month[]): Promise<void> {
  const key = timelineKey.peek()
  const keys = months.map(monthKey)
  const { sort, collection, calendar } = filter.peek()
  const query = { ...dateless(filterQuery.peek()), ...calendarQuery(calendar) }
  const range =
    sort === null
      ? { timestampStart: secondsOf(Math.min(...keys)), timestampEnd: secondsOf(Math.max(...keys) + 1) }
      : { ...dateQuery(filter.peek()), sort }
  try {
    const params = { collectionId: collection }
    const response = await api.items.layout({ params, query: { ...query, ...range } })
    if (timelineKey.peek() !== key) return
    const known = new Map(held.peek().key === key ? held.peek().months : [])
    for (const month of response.months) known.set(monthKey(month), parse(month))
    held.value = { key, months: known }
  } catch {
    if (timelineKey.peek() !== key) return
    // Not reported, because the list reports the same failure. Until the server is back, all pictures count as 3 : 2.
    hasFailed = true
    const known = new Map(held.peek().key === key ? held.peek().months : [])
    for (const month of months) {
      requested.delete(`${key} ${monthKey(month)}`)
      const guessed = { shapes: new Uint8Array(month.count), days: [{ day: null, count: month.count }] }
      if (!known.has(monthKey(month))) known.set(monthKey(month), guessed)
    }
    held.value = { key, months: known }
  }
}

/**
 * Loads the shapes of months, consecutive ones together, unless they are loaded. If `marks` are others than in the last
 * call, items have changed: then all shapes are loaded again, and the old ones are shown until then.
 */
export function needShapes(marks: Marks, months: readonly Month[]): void {
  if (marks !== lastMarks) requested.clear()
  lastMarks = marks
  const key = timelineKey.peek()
  let run: Month[] = []
  let size = 0
  const send = () => {
    if (run.length > 0) void load(run)
    run = []
    size = 0
  }
  for (const month of months) {
    const name = `${key} ${monthKey(month)}`
    if (requested.has(name)) {
      send()
      continue
    }
    requested.add(name)
    // If the filter is a month of any year, its months are not consecutive.
    if (size + month.count > maxPerRequest || filter.peek().month !== null) send()
    run.push(month)
    size += month.count
  }
  send()
}

onRecovery(() => {
  if (!hasFailed) return
  hasFailed = false
  // The timeline is rendered again and calls `needShapes`.
  held.value = { ...held.peek() }
})
