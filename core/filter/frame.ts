/** The frame of a filter: the collections, states and times to which it restricts items. */
import { type Fragment, idsIn, raw, sql } from '../kernel/database/sql-fragment.ts'
import { all, type Filter, firstMoment, lastMoment, type MonthFilter } from './filter.ts'
import type { Visible } from './visible-items.ts'

export interface Frame {
  collections: 'all' | readonly number[]
  states: readonly number[]
  /** As `items.taken`: start included, end excluded. */
  from: number
  to: number
}

/** The parts of a conjunction. */
export function conjuncts(filter: Filter): readonly Filter[] {
  if (filter.is === 'everything') return []
  return filter.is === 'and' ? filter.of : [filter]
}

/** The frame restricted by the parts of the filter on time and collection, and the remaining parts. */
export function narrowed(frame: Frame, parts: readonly Filter[]): { frame: Frame; parts: Filter[] } {
  let { collections, from, to } = frame
  const remaining: Filter[] = []
  for (const part of parts) {
    if (part.is === 'taken') {
      from = Math.max(from, part.from)
      to = Math.min(to, part.to)
    } else if (part.is === 'collection') {
      collections = collections === 'all' ? part.ids : collections.filter(id => part.ids.includes(id))
    } else remaining.push(part)
  }
  return { frame: { ...frame, collections, from, to }, parts: remaining }
}

/** A query: its frame, the months of the year that it is restricted to, and the remaining condition. */
export interface FramedQuery {
  frame: Frame
  months: MonthFilter | null
  rest: Filter
}

export function frameQuery(visible: Visible, filter: Filter): FramedQuery {
  const whole: Frame = {
    collections: visible.collections,
    states: visible.states,
    from: firstMoment,
    to: lastMoment,
  }
  const { frame, parts } = narrowed(whole, conjuncts(all([filter, visible.filter])))
  // Conditions on months of one calendar were combined into one (see `all`).
  const months = parts.find(part => part.is === 'month') ?? null
  return { frame, months, rest: all(parts.filter(part => part !== months)) }
}

/** The remaining condition, with the months as an ordinary condition. */
export function restWithMonths({ months, rest }: FramedQuery): Filter {
  return months === null ? rest : all([months, rest])
}

export function isEmpty({ collections, from, to }: Frame): boolean {
  return from >= to || (collections !== 'all' && collections.length === 0)
}

/** Condition on `${alias}.state` and `${alias}.collection_id`. */
export function inFrame({ collections, states }: Frame, alias: string): Fragment {
  // States are constants; as text instead of bound values they let the planner use the index.
  const state = raw(`${alias}.state ${states.length === 1 ? `= ${states[0]}` : `IN (${states.join(', ')})`}`)
  return collections === 'all' ? state : sql`${state} AND ${raw(alias)}.collection_id IN ${idsIn(collections)}`
}
