/** Reads items for callers: lists, the timeline, one item, and what sending its pictures needs. */
import type { FilterQuery, Item, ItemDetails } from '../../schema/api/items.ts'
import { notFound, requireGlobalAdmin, rightsOn, seesHidden, type Viewer } from '../accounts/access.ts'
import { allOf } from '../filter/bound.ts'
import { createCounts } from '../filter/counts.ts'
import { everything, type Filter } from '../filter/filter.ts'
import { frameQuery } from '../filter/frame.ts'
import { explained } from '../filter/language/explain.ts'
import { printFilter } from '../filter/language/print.ts'
import { filterOfQuery } from '../filter/language/query.ts'
import { createPages } from '../filter/pages.ts'
import { createPlanner } from '../filter/plan.ts'
import { createSeenItems } from '../filter/seen-items.ts'
import { visibleItems } from '../filter/visible-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, idsIn, sql } from '../kernel/database/sql-fragment.ts'
import { createVocabulary } from '../words/vocabulary.ts'
import { bytesColumns, type ItemForBytes, itemForBytes } from './item-bytes.ts'
import { createItemComposer } from './item-composer.ts'
import { itemDetailsJson } from './item-json.ts'
import { createItemLists } from './item-lists.ts'
import { parseTags } from './item-row.ts'
import { filterFor, framedQueryFor, type ItemStore } from './item-store.ts'
import { countsByCollection, detailed, idsAmong, newestId, otherFiles, rowsAmong } from './items.sql.ts'

/** Figures of the items that match a filter. */
function createFigures(store: ItemStore) {
  const { db, words, counts } = store

  function timeline(viewer: Viewer, { collectionId }: { collectionId: number }, query: FilterQuery) {
    const { figures } = framedQueryFor(store, viewer, collectionId, query)
    const months = figures
      .months(query.calendar)
      .map(({ ym, n }) => ({ year: Math.floor(ym / 100), month: ((ym % 100) + 100) % 100, count: n }))
    return { total_records: figures.total(), months }
  }

  return {
    timeline,

    /**
     * Explains how a text of the search language is parsed, and how many items match. For global admins only: the
     * matching names (of cameras, people, keystrings) may belong to items that others do not see.
     */
    explain(viewer: Viewer, query: Pick<FilterQuery, 'q' | 'includeHidden'>) {
      requireGlobalAdmin(viewer)
      const { total_records } = timeline(viewer, { collectionId: 0 }, query)
      const filter = filterFor(store, viewer, query)
      return { printed: printFilter(filter, words.names), lines: explained(filter, words.names), total_records }
    },

    /** The filter of a query; throws for an invalid one, as a list would. */
    requireFilter(viewer: Viewer, query: FilterQuery): Filter {
      words.refresh()
      return filterOfQuery(query, words.lookups(viewer))
    },

    /** How many items of each collection the viewer sees; collections without any are omitted. */
    countByCollection(viewer: Viewer, includeHidden: boolean): Map<number, number> {
      const { frame, rest } = frameQuery(visibleItems(db, viewer, { includeHidden }), everything)
      // While a job hides items, the counters of months are too high.
      const countOf = (id: number) => counts.total({ frame: { ...frame, collections: [id] }, months: null, rest })
      const rows = allOf(db, countsByCollection(frame))
      return new Map(rows.map(({ id, n }) => [id, rest.is === 'everything' ? n : countOf(id)]))
    },
  }
}

/** `minMerged` is only for tests: see `createMerging`. */
export function createItems({ db, minMerged }: { db: LibraryDatabase; minMerged?: number }) {
  const words = createVocabulary(db)
  const planner = createPlanner(db)
  const counts = createCounts(db, planner, minMerged)
  const composer = createItemComposer({ db, words })
  const store: ItemStore = { db, words, counts, pages: createPages(planner), composer, counted: new Map() }
  const { visibleRow, ...rights } = createSeenItems({ db })

  return {
    ...rights,
    ...createItemLists(store),
    ...createFigures(store),

    highestId: (): number => db.get(newestId)?.id ?? 0,

    /** The given ids whose items the viewer sees in the gallery, in the order of `ids`. */
    visibleIds(viewer: Viewer, ids: readonly number[], includeHidden: string | undefined): number[] {
      const isSeen = rights.visibleCondition(viewer, 'live', seesHidden(viewer, includeHidden))
      return allOf(db, idsAmong(ids, isSeen)).map(({ id }) => id)
    },

    /** Collections whose people and places are hidden from the viewer. */
    privateCollections(viewer: Viewer): number[] {
      words.refresh()
      return words.privateCollections(viewer)
    },

    /** Condition on `items AS i`: the viewer sees the item in the gallery, and its people and place. */
    isSeenWithPeople(viewer: Viewer, includeHidden: string | undefined): Fragment {
      words.refresh()
      const isSeen = rights.visibleCondition(viewer, 'live', seesHidden(viewer, includeHidden))
      const closed = words.privateCollections(viewer)
      return closed.length === 0 ? isSeen : sql`${isSeen} AND i.collection_id NOT IN ${idsIn(closed)}`
    },

    /** The given items that the viewer sees in the gallery, in the order of `ids`. */
    byIds(viewer: Viewer, ids: readonly number[], includeHidden: string | undefined): Item[] {
      if (ids.length === 0) return []
      words.refresh()
      const showsHidden = seesHidden(viewer, includeHidden)
      const rows = allOf(db, rowsAmong(ids, rights.visibleCondition(viewer, 'live', showsHidden)))
      return composer.compose(rows, composer.viewFor(viewer, showsHidden, rows))
    },

    get(viewer: Viewer, { id }: { id: number }, query: { includeHidden?: string | undefined }): ItemDetails {
      words.refresh()
      const showsHidden = seesHidden(viewer, query.includeHidden)
      const row = visibleRow(viewer, id, showsHidden, detailed)
      if (row === null) throw notFound()
      const regions = composer.regionsOf([id]).get(id) ?? []
      const view = composer.viewFor(viewer, showsHidden, [row])
      return itemDetailsJson(row, parseTags(row.tags), regions, db.all(otherFiles, id), view)
    },

    /**
     * What sending an item's pictures needs; null if the viewer does not see the item. Addresses of pictures do not
     * contain the value that includes hidden items, so an unlocked session is enough.
     */
    findForBytes(viewer: Viewer, id: number): ItemForBytes | null {
      return db.reading(() => {
        words.refresh()
        const unlocked = viewer.unlockValue !== null
        const row = visibleRow(viewer, id, unlocked, bytesColumns)
        if (row === null) return null
        const rights = rightsOn(viewer, row.collectionId)
        const withholdsPlaces = words.privateCollections(viewer).includes(row.collectionId)
        return itemForBytes(db, row, { rights, unlocked, withholdsPlaces })
      })
    },
  }
}

export type Items = ReturnType<typeof createItems>
