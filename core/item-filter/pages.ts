/** Which items a page has: by date through the plan's branches, by name or arrival through their own indexes. */
import type { ItemSort } from '../../schema/api/items.ts'
import { type Fragment, idsIn, raw, sql } from '../sql-fragment.ts'
import { conditionOf } from './condition.ts'
import { type Filter, firstMoment, lastMoment } from './filter.ts'
import { type Asked, type Frame, inFrame, type MonthCount, restWithMonths } from './frame.ts'
import { type Branch, most, type Planner } from './plan.ts'
import { type Edge, pageSelect, partitionBranches, type Slice, stretchOf } from './select.ts'

/** A place in a list: the item that stands there, by what the list is sorted by. */
export interface Place {
  value: number | string
  id: number
}

/** Which part of a list is wanted: so many from the start, or so many after or before a place. */
export interface Wanted {
  sort: ItemSort
  limit: number
  offset: number
  after: Place | null
  before: Place | null
}

const sortColumns = { taken: 'taken', added: 'added', name: 'name' } as const

/** The column of a sort, and whether its first page has the greatest values. */
export function orderOf(sort: ItemSort): { column: keyof typeof sortColumns; descending: boolean } {
  const column = sort.replace('-', '')
  if (column !== 'taken' && column !== 'added' && column !== 'name') throw new Error(`no list is sorted by ${sort}`)
  return { column, descending: sort.startsWith('-') }
}

/** From a deeper place than this on, months are counted to find it. */
export const deep = 500

const nowhere = sql`SELECT 0 AS value, 0 AS id WHERE 0`

/** More streams of months than this are not merged. */
const mostRanges = 60

export function createPages(planner: Planner) {
  /** By date, unless that reads more than looking at every item in order: where candidates come unsorted and are many. */
  function branchesFor(asked: Asked): { branches: readonly Branch[]; merged: boolean } {
    const planned = planner.plan(asked)
    const unsorted = (planned ?? []).some(
      ({ driver, candidates }) => (driver.by === 'near' || driver.by === 'added') && candidates() >= most,
    )
    if (planned !== null && !unsorted) return { branches: planned, merged: true }
    return { branches: partitionBranches(asked.frame, restWithMonths(asked)), merged: false }
  }

  function byDate(asked: Asked, wanted: Wanted, months: () => readonly MonthCount[]): Fragment {
    const { descending } = orderOf(wanted.sort)
    const place = wanted.after ?? wanted.before
    const slice: Slice = {
      descending: descending !== (wanted.before !== null),
      limit: wanted.limit,
      offset: wanted.offset,
    }
    const stretch = stretchOf(asked.frame)
    if (place !== null) {
      const edge = { taken: Number(place.value), id: place.id }
      if (slice.descending) stretch.high = edge
      else stretch.low = edge
    } else if (slice.offset > deep) {
      const start = startAt(months(), slice)
      if (start === null) return nowhere
      slice.offset = start.offset
      if (slice.descending) stretch.high = { taken: start.taken, id: 0 }
      else stretch.low = { taken: start.taken, id: 0 }
    }
    const { branches, merged } = branchesFor(asked)
    const disjoint = !merged || branches.length === 1
    if (merged || asked.months === null) return pageSelect(branches, stretch, slice, { disjoint })
    const ranges = rangesFor(months(), stretch, slice)
    if (ranges.length * branches.length > mostRanges) return pageSelect(branches, stretch, slice, { disjoint })
    return pageSelect(
      ranges.flatMap(({ from, to }) => partitionBranches({ ...asked.frame, from, to }, asked.rest)),
      stretch,
      slice,
      { disjoint },
    )
  }

  return {
    /**
     * A SELECT of `value, id` of the wanted items, in order; backwards for those before a place. `value` is what they
     * are sorted by. `months` is asked only for deep pages.
     */
    select(asked: Asked, wanted: Wanted, months: () => readonly MonthCount[]): Fragment {
      const { column, descending } = orderOf(wanted.sort)
      if (column === 'taken') return byDate(asked, wanted, months)
      const planned = planner.plan(asked)
      const candidates = (planned ?? []).reduce((sum, branch) => sum + branch.candidates(), 0)
      // Sorting looks at every candidate, streaming at about so many items until the page is full.
      const streamed = ((wanted.offset + wanted.limit) * planner.countOfItems(asked.frame)) / Math.max(1, candidates)
      const slice: Slice = {
        descending: descending !== (wanted.before !== null),
        limit: wanted.limit,
        offset: wanted.offset,
      }
      const place = wanted.after ?? wanted.before
      if (planned !== null && candidates < most && candidates < streamed) return sortedSelect(planned, asked.frame, column, slice, place)
      return streamSelect(asked.frame, restWithMonths(asked), column, slice, place)
    },
  }
}

