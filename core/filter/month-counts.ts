/** Number of items of a frame in each month. */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { allOf, firstOf } from './bound.ts'
import { countInFrame, monthCounts } from './counts.sql.ts'
import { type Frame, isEmpty } from './frame.ts'

/** How many items a month has. `from` and `to` bound its part in the frame, in seconds like `items.taken`. */
export interface MonthCount {
  /** Year * 100 + month. */
  ym: number
  from: number
  to: number
  n: number
}

const startOf = (ym: number) => new Date(0).setUTCFullYear(Math.floor(ym / 100), (ym % 100) - 1, 1) / 1000

/**
 * Counts of items by month, newest month first, from the counters that triggers keep. The items of a month that is only
 * partly in the frame are counted.
 */
export function monthsInFrame(db: LibraryDatabase, frame: Frame, months: readonly number[] | null): MonthCount[] {
  if (isEmpty(frame)) return []
  return allOf(db, monthCounts(frame)).flatMap(({ ym, n }) => {
    if (months !== null && !months.includes(ym % 100)) return []
    // `startOf` accepts month 13 as well.
    const [start, end] = [startOf(ym), startOf(ym + 1)]
    const [from, to] = [Math.max(start, frame.from), Math.min(end, frame.to)]
    if (from >= to) return []
    if (from === start && to === end) return [{ ym, from, to, n }]
    const part = firstOf(db, countInFrame({ ...frame, from, to }))?.n ?? 0
    return part === 0 ? [] : [{ ym, from, to, n: part }]
  })
}

export function sumOf(months: readonly MonthCount[]): number {
  return months.reduce((sum, { n }) => sum + n, 0)
}
