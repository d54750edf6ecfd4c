/** Shapes of the list's items by month, for the timeline: loaded when a month comes into view, kept until it changes. */
import { computed, signal } from '@preact/signals-react'
import type { LayoutMonth } from '../../schema/api/items.ts'
import { monthStart } from '../../schema/calendar.ts'
import { api } from '../api.ts'
import { filter, filterQuery } from '../app/current-filter.ts'
import { calendarQuery, dateless, dateQuery } from '../app/filter.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import type { Marks, Month } from './scrubber-marks.ts'
import { timelineKey } from './timeline.ts'

/** Shapes of a month's pictures in the list's order (see `shapeOf`), and how many each of its days has. */
export interface MonthShapes {
  shapes: Uint8Array
  /** `day` is null if the days are unknown. */
  days: readonly { day: number | null; count: number }[]
}

/** Items of neighbouring months that one request loads, unless a single month has more. */
const atOnce = 3000

const monthKey = ({ year, month }: Pick<Month, 'year' | 'month'>) => year * 12 + month - 1

const held = signal<{ key: string; months: ReadonlyMap<number, MonthShapes> }>({ key: '', months: new Map() })
/** Months that were requested or loaded since the counts of months were loaded, with their list's key. */
const fresh = new Set<string>()
let countedIn: Marks | null = null
let hasFailed = false

/** The shapes of a month of the present list; undefined until they are loaded. */
export const shapesOf = computed(() => {
  const { key, months } = held.value
  return (month: Pick<Month, 'year' | 'month'>): MonthShapes | undefined =>
    key === timelineKey.value ? months.get(monthKey(month)) : undefined
})

function parse({ shapes, days }: LayoutMonth): MonthShapes {
  return { days, shapes: Uint8Array.from(atob(shapes), letter => letter.charCodeAt(0)) }
}

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
    // The list reports the same failure. Until the server is back, all pictures are taken for 3 : 2.
    hasFailed = true
    const known = new Map(held.peek().key === key ? held.peek().months : [])
    for (const month of months) {
      fresh.delete(`${key} ${monthKey(month)}`)
      const guessed = { shapes: new Uint8Array(month.count), days: [{ day: null, count: month.count }] }
      if (!known.has(monthKey(month))) known.set(monthKey(month), guessed)
    }
    held.value = { key, months: known }
  }
}

/**
 * Loads the shapes of months, consecutive ones together, unless they are loaded. Other `marks` were counted anew, because
 * items have changed: shapes are loaded again, and the old ones are shown until then.
 */
export function needShapes(marks: Marks, months: readonly Month[]): void {
  if (marks !== countedIn) fresh.clear()
  countedIn = marks
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
    if (fresh.has(name)) {
      send()
      continue
    }
    fresh.add(name)
    // With a month of all years as filter, the months between are other months.
    if (size + month.count > atOnce || filter.peek().month !== null) send()
    run.push(month)
    size += month.count
  }
  send()
}

onRecovery(() => {
  if (!hasFailed) return
  hasFailed = false
  // Whoever shows the timeline asks again.
  held.value = { ...held.peek() }
})
