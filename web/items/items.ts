/** The gallery's list of items: pages are loaded when they become visible, and dropped when they are far away. */
import { computed, signal } from '@preact/signals-react'
import type { Item, ItemPage } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import { address } from '../app/address.ts'
import { filter, filterQuery, page, sortQuery } from '../app/current-filter.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import { report } from '../app/messages.ts'
import { pageSize, view } from '../app/options.ts'
import { keepQueryFault } from '../app/query-fault.ts'
import { user } from '../app/session.ts'
import { columns, phone, windowHeight } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { isWorthLoading, itemsToKeep, maxHeldItems, missingPages } from './item-window.ts'

export interface ItemList {
  key: string
  total: number
  /** The loaded items by index. */
  items: ReadonlyMap<number, Item>
}

/** The shown list. While another filter's list loads, it stays the previous one, so that nothing flashes. */
export const list = signal<ItemList | null>(null)
/** Whether the requested list takes so long that a skeleton is shown. */
export const showsSkeleton = signal(false)
/** Whether pages are being loaded; stays true for half a second after the last one. */
export const loading = signal(false)
/** Whether the requested list could not be loaded at all. */
export const listFailed = signal(false)

/** Whether the gallery shows pages instead of one endless grid; a phone has no pages. */
export const paged = computed(() => view.value === 'Paging' && !phone.value)

/** Whether the gallery is the timeline. A phone on its side always shows it, because whole cards do not fit there. */
export const showsTimeline = computed(() => view.value === 'Timeline' || (phone.value && windowHeight.value < 500))

/** Items per request of the timeline: several screens of large pictures, or one of small ones. */
const timelineRequestSize = 200

/** Items per request: a page; in an endless gallery, as many pages as there are cards in a row. */
const requestSize = computed(() => {
  if (showsTimeline.value) return timelineRequestSize
  return paged.value ? pageSize.value : pageSize.value * columns.value
})
/** How many loaded items are kept. */
const maxHeld = computed(() =>
  showsTimeline.value ? 20 * timelineRequestSize : maxHeldItems(pageSize.value, paged.value ? 1 : columns.value),
)

const listRequest = computed(() => {
  const query = { ...filterQuery.value, ...sortQuery.value }
  const collectionId = filter.value.collection
  return { key: JSON.stringify([user.value?.id ?? 0, collectionId, query]), collectionId, query }
})

/** Identifies the list for the screen: when this changes, the list must be opened. */
export const listKey = computed(() => listRequest.value.key)
/** Whether the shown list is that of the present filter and user. */
export const isCurrent = computed(() => list.value?.key === listKey.value)

/** Whether the gallery is at its start and no picture is open, so that new items can be inserted without moving anything. */
export function isAtBeginning(): boolean {
  return visibleRange.first === 0 && address.peek().entry.overGallery === undefined
}

/** Milliseconds after which a skeleton is shown. */
const skeletonDelayMs = 300
/** Milliseconds after the last move until missing items are loaded. */
const restMs = 60
/** Minimum time in milliseconds between two loads of missing items while the gallery scrolls. */
const loadIntervalMs = 100

/** The visible indices (inclusive); also the ones that the viewer or the editor needs. */
let visibleRange = { first: 0, last: 0 }
/** Pages that are being loaded, by list, size and number. */
const pendingRequests = new Set<string>()
/** Whether a page of the shown list could not be loaded or reloaded. */
let pageFailed = false
let loadingTimer: ReturnType<typeof setTimeout> | undefined
let skeletonTimer: ReturnType<typeof setTimeout> | undefined
let restTimer: ReturnType<typeof setTimeout> | undefined

/** Fetches a page; null if it failed, is already being loaded, or belongs to a list that is no longer requested. */
async function fetchPage(number: number, size: number, quiet = false): Promise<ItemPage | null> {
  const { key, collectionId, query } = listRequest.value
  const request = `${key} ${size} ${number}`
  if (pendingRequests.has(request)) return null
  pendingRequests.add(request)
  clearTimeout(loadingTimer)
  loading.value = true
  try {
    const response = await api.items.list({ params: { collectionId }, query: { ...query, limit: size, page: number } })
    return listRequest.value.key === key ? response : null
  } catch (error) {
    if (listRequest.value.key === key) {
      listFailed.value = list.value?.key !== key
      pageFailed = !listFailed.value
      if (!keepQueryFault(error, query.q ?? '') && !quiet) report(error, baseTexts.failedToLoadItems)
    }
    return null
  } finally {
    pendingRequests.delete(request)
    if (pendingRequests.size === 0) {
      loadingTimer = setTimeout(() => {
        loading.value = false
      }, limits.loadingFlagMs)
    }
  }
}

/** Returns the known object of an unchanged item, so that its card is not rendered again. */
function keepUnchanged(known: Item | undefined, item: Item): Item {
  return known !== undefined && known.id === item.id && JSON.stringify(known) === JSON.stringify(item) ? known : item
}

function putPage(items: Map<number, Item>, response: ItemPage, number: number, size: number): void {
  const before = list.value?.items
  response.items.forEach((item, at) => {
    const index = (number - 1) * size + at
    items.set(index, keepUnchanged(before?.get(index), item))
  })
}

