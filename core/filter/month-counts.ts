/** Number of items of a frame in each month. */
import { type Calendar, dateIn, monthStart } from '../../schema/calendar.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { allOf, firstOf } from './bound.ts'
import { countInFrame, monthCounts } from './counts.sql.ts'
import { everyMonth, type MonthFilter } from './filter.ts'
import { type Frame, isEmpty } from './frame.ts'

/** How many items a month has. `from` and `to` bound its part in the frame, in seconds like `items.taken`. */
export interface MonthCount {
  /** Year * 100 + month. */
  ym: number
  from: number
  to: number
  n: number
}

const startOf = (ym: number, calendar: Calendar) => monthStart(Math.floor(ym / 100), ym % 100, calendar)

function partOf(ym: number, calendar: Calendar, frame: Frame) {
  // `startOf` accepts month 13 as well.
  const [start, end] = [startOf(ym, calendar), startOf(ym + 1, calendar)]
  const [from, to] = [Math.max(start, frame.from), Math.min(end, frame.to)]
  return { from, to, isWhole: from === start && to === end }
}

const countBetween = (db: LibraryDatabase, frame: Frame, from: number, to: number) =>
  firstOf(db, countInFrame({ ...frame, from, to }))?.n ?? 0

/** Gregorian months, from the counters that triggers keep. The items of a month that is only partly in the frame are counted. */
function gregorianMonths(db: LibraryDatabase, frame: Frame, months: readonly number[] = everyMonth): MonthCount[] {
  return allOf(db, monthCounts(frame)).flatMap(({ ym, n }) => {
    if (!months.includes(ym % 100)) return []
    const { from, to, isWhole } = partOf(ym, 'gregorian', frame)
    if (from >= to) return []
    const part = isWhole ? n : countBetween(db, frame, from, to)
    return part === 0 ? [] : [{ ym, from, to, n: part }]
  })
}

/**
 * Persian months, or those of them that have the number of one of `months`. They begin around the 21st of each Gregorian
 * month, so only the items after that day are counted.
 */
function persianMonths(db: LibraryDatabase, frame: Frame, months: readonly number[]): MonthCount[] {
  const counts = new Map<number, number>()
  const add = (seconds: number, n: number) => {
    const { year, month } = dateIn('persian', seconds)
    counts.set(year * 100 + month, (counts.get(year * 100 + month) ?? 0) + n)
  }
  for (const { from, to, n } of gregorianMonths(db, frame)) {
    const { year, month } = dateIn('persian', from)
    if (!months.includes(month) && !months.includes((month % 12) + 1)) continue
    const next = Math.min(monthStart(year, month + 1, 'persian'), to)
    const later = next < to ? countBetween(db, frame, next, to) : 0
    add(next, later)
    add(from, n - later)
  }
  return [...counts].flatMap(([ym, n]) => {
    if (n === 0 || !months.includes(ym % 100)) return []
    const { from, to } = partOf(ym, 'persian', frame)
    return [{ ym, from, to, n }]
  })
}

/** Counts of items by month, newest month first. `months`, if any, are of the same calendar. */
export function monthsInFrame(
  db: LibraryDatabase,
  frame: Frame,
  months: MonthFilter | null,
  calendar: Calendar = months?.calendar ?? 'gregorian',
): MonthCount[] {
  if (isEmpty(frame)) return []
  const wanted = months?.months ?? everyMonth
  return calendar === 'persian' ? persianMonths(db, frame, wanted) : gregorianMonths(db, frame, wanted)
}

export function sumOf(months: readonly MonthCount[]): number {
  return months.reduce((sum, { n }) => sum + n, 0)
}
