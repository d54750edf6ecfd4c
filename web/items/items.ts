/** The gallery's list: pages are loaded when visible, and dropped when far from view. */
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
import { canBeSeen, heldAtMost, keptOf, pagesLacking } from './item-window.ts'

export interface ItemList {
  key: string
  total: number
  /** Items by index; missing ones are loaded when visible. */
  items: ReadonlyMap<number, Item>
}

/** The shown list; while another filter loads, still the previous list, so that nothing flashes. */
export const list = signal<ItemList | null>(null)
/** Whether the requested list takes so long that a skeleton is shown. */
export const slow = signal(false)
/** Whether pages are being loaded; stays true for half a second after the last one. */
export const loading = signal(false)
export const failed = signal(false)

/** Whether the gallery shows pages instead of one endless grid; a small screen has no pages. */
export const paged = computed(() => view.value === 'Paging' && !phone.value)

/** Whether the gallery shows rows of uncropped pictures; so does a phone on its side, where no card is seen whole. */
export const inRows = computed(() => view.value === 'Timeline' || (phone.value && windowHeight.value < 500))

/** Items per request of the timeline: some screens of large pictures, or one of small ones. */
const rowsPageSize = 200

/** Items per request: a page, or in endless galleries more. Four times as many are kept, in the timeline twenty times. */
const askSize = computed(() => {
  if (inRows.value) return rowsPageSize
  return paged.value ? pageSize.value : pageSize.value * columns.value
})
const mostHeld = computed(() =>
  inRows.value ? 20 * rowsPageSize : heldAtMost(pageSize.value, paged.value ? 1 : columns.value),
)

const listRequest = computed(() => {
  const query = { ...filterQuery.value, ...sortQuery.value }
  const collectionId = filter.value.collection
  return { key: JSON.stringify([user.value?.id ?? 0, collectionId, query]), collectionId, query }
})

/** Identifies the list for the screen: when this changes, the list must be opened. */
export const listKey = computed(() => listRequest.value.key)
export const isCurrent = computed(() => list.value?.key === listKey.value)

/** Whether the user has neither scrolled nor opened a picture, which would move when others are inserted before it. */
export function atBeginning(): boolean {
  return range.first === 0 && address.peek().entry.overGallery === undefined
}

/** Milliseconds after which a skeleton is shown. */
const slowAfter = 300
/** Milliseconds after the last move, until missing items are loaded. */
const restFor = 60
/** Least number of milliseconds between two loads of missing items while the gallery scrolls. */
const glideEvery = 100

let range = { first: 0, last: 0 }
const underway = new Set<string>()
/** Whether a page of the shown list could not be loaded, or reloaded. */
let lacksPages = false
let loadingTimer: ReturnType<typeof setTimeout> | undefined
let slowTimer: ReturnType<typeof setTimeout> | undefined
let restTimer: ReturnType<typeof setTimeout> | undefined

async function fetchPage(number: number, size: number, quiet = false): Promise<ItemPage | null> {
  const { key, collectionId, query } = listRequest.value
  const name = `${key} ${size} ${number}`
  if (underway.has(name)) return null
  underway.add(name)
  clearTimeout(loadingTimer)
  loading.value = true
  try {
    const response = await api.items.list({ params: { collectionId }, query: { ...query, limit: size, page: number } })
    return listRequest.value.key === key ? response : null
  } catch (error) {
    if (listRequest.value.key === key) {
      failed.value = list.value?.key !== key
      lacksPages = !failed.value
      if (!keepQueryFault(error, query.q ?? '') && !quiet) report(error, baseTexts.failedToLoadItems)
    }
    return null
  } finally {
    underway.delete(name)
    if (underway.size === 0) {
      loadingTimer = setTimeout(() => {
        loading.value = false
      }, limits.loadingFlagMs)
    }
  }
}

/** Keeps the object of an unchanged item, so that its card is not rendered again. */
function keepUnchanged(known: Item | undefined, item: Item): Item {
  return known !== undefined && known.id === item.id && JSON.stringify(known) === JSON.stringify(item) ? known : item
}

function put(items: Map<number, Item>, response: ItemPage, number: number, size: number): void {
  const before = list.value?.items
  response.items.forEach((item, at) => {
    const index = (number - 1) * size + at
    items.set(index, keepUnchanged(before?.get(index), item))
  })
}

function arrived(answers: readonly { response: ItemPage; number: number; size: number }[], fresh: boolean): void {
  const [first] = answers
  if (first === undefined) return
  const { key } = listRequest.value
  const same = list.value?.key === key
  const items = new Map(same && !fresh ? list.value?.items : [])
  for (const { response, number, size } of answers) put(items, response, number, size)
  const total = first.response._meta.total_records
  const hasOtherTotal = same && !fresh && list.value?.total !== total
  list.value = {
    key,
    total,
    items: keptOf(items, range.first, range.last, mostHeld.value),
  }
  failed.value = false
  slow.value = false
  clearTimeout(slowTimer)
  // Items were added or removed, so the indices of loaded items may have changed.
  if (hasOtherTotal) void refreshList()
}