/** Shows loaded pages. `replace`: they replace all other items of the list. */
function storePages(pages: readonly { response: ItemPage; number: number; size: number }[], replace: boolean): void {
  const [first] = pages
  if (first === undefined) return
  const { key } = listRequest.value
  const extendsList = list.value?.key === key && !replace
  const items = new Map(extendsList ? list.value?.items : [])
  for (const { response, number, size } of pages) putPage(items, response, number, size)
  const total = first.response._meta.total_records
  const hasOtherTotal = extendsList && list.value?.total !== total
  list.value = {
    key,
    total,
    items: itemsToKeep(items, visibleRange.first, visibleRange.last, maxHeld.value),
  }
  listFailed.value = false
  showsSkeleton.value = false
  clearTimeout(skeletonTimer)
  // Items were added or removed, so the indices of loaded items may have changed.
  if (hasOtherTotal) void refreshList()
}

async function load(numbers: readonly number[], size: number, quiet = false): Promise<void> {
  await Promise.all(
    numbers.map(async number => {
      const response = await fetchPage(number, size, quiet)
      if (response !== null) storePages([{ response, number, size }], false)
    }),
  )
}

/** The index at which the address starts: that of the open picture, of the page, or of the endless gallery's position. */
function startIndex(): number {
  const { entry } = address.value
  if (entry.overGallery !== undefined) return entry.overGallery.index
  if (paged.value) return (page.value - 1) * pageSize.value
  return entry.scroll?.index ?? 0
}

/** Loads the list of the present filter. With `quiet`, an old failure stays visible, and a new one is not reported. */
export async function openList({ quiet = false } = {}): Promise<void> {
  clearTimeout(skeletonTimer)
  clearTimeout(restTimer)
  if (!quiet) listFailed.value = false
  showsSkeleton.value = false
  const first = startIndex()
  visibleRange = { first, last: first }
  skeletonTimer = setTimeout(() => {
    showsSkeleton.value = !isCurrent.value && !listFailed.value
  }, skeletonDelayMs)
  const size = requestSize.value
  await load([Math.floor(first / size) + 1], size, quiet)
  void loadCurrentPage()
}

/** When the visible range changed last. */
let rangeSetAt = 0
/** An earlier time and first visible index, from which the speed is measured. */
let sample = { at: 0, first: 0 }

/** Sets the visible range (inclusive indices), and loads its missing items unless the user scrolls past them quickly. */
export function setVisibleRange(first: number, last: number): void {
  visibleRange = { first, last }
  clearTimeout(restTimer)
  restTimer = setTimeout(() => void loadMissing(0), restMs)
  const now = performance.now()
  // After a pause, one jump usually stays at its target, however far it is.
  const wasAtRest = now - rangeSetAt > 2 * loadIntervalMs
  rangeSetAt = now
  const elapsed = now - sample.at
  if (elapsed < loadIntervalMs) return
  const movedBy = first - sample.first
  sample = { at: now, first }
  if (wasAtRest || isWorthLoading(movedBy, elapsed, last - first + 1)) {
    void loadMissing(wasAtRest ? 0 : Math.sign(movedBy))
  }
}

/** Loads missing visible items, then those on both sides (0), or only below (1) or above (-1) while scrolling that way. */
async function loadMissing(direction: number): Promise<void> {
  const { first, last } = visibleRange
  const size = requestSize.value
  const missing = (from: number, to: number) => {
    const now = list.value
    return now === null || !isCurrent.value ? [] : missingPages(now.items, from, to, size, now.total)
  }
  await load(missing(first, last), size)
  if (visibleRange.first !== first && direction === 0) return
  await load(missing(direction > 0 ? first : first - size, direction < 0 ? last : last + size), size)
}

/** Reloads the pages with visible items and drops all others. The old ones stay until then; only changed ones are rendered again. */
export async function refreshList(): Promise<void> {
  if (!isCurrent.value) return openList()
  const size = requestSize.value
  const first = Math.floor(visibleRange.first / size) + 1
  const last = Math.floor(visibleRange.last / size) + 1
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const fetched = await Promise.all(
    numbers.map(async number => ({ response: await fetchPage(number, size), number, size })),
  )
  const pages = fetched.flatMap(({ response, number }) => (response === null ? [] : [{ response, number, size }]))
  if (pages.length === numbers.length) storePages(pages, true)
}

/** In a gallery with pages, loads the page in the address, then the pages before and after it. */
export async function loadCurrentPage(): Promise<void> {
  const now = list.value
  if (!paged.value || now === null || !isCurrent.value) return
  const size = pageSize.value
  const first = (page.value - 1) * size
  visibleRange = { first, last: first + size - 1 }
  await load(missingPages(now.items, first, visibleRange.last, size, now.total), size)
  if (visibleRange.first === first)
    await load(missingPages(now.items, first - size, visibleRange.last + size, size, now.total), size)
}

/** An item of the shown list; undefined until it is loaded. */
export function itemAt(index: number): Item | undefined {
  return list.value?.items.get(index)
}

/** Loads the items around an index for the viewer and the editor, which may show an item that the gallery does not. */
export async function loadAround(index: number, margin = 2): Promise<void> {
  const now = list.value
  if (now === null || !isCurrent.value) return
  const size = requestSize.value
  const first = Math.max(0, index - margin)
  const last = Math.min(now.total - 1, index + margin)
  visibleRange = { first: Math.min(first, visibleRange.last), last: Math.max(last, visibleRange.first) }
  // Far from the visible range, the items around this one are kept instead of the visible ones.
  if (visibleRange.last - visibleRange.first > size * 3) visibleRange = { first, last }
  await load(missingPages(now.items, first, last, size, now.total), size)
}

onRecovery(() => {
  if (!pageFailed) return
  pageFailed = false
  void refreshList()
})
