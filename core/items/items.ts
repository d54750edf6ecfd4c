/** Items as callers get them: pages of lists, the timeline, one item, and what sending its pictures needs. */
import { z } from 'zod'
import {
  type FilterQuery,
  filterQuery,
  type Item,
  type ItemDetails,
  type ItemPage,
  type PageQuery,
} from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'
import { collectionsWith, demandGlobalAdmin, notFound, rightsOn, seesHidden, type Viewer } from '../accounts/access.ts'
import { conditionOf } from '../filter/condition.ts'
import { createCounts } from '../filter/counts.ts'
import { explained } from '../filter/explain.ts'
import { all, everything, type Filter } from '../filter/filter.ts'
import { type Asked, askedOf, inFrame, type MonthCount, restWithMonths } from '../filter/frame.ts'
import { guarded } from '../filter/guard.ts'
import { createPages, orderOf, type Place } from '../filter/pages.ts'
import { decodeCursor, linksOf } from '../filter/paging.ts'
import { createPlanner } from '../filter/plan.ts'
import { printFilter } from '../filter/print.ts'
import { filterOfQuery } from '../filter/query.ts'
import { createSeenItems } from '../filter/seen-items.ts'
import { spelled } from '../filter/spelling.ts'
import { visibleItems, type Which, within } from '../filter/visible-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, raw, sql } from '../kernel/database/sql-fragment.ts'
import { createVocabulary } from '../words/vocabulary.ts'
import { type BytesRow, bytesColumns, type ItemForBytes, itemForBytes } from './item-bytes.ts'
import { createItemComposer } from './item-composer.ts'
import { type DetailColumns, type ItemColumns, itemColumns, itemDetailsJson, type OtherFile } from './item-json.ts'
import type { StoredTags } from './item-row.ts'
import { createPageTexts } from './page-texts.ts'

/** A row of a page. */
export interface ListedColumns extends ItemColumns {
  added: number
  /** Only where the list asks for it. */
  latitude?: number | null
  longitude?: number | null
}

/** Which list a page is of. */
export interface ListOf {
  /** 0: all collections. */
  collectionId: number
  /** Of the call, without the collection: what the links begin with. */
  path: string
  /** Parameters of the call beyond the filter's, as the links repeat them. */
  parameters?: Record<string, string>
  /** Not those of the gallery, but the recycle bin's or the missing ones. */
  which?: Which
  /** A condition beyond the filter's. */
  also?: Filter
  /** Rows have their position. */
  position?: boolean
}

/** What was counted for a filter, as long as nothing changes. */
interface Counted {
  change: string
  total: number | null
  months: readonly MonthCount[] | null
}

type Page<Entry> = Pick<ItemPage, '_meta' | '_links'> & { entries: Entry[] }

/** Only they are told paths. */
function mayUpdateAnything(viewer: Viewer): boolean {
  return viewer.globalAdmin || [...viewer.rights.values()].some(({ update }) => update)
}

/** Filters whose figures are remembered. */
const mostCounted = 300

