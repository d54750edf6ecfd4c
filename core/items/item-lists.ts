/** Lists of items by page, and the ids that match a filter. */
import { z } from 'zod'
import { type FilterQuery, filterQuery, type ItemPage, type PageQuery } from '../../schema/api/items.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { collectionsWith, seesHidden, type Viewer } from '../accounts/access.ts'
import { allOf } from '../filter/bound.ts'
import { conditionOf, itemsRow } from '../filter/condition.ts'
import type { Filter } from '../filter/filter.ts'
import { inFrame, restWithMonths } from '../filter/frame.ts'
import type { PagePosition } from '../filter/pages.sql.ts'
import { orderOf } from '../filter/pages.ts'
import { decodeCursor, linksOf } from '../filter/paging.ts'
import type { ItemListKind } from '../filter/visible-items.ts'
import { sql } from '../kernel/database/sql-fragment.ts'
import { seenAlbum } from '../words/seen-albums.ts'
import { positionOfItem } from './albums/album-items.sql.ts'
import { framedQueryFor, type ItemStore } from './item-store.ts'
import { idsAmong, type ListedRow, pagePositions, pageRows } from './items.sql.ts'
import { layoutOf } from './layout.ts'
import { createPageTexts } from './page-texts.ts'

export interface ListOptions {
  /** 0 means all collections. */
  collectionId: number
  /** Path of the call, without the collection: the prefix of the links. */
  path: string
  /** Parameters of the call besides those of the filter, repeated in the links. */
  parameters?: Record<string, string>
  /** Recycled or missing items instead of the gallery. */
  which?: ItemListKind
  also?: Filter
  /** Whether rows have latitude and longitude. */
  coordinates?: boolean
}

type ListQuery = FilterQuery & PageQuery
type HiddenQuery = Pick<FilterQuery, 'includeHidden'>
type Page<Entry> = Pick<ItemPage, '_meta' | '_links'> & { entries: Entry[] }
type Compose<Entry> = (rows: readonly ListedRow[], showsHidden: boolean) => Entry[]

/** Whether the viewer may update at least one collection: only such viewers see paths. */
function mayUpdateSomewhere(viewer: Viewer): boolean {
  return viewer.globalAdmin || [...viewer.rights.values()].some(({ update }) => update)
}

/** Address of a list with all parameters except the page: the prefix of all its links. */
function addressOf({ path, collectionId, parameters = {} }: ListOptions, query: ListQuery, limit: number) {
  const all = new URLSearchParams(parameters)
  const filters: Record<string, unknown> = z.encode(filterQuery, query)
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) all.set(name, String(value))
  if (query.sort !== undefined) all.set('sort', query.sort)
  all.set('limit', String(limit))
  return `${path}/${collectionId}?${all}`
}

/**
 * Throws if `sort` is 'hand' but the album is not one by hand. An album that the viewer does not see is not refused: its
 * list is empty in any order.
 */
function requireValidSort(
  { db }: ItemStore,
  viewer: Viewer,
  { sort, album }: FilterQuery & Pick<PageQuery, 'sort'>,
): void {
  if (sort !== 'hand') return
  const kind = album === undefined ? 'none' : (seenAlbum(db, viewer, album)?.kind ?? 'hand')
  if (kind === 'hand') return
  throw new Failure(
    'invalid',
    "sort=hand works only for an album whose items are chosen by hand: give its id in the parameter 'album'.",
    {
      field: 'sort',
    },
  )
}

function readPage<Entry>(
  store: ItemStore,
  viewer: Viewer,
  options: ListOptions,
  query: ListQuery,
  compose: Compose<Entry>,
): Page<Entry> {
  const { framed, showsHidden, figures } = framedQueryFor(store, viewer, options.collectionId, query, options)
  const { limit = limits.pageSize, page = 1, sort = '-taken' } = query
  requireValidSort(store, viewer, query)
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, sort)
  const total = figures.total()
  const backwards = cursor?.side === 'before'
  const selects = store.pages.select(
    framed,
    {
      sort,
      // One more than requested shows whether there is a next page.
      limit: limit + 1,
      offset: cursor === null ? (page - 1) * limit : 0,
      after: cursor?.side === 'after' ? cursor.position : null,
      before: backwards ? cursor.position : null,
      album: query.album,
    },
    figures,
  )
  const wanted = {
    path: mayUpdateSomewhere(viewer),
    gone: options.which !== undefined,
    coordinates: options.coordinates === true,
  }
  let found: ListedRow[] = []
  for (const select of total === 0 ? [] : selects) {
    found = allOf(store.db, pageRows(select, wanted))
    if (found.length > limit) break
  }
  const more = found.length > limit
  const rows = found.slice(0, limit)
  if (backwards) rows.reverse()
  const { column } = orderOf(sort)
  const positionOf = (row: ListedRow | undefined): PagePosition | null => {
    if (row === undefined) return null
    if (column !== 'hand') return { value: row[column], id: row.id }
    return { value: store.db.get(positionOfItem, query.album ?? 0, row.id)?.position ?? 0, id: row.id }
  }
  return {
    _meta: { total_records: total, limit, page, count: rows.length },
    _links: linksOf({
      base: addressOf(options, query, limit),
      sort,
      limit,
      page,
      total,
      cursor: query.cursor ?? null,
      first: positionOf(rows[0]),
      last: positionOf(rows.at(-1)),
      hasNext: backwards ? rows.length > 0 : more,
      hasPrevious: backwards ? more : cursor !== null || page > 1,
    }),
    entries: compose(rows, showsHidden),
  }
}

