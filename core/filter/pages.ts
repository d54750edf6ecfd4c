/** Selects the items of a page: by date through the plan's branches; by name or date of addition through an index. */
import type { ItemSort } from '../../schema/api/items.ts'
import { type Edges, rangeOfFrame } from './bodies.ts'
import type { BoundStatement } from './bound.ts'
import { usesWords } from './condition.ts'
import { type Frame, type FramedQuery, restWithMonths } from './frame.ts'
import type { MonthCount } from './month-counts.ts'
import { emptyPage, handMarkerSpacing, handSelect, type PagePosition, sortedSelect, streamSelect } from './pages.sql.ts'
import { type Branch, mostCandidates, type Planner } from './plan.ts'
import { pageSelect, type Slice } from './select.sql.ts'
import { everyItem } from './streams.ts'

/** The requested part of a list: `limit` items after `offset` others, from the start or from a position. */
export interface PageRequest {
  sort: ItemSort
  limit: number
  offset: number
  after: PagePosition | null
  before: PagePosition | null
  /** Id of the album by hand whose order `sort: 'hand'` means. */
  album?: number | undefined
}

/** The column of a sort, and whether its first page has the greatest values. */
export function orderOf(sort: ItemSort) {
  const column = (['taken', 'added', 'name', 'hand'] as const).find(name => sort.endsWith(name))
  if (column === undefined) throw new Error(`no list is sorted by ${sort}`)
  return { column, descending: sort.startsWith('-') }
}

/** Counts of a filter's items, computed when called. */
export interface Figures {
  total(): number
  months(): readonly MonthCount[]
  /** Positions of every 500th item in the order by hand of an album. */
  handMarkers(album: number): readonly PagePosition[]
}

/** Beyond these offsets, months are counted to find the page. The second is for the branches of a plan. */
const maxOffset = 500
const maxOffsetInStreams = 20_000

/** More months than this are not read one by one. */
const maxRanges = 60

/** Cost in microseconds: of looking up an item, reading an item from the index of positions, and sorting such an item. */
const cost = { item: 1, located: 0.12, sorted: 0.3 }

/** Drivers whose candidates must all be sorted before the first is known. */
const unordered = new Set(['near', 'added', 'folder', 'keys'])

