/** Shared parts of reading items for a viewer: converts the parameters of a call to a query of what the viewer may see. */
import type { FilterQuery } from '../../schema/api/items.ts'
import type { Calendar } from '../../schema/calendar.ts'
import { seesHidden, type Viewer } from '../accounts/access.ts'
import { allOf } from '../filter/bound.ts'
import type { createCounts } from '../filter/counts.ts'
import { all, everything, type Filter } from '../filter/filter.ts'
import { type FramedQuery, frameQuery } from '../filter/frame.ts'
import { guarded } from '../filter/guard.ts'
import { filterOfQuery } from '../filter/language/query.ts'
import { type MonthCount, sumOf } from '../filter/month-counts.ts'
import { handMarkers, type PagePosition } from '../filter/pages.sql.ts'
import type { createPages } from '../filter/pages.ts'
import { expandPrefixes } from '../filter/prefixes.ts'
import { type ItemListKind, visibleItems, within } from '../filter/visible-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import type { ItemComposer } from './item-composer.ts'

export interface ItemStore {
  db: LibraryDatabase
  words: Vocabulary
  counts: ReturnType<typeof createCounts>
  pages: ReturnType<typeof createPages>
  composer: ItemComposer
  /** Cached counts by filter, most recently used last. */
  counted: Map<string, Counted>
}

/** Counts of a filter, valid until something changes. */
interface Counted {
  change: string
  total: number | null
  /** Months of each calendar. */
  months: Map<Calendar, readonly MonthCount[]>
  /** The album whose order was read last. An order can change while no item does, so it is valid for one `state` only. */
  hand: { album: number; state: number; markers: readonly PagePosition[] } | null
}

const maxCounted = 300

/** The counts of a filter, computed once until something changes. */
function figuresOf({ db, counts, counted }: ItemStore, framed: FramedQuery, change: string) {
  const key = JSON.stringify(framed)
  let known = counted.get(key)
  if (known === undefined || known.change !== change) known = { change, total: null, months: new Map(), hand: null }
  counted.delete(key)
  counted.set(key, known)
  if (counted.size > maxCounted) {
    const [oldest] = counted.keys()
    if (oldest !== undefined) counted.delete(oldest)
  }
  const figures = known
  return {
    total(): number {
      const [months] = figures.months.values()
      figures.total ??= months === undefined ? counts.total(framed) : sumOf(months)
      return figures.total
    },
    /** Default: months of the calendar in which the filter names months. */
    months(calendar: Calendar = framed.months?.calendar ?? 'gregorian'): readonly MonthCount[] {
      const months = figures.months.get(calendar) ?? counts.months(framed, calendar)
      figures.months.set(calendar, months)
      return months
    },
    handMarkers(album: number): readonly PagePosition[] {
      const state = db.state()
      if (figures.hand?.album !== album || figures.hand.state !== state)
        figures.hand = { album, state, markers: allOf(db, handMarkers(framed, album)) }
      return figures.hand.markers
    },
  }
}

/** The filter of a query, without conditions that would reveal hidden things. */
export function filterFor({ words }: ItemStore, viewer: Viewer, query: FilterQuery, also: Filter = everything): Filter {
  const wanted = all([filterOfQuery(query, words.lookups(viewer)), also])
  return guarded(wanted, words.hiddenThings(viewer, seesHidden(viewer, query.includeHidden)))
}

/** A query over what the viewer sees, and its counts. `collectionId` 0 means all collections. */
export function framedQueryFor(
  store: ItemStore,
  viewer: Viewer,
  collectionId: number,
  query: FilterQuery,
  { which = 'live', also }: { which?: ItemListKind | undefined; also?: Filter | undefined } = {},
) {
  const change = store.words.refresh()
  const showsHidden = seesHidden(viewer, query.includeHidden)
  const filter = filterFor(store, viewer, query, also)
  const visible = within(visibleItems(store.db, viewer, { includeHidden: showsHidden, which }), collectionId)
  const framed = frameQuery(visible, expandPrefixes(store.db, filter))
  return { framed, showsHidden, figures: figuresOf(store, framed, change) }
}
