/** A page of what the present filter leaves, for the screens that choose items from a table. */
import { effect, signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import { filter, filterQuery, page } from './current-filter.ts'
import { listKey } from './items.ts'
import { report } from './messages.ts'
import { pageCount } from './pages.ts'
import { isQueryRefused } from './query-fault.ts'

export interface ItemTable {
  /** The list it is a page of. */
  key: string
  total: number
  page: number
  size: number
  items: readonly Item[]
}

/** The page that is shown; while another one loads it is still the last one. Null until it is known. */
export const itemTable = signal<ItemTable | null>(null)
export const itemTableLoading = signal(false)
export const itemTableFailed = signal(false)
/** Counts up when items have changed. */
const itemTableVersion = signal(0)

export function itemsTableChanged(): void {
  itemTableVersion.value++
}

let asked = 0
let lastSize: number = limits.pageSize

/** Loads the page of the address; where there is none, the last one. */
async function loadItemTable(size: number, { quiet = false } = {}): Promise<void> {
  const mine = ++asked
  lastSize = size
  const [key, query, number] = [listKey.peek(), filterQuery.peek(), page.peek()]
  const ask = (wanted: number) =>
    api.items.list({
      params: { collectionId: filter.peek().collection },
      query: { ...query, limit: size, page: wanted },
    })
  itemTableLoading.value = true
  try {
    let [answer, shown] = [await ask(number), number]
    const last = pageCount(answer._meta.total_records, size)
    if (mine === asked && number > last) [answer, shown] = [await ask(last), last]
    if (mine !== asked) return
    itemTableFailed.value = false
    itemTable.value = { key, total: answer._meta.total_records, page: shown, size, items: answer.items }
  } catch (error) {
    if (mine !== asked) return
    itemTableFailed.value = true
    if (!isQueryRefused(error, query.q ?? '') && !quiet) report(error, 'Failed to load items')
  } finally {
    if (mine === asked) itemTableLoading.value = false
  }
}

/** Loads it once more; `quiet`: behind what says that it has failed. */
export function loadItemTableAgain(how: { quiet: boolean }): Promise<void> {
  return loadItemTable(lastSize, how)
}

/** Loads it now, and whenever the filter, the page or the items change, until the answer is called. */
export function followItemTable(size: () => number): () => void {
  const stop = effect(() => {
    const now = [listKey.value, page.value, itemTableVersion.value, size()]
    if (now.length > 0) queueMicrotask(() => void loadItemTable(size()))
  })
  return () => {
    stop()
    asked++
    itemTableLoading.value = false
  }
}