export function createPages(planner: Planner) {
  /** The plan's branches (`merged`), or a single branch of all items if reading them in order is cheaper than sorting. */
  function branchesFor(
    framed: FramedQuery,
    { limit, offset }: PageRequest,
    figures: Figures,
  ): { branches: readonly Branch[]; merged: boolean } {
    const planned = planner.plan(framed)
    const unsorted = (planned ?? []).filter(
      ({ driver, candidates }) => unordered.has(driver.by) && candidates() >= mostCandidates,
    )
    const every = () => ({ branches: [everyItem(framed.frame, restWithMonths(framed))], merged: false })
    if (planned === null) return every()
    if (unsorted.length === 0) return { branches: planned, merged: true }
    const [only] = unsorted
    if (planned.length > 1 || only?.driver.by !== 'near') return every()
    // Positions are read from a covering index; in the order of dates every item is looked up.
    const total = Math.max(1, figures.total())
    const inOrder = ((limit + offset) / total) * planner.countOfItems(framed.frame) * cost.item
    if (inOrder <= total * cost.sorted) return every()
    const end = Math.ceil(inOrder / cost.located)
    const sorted = planner.countOfArea(only.driver.area, end) * cost.located + total * cost.sorted
    return sorted < inOrder ? { branches: planned, merged: true } : every()
  }

  function byDate(framed: FramedQuery, wanted: PageRequest, figures: Figures): BoundStatement<PagePosition>[] {
    const { descending } = orderOf(wanted.sort)
    const position = wanted.after ?? wanted.before
    const slice: Slice = {
      descending: descending !== (wanted.before !== null),
      limit: wanted.limit,
      offset: wanted.offset,
    }
    const range = rangeOfFrame(framed.frame)
    const { branches, merged } = branchesFor(framed, wanted, figures)
    if (position !== null) {
      const edge = { taken: Number(position.value), id: position.id }
      if (slice.descending) range.high = edge
      else range.low = edge
    } else if (slice.offset > (merged ? maxOffsetInStreams : maxOffset)) {
      const start = startAt(figures.months(), slice)
      if (start === null) return [emptyPage]
      slice.offset = start.offset
      if (slice.descending) range.high = { taken: start.taken, id: 0 }
      else range.low = { taken: start.taken, id: 0 }
    }
    const all = pageSelect(branches, range, slice)
    if (merged) return [all]
    if (framed.months !== null) {
      const ranges = rangesFor(figures.months(), range, slice)
      if (ranges.length > maxRanges) return [all]
      const parts = ranges.map(({ from, to }) => everyItem({ ...framed.frame, from, to }, framed.rest))
      return [pageSelect(parts, range, slice, { disjoint: true })]
    }
    if (!usesWords(framed.rest)) return [all]
    const window = windowFor(framed, range, slice, figures.total())
    return window === null ? [all] : [pageSelect([everyItem(window, framed.rest)], range, slice), all]
  }

  /** A shorter frame that very likely contains the page, to limit index queries; null if it would not be much shorter. */
  function windowFor(framed: FramedQuery, range: Edges, slice: Slice, total: number): Frame | null {
    const whole = planner.countOfItems(framed.frame)
    const needed = Math.ceil((2 * (slice.limit + slice.offset) * whole) / Math.max(1, total)) + 200
    if (needed * 4 > whole) return null
    const items = [everyItem(framed.frame, { is: 'everything' })]
    const edge = planner.firstValue(
      pageSelect(items, range, { descending: slice.descending, limit: 1, offset: needed }),
    )
    if (edge === null) return null
    return slice.descending ? { ...framed.frame, from: edge } : { ...framed.frame, to: edge + 1 }
  }

  return {
    /**
     * SELECTs of `value, id` of the requested items, in order; in reverse order before a position. Items are sorted by
     * `value`. The first SELECT usually suffices; when it finds too few items, the next must be run.
     */
    select(framed: FramedQuery, wanted: PageRequest, figures: Figures): BoundStatement<PagePosition>[] {
      const { column, descending } = orderOf(wanted.sort)
      if (column === 'taken') return byDate(framed, wanted, figures)
      const slice: Slice = {
        descending: descending !== (wanted.before !== null),
        limit: wanted.limit,
        offset: wanted.offset,
      }
      const position = wanted.after ?? wanted.before
      if (column === 'hand') return [byHand(framed, wanted.album ?? 0, slice, { position, figures })]
      const planned = planner.plan(framed)
      const candidates = (planned ?? []).reduce((sum, branch) => sum + branch.candidates(), 0)
      // Sorting reads every candidate; streaming reads about this many items until the page is full.
      const streamed = ((wanted.offset + wanted.limit) * planner.countOfItems(framed.frame)) / Math.max(1, candidates)
      return planned !== null && candidates < mostCandidates && candidates < streamed
        ? [sortedSelect(planned, framed.frame, column, slice, position)]
        : [streamSelect(planner.withCollectionIds(framed.frame), restWithMonths(framed), column, slice, position)]
    },
  }
}

/** Items in the order by hand. A distant page is read from the nearest marker before it. */
function byHand(
  framed: FramedQuery,
  album: number,
  slice: Slice,
  { position, figures }: { position: PagePosition | null; figures: Figures },
): BoundStatement<PagePosition> {
  if (position !== null || slice.offset <= handMarkerSpacing) return handSelect(framed, album, slice, position)
  const steps = Math.floor(slice.offset / handMarkerSpacing)
  const start = figures.handMarkers(album)[steps - 1]
  const rest = { ...slice, offset: slice.offset - steps * handMarkerSpacing }
  return start === undefined ? emptyPage : handSelect(framed, album, rest, start)
}

/** The months that may have items of a slice within a range. */
function rangesFor(
  months: readonly MonthCount[],
  { low, high }: Edges,
  { descending, limit, offset }: Slice,
): MonthCount[] {
  const inside = months.filter(month => month.from <= high.taken && month.to >= low.taken)
  const ranges: MonthCount[] = []
  // The first month may be partly outside, so its items are not counted.
  let counted = 0
  for (const [n, month] of (descending ? inside : inside.toReversed()).entries()) {
    if (counted >= limit + offset) break
    ranges.push(month)
    if (n > 0) counted += month.n
  }
  return ranges
}

/** The edge of the month in which a slice begins, and the slice's offset from there. */
function startAt(
  months: readonly MonthCount[],
  { descending, offset }: Slice,
): { taken: number; offset: number } | null {
  let before = 0
  for (const month of descending ? months : months.toReversed()) {
    if (before + month.n > offset) return { taken: descending ? month.to : month.from, offset: offset - before }
    before += month.n
  }
  return null
}
