/** How many items a filter has, in all and by month: from counters where they know it, else counted, by month ranges. */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, raw, sql } from '../kernel/database/sql-fragment.ts'
import { type Stretch, stretchOf } from './bodies.ts'
import { conditionOf } from './condition.ts'
import { type AreaFilter, all, type Filter, firstMoment, lastMoment, not } from './filter.ts'
import {
  type Asked,
  conjuncts,
  countInFrame,
  isEmpty,
  type MonthCount,
  monthsInFrame,
  restWithMonths,
} from './frame.ts'
import { createMerging } from './merging.ts'
import { type Branch, most, type Planner } from './plan.ts'
import { countSelect, daysOf, daysSelect, partedInStep } from './select.ts'
import { everyItem } from './streams.ts'

/** `mergedFrom`: see core/filter/merging.ts. */
export function createCounts(db: LibraryDatabase, planner: Planner, mergedFrom?: number) {
  const merging = createMerging(db, planner, mergedFrom)

  /** How many of what is asked the plan's branches find. */
  function totalOf(asked: Asked, branches: readonly Branch[]): number {
    const merged = merging.select(asked, branches)
    return number(
      merged === null ? countOf(branches, stretchOf(asked.frame)) : sql`SELECT count(*) AS n FROM (${merged})`,
    )
  }

  /**
   * Of all places in the world without a few keys, those with the keys are taken off: looking each place up among them
   * would take longer. Null where it is something else that is asked.
   */
  function fromOthers(asked: Asked, branches: readonly Branch[]): number | null {
    const [only] = branches
    if (branches.length !== 1 || only?.driver.by !== 'near' || only.candidates() < most) return null
    if (!isWhole(only.driver.area)) return null
    const parts = conjuncts(asked.rest)
    const unwanted = parts.find(part => part.is === 'not' && part.of.is === 'key')
    if (unwanted?.is !== 'not' || parts.length < 2) return null
    const others = parts.filter(part => part !== unwanted)
    return total({ ...asked, rest: all(others) }) - total({ ...asked, rest: all([...others, unwanted.of]) })
  }

  function countOf(branches: readonly Branch[], stretch: Stretch): Fragment {
    const [only] = branches
    if (branches.length !== 1 || only === undefined) return countSelect(branches, stretch)
    const { branch, inStep } = partedInStep(only, planner.liveKeys)
    return countSelect([branch], stretch, inStep)
  }

  /** What the counters of keys know by themselves; null when it must be counted. */
  function fromCounters({ frame, months, rest }: Asked): number | null {
    if (months !== null || rest.is !== 'key' || frame.from !== firstMoment || frame.to !== lastMoment) return null
    const live = planner.liveKeys(rest, frame)
    // An item may have two keys: then the sum says too much. Marks of one kind exclude each other.
    const areMarks = live.every(({ key }) => (key & 3) === 3)
    return live.length <= 1 || (areMarks && isOneKindOfMark(rest)) ? live.reduce((sum, { n }) => sum + n, 0) : null
  }

  function inAll(months: readonly MonthCount[]): number {
    return months.reduce((sum, { n }) => sum + n, 0)
  }

  function total(asked: Asked): number {
    if (isEmpty(asked.frame) || asked.rest.is === 'nothing') return 0
    if (asked.rest.is === 'everything') return inAll(monthsInFrame(db, asked.frame, asked.months))
    const known = fromCounters(asked)
    if (known !== null) return known
    const branches = planner.plan(asked)
    if (branches !== null) return fromOthers(asked, branches) ?? totalOf(asked, branches)
    const whole = total({ ...asked, rest: { is: 'everything' } })
    const others = planner.planOthers(asked)
    if (others !== null) {
      const opposite = asked.rest.is === 'not' ? fromCounters({ ...asked, rest: asked.rest.of }) : null
      return whole - (opposite ?? totalOf({ ...asked, rest: not(asked.rest) }, others))
    }
    return countInFrame(db, asked.frame, conditionOfItem(restWithMonths(asked)))
  }

  function number({ text, values }: Fragment): number {
    return db.get<{ n: number }>(text, ...values)?.n ?? 0
  }

  /** Counts each of the months by a statement whose stretch is the month. */
  function byMonth(months: readonly MonthCount[], { text, values }: Fragment): MonthCount[] {
    const list = JSON.stringify(months.map(({ ym, from, to }) => [ym, from, to]))
    const rows = db.all<{ n: number }>(`SELECT (${text}) AS n FROM json_each(?) AS m`, ...values, list)
    return months.map((month, at) => ({ ...month, n: rows[at]?.n ?? 0 }))
  }

  /** How many items of each of these months the branches have. */
  function inMonths(whole: readonly MonthCount[], asked: Asked, branches: readonly Branch[]): MonthCount[] {
    const merged = merging.select(asked, branches)
    // Going through months costs a beginning each: dear for words and places, nearly nothing for keys.
    const cheap = branches.every(({ driver }) => driver.by === 'key' || driver.by === 'items')
    if (cheap && merged === null) return byMonth(whole, countOf(branches, 'month'))
    const { text, values } =
      merged === null
        ? daysSelect(branches, stretchOf(asked.frame))
        : daysOf(sql`SELECT value >> 28 AS value FROM (${merged})`)
    const byDay = new Map<number, number>()
    const days: number[] = JSON.parse(db.get<{ days: string }>(text, ...values)?.days ?? '[]')
    for (const day of days) byDay.set(day, (byDay.get(day) ?? 0) + 1)
    const found = new Map<number, number>()
    for (const [day, n] of byDay) {
      const date = new Date(day * 86_400_000)
      const ym = date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
      found.set(ym, (found.get(ym) ?? 0) + n)
    }
    return whole.map(month => ({ ...month, n: found.get(month.ym) ?? 0 }))
  }

  /** Months that have items, newest first. */
  function months(asked: Asked): MonthCount[] {
    if (isEmpty(asked.frame) || asked.rest.is === 'nothing') return []
    const whole = monthsInFrame(db, asked.frame, asked.months)
    if (asked.rest.is === 'everything') return whole
    const hasItems = ({ n }: MonthCount) => n > 0
    // The months are told apart in any case: as a condition they would be asked again.
    const anyMonth = { ...asked, months: null }
    const branches = planner.plan(anyMonth)
    if (branches !== null) return inMonths(whole, anyMonth, branches).filter(hasItems)
    const others = planner.planOthers(anyMonth)
    if (others !== null) {
      const without = inMonths(whole, { ...anyMonth, rest: not(asked.rest) }, others)
      return whole.map((month, at) => ({ ...month, n: month.n - (without[at]?.n ?? 0) })).filter(hasItems)
    }
    return byMonth(whole, countSelect([everyItem(asked.frame, asked.rest)], 'month')).filter(hasItems)
  }

  return { total, months }
}

/** Is it all of the world? */
function isWhole(area: AreaFilter): boolean {
  return area.is === 'box' && area.south <= -90 && area.north >= 90 && area.west <= -180 && area.east >= 180
}

/** Ratings, or cameras: an item has at most one of each. */
function isOneKindOfMark(filter: Filter): boolean {
  if (filter.is !== 'key') return false
  const ids = filter.keys.map(key => key >> 2)
  return ids.every(id => id >= 100) || ids.every(id => id > 1 && id < 100)
}

function conditionOfItem(filter: Filter): Fragment {
  const row = { taken: raw('i.taken'), id: raw('i.id'), collection: raw('i.collection_id'), items: () => raw('i') }
  return conditionOf(filter, row, { fewRows: false })
}