/** The months that a slice within a stretch may have items of, so that the others are never looked through. */
function rangesFor(
  months: readonly MonthCount[],
  { low, high }: { low: Edge; high: Edge },
  { descending, limit, offset }: Slice,
): MonthCount[] {
  const inside = months.filter(month => month.from <= high.taken && month.to >= low.taken)
  const ranges: MonthCount[] = []
  // The first month may lie partly outside: what it has is not counted on.
  let sure = 0
  for (const [n, month] of (descending ? inside : inside.toReversed()).entries()) {
    if (sure >= limit + offset) break
    ranges.push(month)
    if (n > 0) sure += month.n
  }
  return ranges
}

/** The month in which a slice begins, and how far into it. */
function startAt(months: readonly MonthCount[], { descending, offset }: Slice): { taken: number; offset: number } | null {
  let before = 0
  for (const month of descending ? months : months.toReversed()) {
    if (before + month.n > offset) return { taken: descending ? month.to : month.from, offset: offset - before }
    before += month.n
  }
  return null
}

function beyond(column: 'added' | 'name', place: Place | null, descending: boolean): Fragment {
  if (place === null) return raw('1')
  const sign = raw(descending ? '<' : '>')
  return column === 'name'
    ? sql`(i.name, i.id) ${sign} (${place.value} COLLATE NOCASE, ${place.id})`
    : sql`(i.added, i.id) ${sign} (${place.value}, ${place.id})`
}

function sortTerm(column: 'added' | 'name'): Fragment {
  return raw(column === 'name' ? 'i.name COLLATE NOCASE' : 'i.added')
}

/** Few candidates: all of them, sorted. */
function sortedSelect(
  branches: readonly Branch[],
  frame: Frame,
  column: 'added' | 'name',
  slice: Slice,
  place: Place | null,
): Fragment {
  const way = raw(slice.descending ? 'DESC' : 'ASC')
  const found = pageSelect(branches, stretchOf(frame), { descending: true, limit: -1, offset: 0 })
  return sql`SELECT i.${raw(column)} AS value, i.id AS id FROM (${found}) AS f CROSS JOIN items AS i ON i.id = f.id
    WHERE ${beyond(column, place, slice.descending)}
    ORDER BY ${sortTerm(column)} ${way}, i.id ${way} LIMIT ${slice.limit} OFFSET ${slice.offset}`
}

/** Many: the index of the order is read, one state after the other merged, until the page is full. */
function streamSelect(frame: Frame, rest: Filter, column: 'added' | 'name', slice: Slice, place: Place | null): Fragment {
  const way = raw(slice.descending ? 'DESC' : 'ASC')
  const row = { taken: raw('i.taken'), id: raw('i.id'), collection: raw('i.collection_id'), items: () => raw('i') }
  const inTime =
    frame.from <= firstMoment && frame.to >= lastMoment ? raw('1') : sql`i.taken >= ${frame.from} AND i.taken < ${frame.to}`
  const streamOf = (state: number) => {
    const collections = frame.collections === 'all' ? raw('1') : sql`i.collection_id IN ${idsIn(frame.collections)}`
    return sql`SELECT ${sortTerm(column)} AS value, i.id AS id FROM items AS i INDEXED BY ${raw(`items_${column}`)}
      WHERE ${inFrame({ ...frame, collections: 'all', states: [state] }, 'i')} AND ${collections}
      AND ${beyond(column, place, slice.descending)} AND ${inTime} AND ${conditionOf(rest, row, { fewRows: false })}`
  }
  const [first, second] = frame.states.map(streamOf)
  if (first === undefined) return sql`SELECT 0 AS value, 0 AS id WHERE 0`
  const end = sql`LIMIT ${slice.limit} OFFSET ${slice.offset}`
  return second === undefined
    ? sql`${first} ORDER BY ${sortTerm(column)} ${way}, i.id ${way} ${end}`
    : sql`${first} UNION ALL ${second} ORDER BY 1 COLLATE NOCASE ${way}, 2 ${way} ${end}`
}