/** What a response depends on besides the query: which items the viewer sees, and which fields they get. */
function audienceOf({ words }: ItemStore, viewer: Viewer, query: FilterQuery) {
  return [
    viewer.globalAdmin,
    seesHidden(viewer, query.includeHidden),
    collectionsWith(viewer, 'view'),
    collectionsWith(viewer, 'update'),
    words.privateCollections(viewer),
    // Only these parameters can refer to a user's favourites and to the albums that they see.
    query.q === undefined && query.album === undefined ? null : viewer.userId,
  ]
}

export function createItemLists(store: ItemStore) {
  const { db, words, pages, composer } = store
  const texts = createPageTexts()
  const overviews = createPageTexts()

  function pageOf<Entry>(viewer: Viewer, options: ListOptions, query: ListQuery, compose: Compose<Entry>) {
    return db.reading((): Page<Entry> => readPage(store, viewer, options, query, compose))
  }

  /** A page of items: of the gallery, unless `options.which` is given. */
  function listOf(viewer: Viewer, options: ListOptions, query: ListQuery): ItemPage {
    const { entries, ...page } = pageOf(viewer, options, query, (rows, showsHidden) =>
      composer.compose(rows, composer.viewFor(viewer, showsHidden, rows)),
    )
    return { ...page, items: entries }
  }

  function list(viewer: Viewer, { collectionId }: { collectionId: number }, query: ListQuery): ItemPage {
    return listOf(viewer, { collectionId, path: '/v1/item/list' }, query)
  }

  function layout(
    viewer: Viewer,
    params: { collectionId: number },
    query: FilterQuery & Pick<PageQuery, 'sort'>,
  ): ReturnType<typeof layoutOf> {
    requireValidSort(store, viewer, query)
    return db.reading(() => layoutOf(store, viewer, params, query))
  }

  function textOf<Query extends FilterQuery>(
    name: string,
    read: (viewer: Viewer, params: { collectionId: number }, query: Query) => unknown,
  ) {
    return (viewer: Viewer, params: { collectionId: number }, query: Query): string =>
      db.reading(() => {
        words.refresh()
        const key = JSON.stringify([name, audienceOf(store, viewer, query), params.collectionId, query])
        return texts.of(db.state(), key, () => JSON.stringify(read(viewer, params, query)))
      })
  }

  return {
    list,
    listOf,
    pageOf,

    layout,

    /**
     * The results of `list` and `layout` as JSON text, cached and shared by viewers who see the same, because they are
     * the most frequent responses.
     */
    listText: textOf('list', list),
    layoutText: textOf('layout', layout),

    /** Returns the result of `make` for this viewer, cached under `name` until anything is written. */
    cached<Result>(name: string, viewer: Viewer, query: HiddenQuery, make: () => Result): Result {
      return db.reading(() => {
        words.refresh()
        const key = JSON.stringify([name, audienceOf(store, viewer, query)])
        return JSON.parse(overviews.of(db.state(), key, () => JSON.stringify(make())))
      })
    },

    /** The first `limit` ids that match a filter, and how many match in all. `after`: `last` of the previous result. */
    idsOf(
      viewer: Viewer,
      collectionId: number,
      query: FilterQuery & Pick<PageQuery, 'sort'>,
      { limit, also, after = null }: { limit: number; also?: Filter | undefined; after?: PagePosition | null },
    ): { ids: number[]; total: number; last: PagePosition | null } {
      const { framed, figures } = framedQueryFor(store, viewer, collectionId, query, { also })
      const total = figures.total()
      requireValidSort(store, viewer, query)
      const { sort = '-taken', album } = query
      const wanted = { sort, limit, offset: 0, after, before: null, album }
      let found: PagePosition[] = []
      for (const select of total === 0 ? [] : pages.select(framed, wanted, figures)) {
        found = allOf(db, pagePositions(select))
        if (found.length >= Math.min(limit, total)) break
      }
      return { ids: found.map(({ id }) => id), total, last: found.at(-1) ?? null }
    },

    /** The given ids that match a filter for the viewer, in the order of `ids`. */
    matching(
      viewer: Viewer,
      collectionId: number,
      query: FilterQuery,
      { ids, also }: { ids: readonly number[]; also?: Filter | undefined },
    ): number[] {
      const { framed } = framedQueryFor(store, viewer, collectionId, query, { also })
      const { frame } = framed
      const rest = conditionOf(restWithMonths(framed), itemsRow, { fewRows: ids.length < 4, times: frame })
      const where = sql`${inFrame(frame, 'i')} AND i.taken >= ${frame.from} AND i.taken < ${frame.to} AND ${rest}`
      return allOf(db, idsAmong(ids, where)).map(({ id }) => id)
    },
  }
}
