/** Number of items of a filter, in total and by month: from counters where possible, else counted. */
import { type Calendar, dateIn } from '../../schema/calendar.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Range, rangeOfFrame } from './bodies.ts'
import { allOf, type BoundStatement, firstOf } from './bound.ts'
import { conditionOf, itemsRow } from './condition.ts'
import { countByMonth, countInFrame, countOfRows } from './counts.sql.ts'
import { type AreaFilter, all, everything, type Filter, firstMoment, lastMoment, not } from './filter.ts'
import { conjuncts, type FramedQuery, isEmpty, restWithMonths } from './frame.ts'
import { createMerging, type Merging } from './merging.ts'
import { type MonthCount, monthsInFrame, sumOf } from './month-counts.ts'
import { type Branch, mostCandidates, type Planner } from './plan.ts'
import { countSelect, daysOf, daysSelect, firstDay, type MergedKey } from './select.sql.ts'
import { everyItem } from './streams.ts'

interface Counting {
  db: LibraryDatabase
  planner: Planner
  merging: Merging
}

/** Splits off those conditions of a branch by key that are faster to merge. */
function splitMergedKeys({ planner }: Counting, branch: Branch): { branch: Branch; mergedKeys: MergedKey[] } {
  if (branch.driver.by !== 'key') return { branch, mergedKeys: [] }
  const mergedKeys: MergedKey[] = []
  const rest = conjuncts(branch.rest).filter(part => {
    const filter = part.is === 'not' ? part.of : part
    if (filter.is !== 'key') return true
    const [live, ...more] = planner.liveKeys(filter, branch.frame)
    // A step of a merge costs about a quarter of a lookup.
    if (live === undefined || more.length > 0 || live.n > 4 * branch.candidates()) return true
    mergedKeys.push({ filter, key: live.key, negated: part.is === 'not' })
    return false
  })
  return {
    branch: { ...branch, rest: rest.length === 0 ? everything : { is: 'and', of: rest } },
    mergedKeys,
  }
}

function countStatement(counting: Counting, branches: readonly Branch[], range: Range): BoundStatement<{ n: number }> {
  const [only] = branches
  if (branches.length !== 1 || only === undefined) return countSelect(branches, range)
  const { branch, mergedKeys } = splitMergedKeys(counting, only)
  return countSelect([branch], range, mergedKeys)
}

/** Number of requested items that the plan's branches find. */
function totalOfBranches(counting: Counting, framed: FramedQuery, branches: readonly Branch[]): number {
  const merged = counting.merging.select(framed, branches)
  const count = merged === null ? countStatement(counting, branches, rangeOfFrame(framed.frame)) : countOfRows(merged)
  return firstOf(counting.db, count)?.n ?? 0
}

/**
 * For 'has a position, but not these keys': the number of all items with a position, minus those that also have the
 * keys. This is faster than looking up each item with a position. Null for other filters.
 */
function totalByDifference(counting: Counting, framed: FramedQuery, branches: readonly Branch[]): number | null {
  const [only] = branches
  if (branches.length !== 1 || only?.driver.by !== 'near' || only.candidates() < mostCandidates) return null
  if (!isWhole(only.driver.area)) return null
  const parts = conjuncts(framed.rest)
  const unwanted = parts.find(part => part.is === 'not' && part.of.is === 'key')
  if (unwanted?.is !== 'not' || parts.length < 2) return null
  const wanted = parts.filter(part => part !== unwanted)
  return (
    total(counting, { ...framed, rest: all(wanted) }) -
    total(counting, { ...framed, rest: all([...wanted, unwanted.of]) })
  )
}

/** The total from the counters of keys alone; null when items must be counted. */
function totalFromCounters({ planner }: Counting, { frame, months, rest }: FramedQuery): number | null {
  if (months !== null || rest.is !== 'key' || frame.from !== firstMoment || frame.to !== lastMoment) return null
  const live = planner.liveKeys(rest, frame)
  // An item may have two keys: then the sum is too large. Marks of one kind exclude each other.
  const areMarks = live.every(({ key }) => (key & 3) === 3)
  return live.length <= 1 || (areMarks && isOneKindOfMark(rest)) ? live.reduce((sum, { n }) => sum + n, 0) : null
}

/**
 * Branches that find the items; null when they would read most of the frame's items. Then the items that do not match
 * are counted instead, if that is possible.
 */
function planOf({ planner }: Counting, framed: FramedQuery): Branch[] | null {
  const branches = planner.plan(framed)
  const read = (branches ?? []).filter(({ driver }) => driver.by === 'items')
  const readsMost = read.reduce((sum, { candidates }) => sum + candidates(), 0) > planner.countOfItems(framed.frame) / 2
  return readsMost ? null : branches
}