/** `mergedFrom`: see core/filter/merging.ts; only tests say it. */
export function createItems({ db, mergedFrom }: { db: LibraryDatabase; mergedFrom?: number }) {
  const words = createVocabulary(db)
  const planner = createPlanner(db)
  const counts = createCounts(db, planner, mergedFrom)
  const pages = createPages(planner)
  const { seen, ...rights } = createSeenItems({ db })
  const counted = new Map<string, Counted>()
  const texts = createPageTexts()
  const { tellerFor, regionsOf, compose } = createItemComposer({ db, words })

  /** The figures of a filter: counted once, until something changes. */
  function figuresOf(asked: Asked, change: string) {
    const key = JSON.stringify(asked)
    let known = counted.get(key)
    if (known === undefined || known.change !== change) known = { change, total: null, months: null }
    counted.delete(key)
    counted.set(key, known)
    if (counted.size > mostCounted) {
      const [oldest] = counted.keys()
      if (oldest !== undefined) counted.delete(oldest)
    }
    const figures = known
    return {
      total(): number {
        figures.total ??= figures.months?.reduce((sum, { n }) => sum + n, 0) ?? counts.total(asked)
        return figures.total
      },
      months(): readonly MonthCount[] {
        figures.months ??= counts.months(asked)
        return figures.months
      },
    }
  }

  function askedBy(
    viewer: Viewer,
    collectionId: number,
    query: FilterQuery,
    showsHidden: boolean,
    { which = 'live', also = everything }: { which?: Which; also?: Filter } = {},
  ): Asked {
    const wanted = all([filterOfQuery(query, words.lookups(viewer)), also])
    const filter = guarded(wanted, words.kept(viewer, showsHidden))
    const visible = within(visibleItems(db, viewer, { includeHidden: showsHidden, which }), collectionId)
    return askedOf(visible, spelled(db, filter))
  }

  /** The rows of a page, in its order. */
  function rowsOf(page: Fragment, columns: { path: boolean; gone: boolean; position: boolean }): ListedColumns[] {
    const { text, values } =
      sql`SELECT i.added, ${raw(columns.position ? 'i.latitude, i.longitude,' : '')} ${raw(itemColumns(columns))}
      FROM (${page}) AS p CROSS JOIN items AS i ON i.id = p.id`
    return db.all<ListedColumns>(text, ...values)
  }

  /** One page of what is asked for, its entries made of the rows. */
  function pageOf<Entry>(
    viewer: Viewer,
    of: ListOf,
    query: FilterQuery & PageQuery,
    compose: (rows: readonly ListedColumns[], showsHidden: boolean) => Entry[],
  ): Page<Entry> {
    return db.reading(() => readPage(viewer, of, query, compose))
  }

  function readPage<Entry>(
    viewer: Viewer,
    of: ListOf,
    query: FilterQuery & PageQuery,
    compose: (rows: readonly ListedColumns[], showsHidden: boolean) => Entry[],
  ): Page<Entry> {
    const change = words.refresh()
    const showsHidden = seesHidden(viewer, query.includeHidden)
    const asked = askedBy(viewer, of.collectionId, query, showsHidden, of)
    const figures = figuresOf(asked, change)
    const limit = query.limit ?? limits.pageSize
    const page = query.page ?? 1
    const sort = query.sort ?? '-taken'
    const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, sort)
    const total = figures.total()
    const backwards = cursor?.side === 'before'
    const selects = pages.select(
      asked,
      {
        sort,
        // One more than wanted tells whether there is a next page.
        limit: limit + 1,
        offset: cursor === null ? (page - 1) * limit : 0,
        after: cursor?.side === 'after' ? cursor.place : null,
        before: backwards ? cursor.place : null,
      },
      figures,
    )
    const columns = { path: mayUpdateAnything(viewer), gone: of.which !== undefined, position: of.position === true }
    let found: ListedColumns[] = []
    for (const select of total === 0 ? [] : selects) {
      found = rowsOf(select, columns)
      if (found.length > limit) break
    }
    const more = found.length > limit
    const rows = found.slice(0, limit)
    if (backwards) rows.reverse()
    const { column } = orderOf(sort)
    const placeOf = (row: ListedColumns | undefined): Place | null =>
      row === undefined ? null : { value: row[column], id: row.id }
    return {
      _meta: { total_records: total, limit, page, count: rows.length },
      _links: linksOf({
        base: addressOf(`${of.path}/${of.collectionId}`, query, limit, of.parameters ?? {}),
        sort,
        limit,
        page,
        total,
        cursor: query.cursor ?? null,
        first: placeOf(rows[0]),
        last: placeOf(rows.at(-1)),
        hasNext: backwards ? rows.length > 0 : more,
        hasPrevious: backwards ? more : cursor !== null || page > 1,
      }),
      entries: compose(rows, showsHidden),
    }
  }

  /** A page of items, of the gallery unless `of` says otherwise. */
  function listOf(viewer: Viewer, of: ListOf, query: FilterQuery & PageQuery): ItemPage {
    const { entries, ...page } = pageOf(viewer, of, query, (rows, showsHidden) =>
      compose(rows, tellerFor(viewer, showsHidden, rows)),
    )
    return { ...page, items: entries }
  }

  function list(viewer: Viewer, { collectionId }: { collectionId: number }, query: FilterQuery & PageQuery): ItemPage {
    return listOf(viewer, { collectionId, path: '/v1/item/list' }, query)
  }

  /** What `list` answers, as JSON: what is sent most of all is not composed anew for everybody. */
  function listText(viewer: Viewer, params: { collectionId: number }, query: FilterQuery & PageQuery): string {
    return db.reading(() => {
      words.refresh()
      const who = [
        viewer.globalAdmin,
        seesHidden(viewer, query.includeHidden),
        collectionsWith(viewer, 'view'),
        collectionsWith(viewer, 'update'),
        words.privateFrom(viewer),
      ]
      const key = JSON.stringify([who, params.collectionId, query])
      return texts.of(db.state(), key, () => JSON.stringify(list(viewer, params, query)))
    })
  }

  /**
   * Ids of what a filter finds for the viewer, in the list's order and at most so many, and how many there are in all.
   * `after` is `last` of the answer that this one goes on from.
   */
  function idsOf(
    viewer: Viewer,
    collectionId: number,
    query: FilterQuery & Pick<PageQuery, 'sort'>,
    { most, also, after = null }: { most: number; also?: Filter | undefined; after?: Place | null },
  ): { ids: number[]; total: number; last: Place | null } {
    const change = words.refresh()
    const showsHidden = seesHidden(viewer, query.includeHidden)
    const asked = askedBy(viewer, collectionId, query, showsHidden, also === undefined ? {} : { also })
    const figures = figuresOf(asked, change)
    const total = figures.total()
    const wanted = { sort: query.sort ?? '-taken', limit: most, offset: 0, after, before: null }
    let found: Place[] = []
    for (const { text, values } of total === 0 ? [] : pages.select(asked, wanted, figures)) {
      found = db.all<Place>(`SELECT p.value, p.id FROM (${text}) AS p`, ...values)
      if (found.length >= Math.min(most, total)) break
    }
    return { ids: found.map(({ id }) => id), total, last: found.at(-1) ?? null }
  }

  /** Those of the ids that a filter finds for the viewer, in the order of `ids`. */
  function matching(
    viewer: Viewer,
    collectionId: number,
    query: FilterQuery,
    { ids, also }: { ids: readonly number[]; also?: Filter | undefined },
  ): number[] {
    words.refresh()
    const showsHidden = seesHidden(viewer, query.includeHidden)
    const asked = askedBy(viewer, collectionId, query, showsHidden, also === undefined ? {} : { also })
    const { frame } = asked
    const row = { taken: raw('i.taken'), id: raw('i.id'), collection: raw('i.collection_id'), items: () => raw('i') }
    const { text, values } =
      sql`SELECT i.id FROM json_each(${JSON.stringify(ids)}) AS j CROSS JOIN items AS i ON i.id = j.value
      WHERE ${inFrame(frame, 'i')} AND i.taken >= ${frame.from} AND i.taken < ${frame.to}
      AND ${conditionOf(restWithMonths(asked), row, { fewRows: ids.length < 4, times: frame })} ORDER BY j.key`
    return db.all<{ id: number }>(text, ...values).map(({ id }) => id)
  }

  /** Refuses what is no filter, as a list with it would. */
  function demandFilter(viewer: Viewer, query: FilterQuery): void {
    words.refresh()
    filterOfQuery(query, words.lookups(viewer))
  }

  /**
   * How a text of the search language is understood, and how many items it finds. For global admins: the names that it
   * hits (of cameras, people, keystrings) may be those of items that others do not see.
   */
  function explain(viewer: Viewer, query: Pick<FilterQuery, 'q' | 'includeHidden'>) {
    demandGlobalAdmin(viewer)
    const { total_records } = timeline(viewer, { collectionId: 0 }, query)
    const showsHidden = seesHidden(viewer, query.includeHidden)
    const filter = guarded(filterOfQuery(query, words.lookups(viewer)), words.kept(viewer, showsHidden))
    return { printed: printFilter(filter, words.names), lines: explained(filter, words.names), total_records }
  }

  /** No item has an id above this one. */
  function highestId(): number {
    return db.get<{ id: number | null }>('SELECT max(id) AS id FROM items')?.id ?? 0
  }

  /** Condition on `items AS i` for what the viewer sees in the gallery. */
  function seenByThem(viewer: Viewer, showsHidden: boolean): Fragment {
    const { frame, rest } = askedOf(visibleItems(db, viewer, { includeHidden: showsHidden }), everything)
    const row = { taken: raw('i.taken'), id: raw('i.id'), collection: raw('i.collection_id'), items: () => raw('i') }
    return sql`${inFrame(frame, 'i')} AND ${conditionOf(rest, row, { fewRows: true })}`
  }

  /** Ids of those of the items that the viewer sees, in the order of `ids`. */
  function visibleIds(viewer: Viewer, ids: readonly number[], includeHidden: string | undefined): number[] {
    const { text, values } = sql`SELECT i.id FROM json_each(${JSON.stringify(ids)}) AS j
      CROSS JOIN items AS i ON i.id = j.value WHERE ${seenByThem(viewer, seesHidden(viewer, includeHidden))} ORDER BY j.key`
    return db.all<{ id: number }>(text, ...values).map(({ id }) => id)
  }

  /** Collections whose people and places are kept from the viewer. */
  function placesKeptFrom(viewer: Viewer): number[] {
    words.refresh()
    return words.privateFrom(viewer)
  }

  /** Those of the items that the viewer sees, in the order of `ids`. */
  function byIds(viewer: Viewer, ids: readonly number[], includeHidden: string | undefined): Item[] {
    if (ids.length === 0) return []
    words.refresh()
    const showsHidden = seesHidden(viewer, includeHidden)
    const { text, values } = sql`SELECT i.added, ${raw(itemColumns({ path: true, gone: false }))}
      FROM json_each(${JSON.stringify(ids)}) AS j CROSS JOIN items AS i ON i.id = j.value
      WHERE ${seenByThem(viewer, showsHidden)} ORDER BY j.key`
    const rows = db.all<ListedColumns>(text, ...values)
    return compose(rows, tellerFor(viewer, showsHidden, rows))
  }

  function timeline(viewer: Viewer, { collectionId }: { collectionId: number }, query: FilterQuery) {
    const change = words.refresh()
    const asked = askedBy(viewer, collectionId, query, seesHidden(viewer, query.includeHidden))
    const figures = figuresOf(asked, change)
    const months = figures
      .months()
      .map(({ ym, n }) => ({ year: Math.floor(ym / 100), month: ((ym % 100) + 100) % 100, count: n }))
    return { total_records: figures.total(), months }
  }

  /** How many items of each collection the viewer sees; collections that have none for him are left out. */
  function countByCollection(viewer: Viewer, includeHidden: boolean): Map<number, number> {
    const visible = visibleItems(db, viewer, { includeHidden })
    const { frame, rest } = askedOf(visible, everything)
    const { text, values } = sql`SELECT m.collection_id AS id, sum(m.n) AS n FROM item_month AS m
      WHERE ${inFrame(frame, 'm')} GROUP BY m.collection_id`
    const rows = db.all<{ id: number; n: number }>(text, ...values)
    if (rest.is === 'everything') return new Map(rows.map(({ id, n }) => [id, n]))
    // While items are being hidden their counters say too much.
    return new Map(
      rows.map(({ id }) => [id, counts.total({ frame: { ...frame, collections: [id] }, months: null, rest })]),
    )
  }

  function get(viewer: Viewer, { id }: { id: number }, query: { includeHidden?: string | undefined }): ItemDetails {
    words.refresh()
    const showsHidden = seesHidden(viewer, query.includeHidden)
    const row = seen<DetailColumns>(viewer, id, showsHidden, detailColumns)
    if (row === null) throw notFound()
    // The column is written by item-rows alone.
    const stored: StoredTags = JSON.parse(row.tags)
    const files = db.all<OtherFile>(
      "SELECT name_bytes, role, size FROM files WHERE item_id = ? AND role <> 'main' ORDER BY role, name_bytes",
      id,
    )
    return itemDetailsJson(row, stored, regionsOf([id]).get(id) ?? [], files, tellerFor(viewer, showsHidden, [row]))
  }

  /**
   * What sending an item's pictures needs; null where the viewer does not see it. Addresses of pictures carry no value
   * for hidden items: there, the session being unlocked is enough.
   */
  function findForBytes(viewer: Viewer, id: number): ItemForBytes | null {
    return db.reading(() => findPicture(viewer, id))
  }

  function findPicture(viewer: Viewer, id: number): ItemForBytes | null {
    words.refresh()
    const unlocked = viewer.unlockValue !== null
    const row = seen<BytesRow>(viewer, id, unlocked, bytesColumns)
    if (row === null) return null
    return itemForBytes(db, row, {
      rights: rightsOn(viewer, row.collection_id),
      unlocked,
      keepsPlaces: words.privateFrom(viewer).includes(row.collection_id),
    })
  }

  return {
    ...rights,
    list,
    listText,
    listOf,
    pageOf,
    idsOf,
    matching,
    demandFilter,
    explain,
    highestId,
    visibleIds,
    byIds,
    placesKeptFrom,
    timeline,
    get,
    findForBytes,
    countByCollection,
  }
}

const detailColumns = `${itemColumns({ path: true, gone: true })}, i.mime, i.size, i.added, i.details`

/** Address of a list with everything that was asked but the page: what all its links begin with. */
function addressOf(
  path: string,
  query: FilterQuery & PageQuery,
  limit: number,
  also: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams(also)
  const filters: Record<string, unknown> = z.encode(filterQuery, query)
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) parameters.set(name, String(value))
  if (query.sort !== undefined) parameters.set('sort', query.sort)
  parameters.set('limit', String(limit))
  return `${path}?${parameters}`
}

export type Items = ReturnType<typeof createItems>