async function load(numbers: readonly number[], size: number, quiet = false): Promise<void> {
  await Promise.all(
    numbers.map(async number => {
      const response = await fetchPage(number, size, quiet)
      if (response !== null) arrived([{ response, number, size }], false)
    }),
  )
}

/** The index that the address leads to: of the open picture, the page, or the endless gallery's position. */
function startIndex(): number {
  const { entry } = address.value
  if (entry.overGallery !== undefined) return entry.overGallery.index
  if (paged.value) return (page.value - 1) * pageSize.value
  return entry.scroll?.index ?? 0
}

/** Opens the list of the present filter. With `quiet`, an old failure stays visible, and a new one is not reported. */
export async function openList({ quiet = false } = {}): Promise<void> {
  clearTimeout(slowTimer)
  clearTimeout(restTimer)
  if (!quiet) failed.value = false
  slow.value = false
  const first = startIndex()
  range = { first, last: first }
  slowTimer = setTimeout(() => {
    slow.value = !isCurrent.value && !failed.value
  }, slowAfter)
  const size = askSize.value
  await load([Math.floor(first / size) + 1], size, quiet)
  void turnPage()
}

let lookedAt = 0
let glimpse = { at: 0, first: 0 }

/** Sets the visible range (inclusive indices): loads missing items, unless they only fly past. */
export function setVisibleRange(first: number, last: number): void {
  range = { first, last }
  clearTimeout(restTimer)
  restTimer = setTimeout(() => void fill(0), restFor)
  const at = performance.now()
  // A single jump stays at its target; several in a row fly past.
  const rested = at - lookedAt > 2 * glideEvery
  lookedAt = at
  const passed = at - glimpse.at
  if (passed < glideEvery) return
  const moved = first - glimpse.first
  glimpse = { at, first }
  if (rested || canBeSeen(moved, passed, last - first + 1)) void fill(rested ? 0 : Math.sign(moved))
}

/** Loads missing visible items, then their neighbours or those ahead of the movement (1 is down, -1 up). */
async function fill(direction: number): Promise<void> {
  const { first, last } = range
  const size = askSize.value
  const lacking = (from: number, to: number) => {
    const now = list.value
    return now === null || !isCurrent.value ? [] : pagesLacking(now.items, from, to, size, now.total)
  }
  await load(lacking(first, last), size)
  if (range.first !== first && direction === 0) return
  await load(lacking(direction > 0 ? first : first - size, direction < 0 ? last : last + size), size)
}

/** Reloads the visible items; old ones stay until then, and only changed ones are rendered again. */
export async function refreshList(): Promise<void> {
  if (!isCurrent.value) return openList()
  const size = askSize.value
  const first = Math.floor(range.first / size) + 1
  const last = Math.floor(range.last / size) + 1
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const answers = await Promise.all(
    numbers.map(async number => ({ response: await fetchPage(number, size), number, size })),
  )
  const whole = answers.flatMap(({ response, number }) => (response === null ? [] : [{ response, number, size }]))
  if (whole.length === numbers.length) arrived(whole, true)
}

/** Loads the page in the address at once, then its neighbours, so that the next page is ready. */
export async function turnPage(): Promise<void> {
  const now = list.value
  if (!paged.value || now === null || !isCurrent.value) return
  const size = pageSize.value
  const first = (page.value - 1) * size
  range = { first, last: first + size - 1 }
  await load(pagesLacking(now.items, first, range.last, size, now.total), size)
  if (range.first === first) await load(pagesLacking(now.items, first - size, range.last + size, size, now.total), size)
}

/** An item of the shown list; undefined until it is loaded. */
export function itemAt(index: number): Item | undefined {
  return list.value?.items.get(index)
}

/** Loads the items around an index, for the viewer and the editor, which may be ahead of the gallery. */
export async function bring(index: number, reach = 2): Promise<void> {
  const now = list.value
  if (now === null || !isCurrent.value) return
  const size = askSize.value
  const first = Math.max(0, index - reach)
  const last = Math.min(now.total - 1, index + reach)
  range = { first: Math.min(first, range.last), last: Math.max(last, range.first) }
  if (range.last - range.first > size * 3) range = { first, last }
  await load(pagesLacking(now.items, first, last, size, now.total), size)
}

onRecovery(() => {
  if (!lacksPages) return
  lacksPages = false
  void refreshList()
})