function total(counting: Counting, framed: FramedQuery): number {
  const { db, planner } = counting
  if (isEmpty(framed.frame) || framed.rest.is === 'nothing') return 0
  if (framed.rest.is === 'everything') return sumOf(monthsInFrame(db, framed.frame, framed.months))
  const counted = totalFromCounters(counting, framed)
  if (counted !== null) return counted
  const branches = planOf(counting, framed)
  if (branches !== null)
    return totalByDifference(counting, framed, branches) ?? totalOfBranches(counting, framed, branches)
  const whole = total(counting, { ...framed, rest: everything })
  const nonMatching = planner.planNonMatching(framed)
  if (nonMatching !== null) {
    const opposite = framed.rest.is === 'not' ? totalFromCounters(counting, { ...framed, rest: framed.rest.of }) : null
    return whole - (opposite ?? totalOfBranches(counting, { ...framed, rest: not(framed.rest) }, nonMatching))
  }
  const condition = conditionOf(restWithMonths(framed), itemsRow, { fewRows: false })
  return firstOf(db, countInFrame(framed.frame, condition))?.n ?? 0
}

function countEachMonth(
  { db }: Counting,
  months: readonly MonthCount[],
  count: BoundStatement<{ n: number }>,
): MonthCount[] {
  const rows = allOf(db, countByMonth(count, JSON.stringify(months.map(({ ym, from, to }) => [ym, from, to]))))
  return months.map((month, at) => ({ ...month, n: rows[at]?.n ?? 0 }))
}

function countBranchesByMonth(
  counting: Counting,
  whole: readonly MonthCount[],
  framed: FramedQuery,
  { branches, calendar }: { branches: readonly Branch[]; calendar: Calendar },
): MonthCount[] {
  const merged = counting.merging.select(framed, branches)
  // Each month costs a new lookup: expensive for words and places, nearly free for keys.
  const cheap = branches.every(({ driver }) => driver.by === 'key' || driver.by === 'items')
  if (cheap && merged === null) return countEachMonth(counting, whole, countStatement(counting, branches, 'month'))
  const statement = merged === null ? daysSelect(branches, rangeOfFrame(framed.frame)) : daysOf(merged, 28)
  const days: number[] = JSON.parse(firstOf(counting.db, statement)?.days ?? '[]')
  const found = new Map<number, number>()
  // Items are mostly in the order of dates, so many of the same day follow each other.
  for (let at = 0; at < days.length; ) {
    const day = days[at] ?? 0
    let next = at + 1
    while (days[next] === day) next++
    const { year, month } = dateIn(calendar, (day + firstDay) * 86_400)
    const ym = year * 100 + month
    found.set(ym, (found.get(ym) ?? 0) + next - at)
    at = next
  }
  return whole.map(month => ({ ...month, n: found.get(month.ym) ?? 0 }))
}

/** Months of a calendar that have items, newest first. */
function months(counting: Counting, query: FramedQuery, calendar: Calendar): MonthCount[] {
  const { db, planner } = counting
  // Months of another calendar are an ordinary condition.
  const isOther = query.months !== null && query.months.calendar !== calendar
  const framed = isOther ? { ...query, months: null, rest: restWithMonths(query) } : query
  if (isEmpty(framed.frame) || framed.rest.is === 'nothing') return []
  const whole = monthsInFrame(db, framed.frame, framed.months, calendar)
  if (framed.rest.is === 'everything') return whole
  const hasItems = ({ n }: MonthCount) => n > 0
  // Items are counted by month anyway: a condition on months would be redundant.
  const anyMonth = { ...framed, months: null }
  const branches = planOf(counting, anyMonth)
  if (branches !== null) return countBranchesByMonth(counting, whole, anyMonth, { branches, calendar }).filter(hasItems)
  const nonMatching = planner.planNonMatching(anyMonth)
  if (nonMatching !== null) {
    const others = { ...anyMonth, rest: not(framed.rest) }
    const without = countBranchesByMonth(counting, whole, others, { branches: nonMatching, calendar })
    return whole.map((month, at) => ({ ...month, n: month.n - (without[at]?.n ?? 0) })).filter(hasItems)
  }
  return countEachMonth(counting, whole, countSelect([everyItem(framed.frame, framed.rest)], 'month')).filter(hasItems)
}

/** `minMerged`: see `createMerging`. */
export function createCounts(db: LibraryDatabase, planner: Planner, minMerged?: number) {
  const counting: Counting = { db, planner, merging: createMerging(db, planner, minMerged) }
  return {
    total: (framed: FramedQuery) => total(counting, framed),
    months: (framed: FramedQuery, calendar: Calendar) => months(counting, framed, calendar),
  }
}

function isWhole(area: AreaFilter): boolean {
  return area.is === 'box' && area.south <= -90 && area.north >= 90 && area.west <= -180 && area.east >= 180
}

/** Whether a filter is on ratings only, or on cameras only: an item has at most one of each. */
function isOneKindOfMark(filter: Filter): boolean {
  if (filter.is !== 'key') return false
  const ids = filter.keys.map(key => key >> 2)
  return ids.every(id => id >= 100) || ids.every(id => id > 1 && id < 100)
}
