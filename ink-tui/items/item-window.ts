/** A window into a list of a million items: pages are loaded when needed and dropped again. */
import { cursorIn, type Item } from '../../schema/api/items.ts'
import { createListeners } from '../listeners.ts'

/** Rows of a page, and the number of pages kept: far more than any terminal shows at once. */
const pageRows = 100
const pagesKept = 12

interface Page<T> {
  items: readonly T[]
  _meta: { total_records: number }
  _links: { prev: string | null; next: string | null }
}

/** Loads one page, counted from 1. `cursor` comes from a neighbour's link, which is faster for deep pages. */
export type LoadPage<T = Item> = (request: { page: number; limit: number; cursor: string | null }) => Promise<Page<T>>

export type ItemWindow<T = Item> = ReturnType<typeof createItemWindow<T>>

interface KeptPage<T = unknown> {
  items: readonly T[]
  prev: string | null
  next: string | null
  /** True if the page shows an older state of the library. */
  stale: boolean
}

function neighbourCursor(pages: ReadonlyMap<number, KeptPage>, page: number): string | null {
  const before = pages.get(page - 1)
  if (before !== undefined && !before.stale) return before.next
  const after = pages.get(page + 1)
  return after !== undefined && !after.stale ? after.prev : null
}

function dropFarPages(pages: Map<number, KeptPage>, page: number) {
  while (pages.size > pagesKept) {
    const [farthest] = [...pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page))
    if (farthest === undefined) return
    pages.delete(farthest)
  }
}

/** Ids of `count` rows, starting at index `first`. Between two pages, waiting key presses are handled. */
export async function loadIdsInRange(load: LoadPage<{ id: number }>, first: number, count: number): Promise<number[]> {
  const limit = 1000
  const ids: number[] = []
  let cursor: string | null = null
  let skipped = first % limit
  for (let page = Math.floor(first / limit) + 1; ids.length < count; page++) {
    const found: Page<{ id: number }> = await load({ page, limit, cursor })
    for (const { id } of found.items.slice(skipped, skipped + count - ids.length)) ids.push(id)
    skipped = 0
    cursor = cursorIn(found._links.next)
    if (cursor === null || found.items.length === 0) break
    await new Promise<void>(resolve => setImmediate(resolve))
  }
  return ids
}

export function createItemWindow<T>(load: LoadPage<T>) {
  const pages = new Map<number, KeptPage<T>>()
  const listeners = createListeners<[]>()
  let total: number | null = null
  let failure: unknown = null
  let version = 0
  let visible = { first: 0, count: 1 }
  let isLoading = false
  let isClosed = false

  function notifyChange() {
    version++
    listeners.notify()
  }

  /** The next page to load: first the visible ones, then their neighbours, so that scrolling need not wait. */
  function pageToLoad(): number | undefined {
    const first = Math.floor(visible.first / pageRows) + 1
    const last = Math.floor((visible.first + Math.max(1, visible.count) - 1) / pageRows) + 1
    const isDue = (page: number) => pages.get(page)?.stale !== false
    for (let page = first; page <= last; page++) if (isDue(page)) return page
    const pageCount = total === null ? 1 : Math.ceil(total / pageRows)
    return [last + 1, first - 1].find(page => page >= 1 && page <= pageCount && !pages.has(page))
  }

  async function loadDue() {
    if (isLoading || isClosed) return
    isLoading = true
    for (let page = pageToLoad(); page !== undefined && !isClosed; page = pageToLoad()) {
      try {
        const found = await load({ page, limit: pageRows, cursor: neighbourCursor(pages, page) })
        if (isClosed) break
        failure = null
        if (found._meta.total_records !== total) {
          total = found._meta.total_records
          // Rows have moved, so the positions of older pages are wrong.
          for (const held of pages.values()) held.stale = true
        }
        pages.set(page, {
          items: found.items,
          prev: cursorIn(found._links.prev),
          next: cursorIn(found._links.next),
          stale: false,
        })
        dropFarPages(pages, page)
        notifyChange()
      } catch (error) {
        failure = error
        total ??= 0
        notifyChange()
        break
      }
      // Between two pages, waiting key presses are handled.
      await new Promise<void>(resolve => setImmediate(resolve))
    }
    isLoading = false
  }

  return {
    /** Null until known. */
    total: () => total,
    /** Undefined while loading. */
    rowAt: (index: number): T | undefined => pages.get(Math.floor(index / pageRows) + 1)?.items[index % pageRows],
    /** Sets the visible rows: `count` rows from index `first`. */
    setVisible(first: number, count: number) {
      const isSame = visible.first === first && visible.count === count
      // Retrying a failed load at every rendering would never end, so only `reload` and scrolling retry it.
      if ((isSame && pages.size > 0) || (failure !== null && (isSame || pages.size === 0))) return
      visible = { first, count }
      void loadDue()
    },
    /** Reloads visible pages after a change; the old pages are kept until then. */
    reload() {
      const first = Math.floor(visible.first / pageRows)
      const last = Math.floor((visible.first + visible.count) / pageRows) + 2
      for (const [page, held] of pages) {
        if (page < first || page > last) pages.delete(page)
        else held.stale = true
      }
      if (pages.size === 0) total = null
      void loadDue()
    },
    error: () => failure,
    subscribe: listeners.add,
    /** Increases whenever the loaded rows, the total or the error change. */
    version: () => version,
    close() {
      isClosed = true
      listeners.clear()
      pages.clear()
    },
  }
}
