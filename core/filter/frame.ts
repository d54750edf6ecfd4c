/** The part of a filter that needs no look at an item: which collections, states and times. What is left is the rest. */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, idsIn, raw, sql } from '../kernel/database/sql-fragment.ts'
import { all, type Filter, firstMoment, inMonths, lastMoment } from './filter.ts'
import type { Visible } from './visible-items.ts'

export interface Frame {
  collections: 'all' | readonly number[]
  states: readonly number[]
  /** As `items.taken`: start included, end excluded. */
  from: number
  to: number
}

/** The parts that must all hold. */
export function conjuncts(filter: Filter): readonly Filter[] {
  if (filter.is === 'everything') return []
  return filter.is === 'and' ? filter.of : [filter]
}

/** The frame made narrower by what parts of the filter say of time and collection, and the parts that are left. */
export function narrowed(frame: Frame, parts: readonly Filter[]): { frame: Frame; parts: Filter[] } {
  let { collections, from, to } = frame
  const left: Filter[] = []
  for (const part of parts) {
    if (part.is === 'taken') {
      from = Math.max(from, part.from)
      to = Math.min(to, part.to)
    } else if (part.is === 'collection') {
      collections = collections === 'all' ? part.ids : collections.filter(id => part.ids.includes(id))
    } else left.push(part)
  }
  return { frame: { ...frame, collections, from, to }, parts: left }
}

/** What is asked: a frame, months of the year that it is limited to, and what else must hold. */
export interface Asked {
  frame: Frame
  months: readonly number[] | null
  rest: Filter
}

export function askedOf(visible: Visible, filter: Filter): Asked {
  const whole: Frame = {
    collections: visible.collections,
    states: visible.states,
    from: firstMoment,
    to: lastMoment,
  }
  const { frame, parts } = narrowed(whole, conjuncts(all([filter, visible.filter])))
  // Conditions on months that must all hold have become one (see `all`).
  const months = parts.find(part => part.is === 'month')
  return {
    frame,
    months: months?.is === 'month' ? months.months : null,
    rest: all(parts.filter(part => part.is !== 'month')),
  }
}

/** The rest with the months in it, for where they are a condition like others. */
export function restWithMonths({ months, rest }: Asked): Filter {
  return months === null ? rest : all([inMonths(months), rest])
}

export function isEmpty({ collections, from, to }: Frame): boolean {
  return from >= to || (collections !== 'all' && collections.length === 0)
}

/** Condition on `${alias}.state` and `${alias}.collection_id`. */
export function inFrame({ collections, states }: Frame, alias: string): Fragment {
  // States are constants of ours: as text they let the planner use the index.
  const state = raw(`${alias}.state ${states.length === 1 ? `= ${states[0]}` : `IN (${states.join(', ')})`}`)
  return collections === 'all' ? state : sql`${state} AND ${raw(alias)}.collection_id IN ${idsIn(collections)}`
}

/** A month's items: `from` and `to` as `items.taken`. */
export interface MonthCount {
  /** Year * 100 + month. */
  ym: number
  from: number
  to: number
  n: number
}

function startOf(ym: number): number {
  return new Date(0).setUTCFullYear(Math.floor(ym / 100), (ym % 100) - 1, 1) / 1000
}

function endOf(ym: number): number {
  return new Date(0).setUTCFullYear(Math.floor(ym / 100), ym % 100, 1) / 1000
}

/** How many items a frame has; counted by the index, so for parts of months only. */
export function countInFrame(db: LibraryDatabase, frame: Frame, condition: Fragment | null = null): number {
  const { collections, from, to } = frame
  const also = condition === null ? raw('') : sql` AND ${condition}`
  const state = inFrame({ ...frame, collections: 'all' }, 'i')
  const { text, values } =
    collections === 'all'
      ? sql`SELECT count(*) AS n FROM items AS i INDEXED BY items_taken
          WHERE ${state} AND i.taken >= ${from} AND i.taken < ${to}${also}`
      : sql`SELECT count(*) AS n FROM json_each(${JSON.stringify(collections)}) AS p
          CROSS JOIN items AS i INDEXED BY items_collection_taken ON i.collection_id = p.value
          WHERE ${state} AND i.taken >= ${from} AND i.taken < ${to}${also}`
  return db.get<{ n: number }>(text, ...values)?.n ?? 0
}

/** Items by month, newest first, from the counters that triggers keep; months that the frame cuts are counted anew. */
export function monthsInFrame(db: LibraryDatabase, frame: Frame, months: readonly number[] | null): MonthCount[] {
  if (isEmpty(frame)) return []
  const { text, values } = sql`SELECT m.ym, sum(m.n) AS n FROM item_month AS m WHERE ${inFrame(frame, 'm')}
    GROUP BY m.ym ORDER BY m.ym DESC`
  return db.all<{ ym: number; n: number }>(text, ...values).flatMap(({ ym, n }) => {
    if (months !== null && !months.includes(ym % 100)) return []
    const [start, end] = [startOf(ym), endOf(ym)]
    const [from, to] = [Math.max(start, frame.from), Math.min(end, frame.to)]
    if (from >= to) return []
    if (from === start && to === end) return [{ ym, from, to, n }]
    const part = countInFrame(db, { ...frame, from, to })
    return part === 0 ? [] : [{ ym, from, to, n: part }]
  })
}
