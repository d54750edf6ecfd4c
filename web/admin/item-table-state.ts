/** A page of the present filter's items, for tables. */
import { effect } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import { filter, filterQuery, page } from '../app/current-filter.ts'
import { createLoading, type LoadOptions, requestPage } from '../app/loading/resource.ts'
import { versionOf } from '../app/loading/stale.ts'
import { keepQueryFault } from '../app/query-fault.ts'
import { userSignal } from '../app/user-data.ts'
import { listKey } from '../items/items.ts'
import { baseTexts } from '../texts/base.ts'

export interface ItemTable {
  key: string
  total: number
  page: number
  size: number
  items: readonly Item[]
}

/** The shown page, which stays until another one is loaded; null before the first. */
export const itemTable = userSignal<ItemTable | null>(null)
const loading = createLoading(baseTexts.failedToLoadItems, error => keepQueryFault(error, filterQuery.peek().q ?? ''))
export const { failed: itemTableFailed, loading: itemTableLoading } = loading

let lastSize: number = limits.pageSize

/** Loads the page of the address, or the last one if it does not exist. */
async function loadItemTable(size: number, how?: LoadOptions): Promise<void> {
  lastSize = size
  const [key, query] = [listKey.peek(), filterQuery.peek()]
  const params = { collectionId: filter.peek().collection }
  await loading.load(
    () =>
      requestPage(page.peek(), size, number =>
        api.items.list({ params, query: { ...query, limit: size, page: number } }),
      ),
    ({ items, page, _meta: { total_records: total } }) => {
      itemTable.value = { key, total, page, size, items }
    },
    how,
  )
}

/** Reloads the page. `quiet`: an automatic attempt, whose failure is not reported again. */
export function reloadItemTable(how: { quiet: boolean }): Promise<void> {
  return loadItemTable(lastSize, how)
}

/** Loads the page now, and whenever the filter, page or items change, until the returned function is called. */
export function keepItemTableFresh(size: () => number): () => void {
  const stop = effect(() => {
    const now = [listKey.value, page.value, versionOf('items'), size()]
    if (now.length > 0) queueMicrotask(() => void loadItemTable(size()))
  })
  return () => {
    stop()
    loading.cancel()
  }
}
