/** The open picture: its id, its neighbours and its details; opens and closes it over the gallery. */
import { computed, signal } from '@preact/signals-react'
import type { Item, ItemDetails } from '../../schema/api/items.ts'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { address, go, goBack, type HistoryState, updateEntry } from '../app/address.ts'
import { filter, page } from '../app/current-filter.ts'
import { writeFilter } from '../app/filter.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { createLoading, type LoadOptions } from '../app/loading/resource.ts'
import { pageSize } from '../app/options.ts'
import { onUserLeft, userSignal } from '../app/user-data.ts'
import { createRuns } from '../kit/time/runs.ts'
import { baseTexts } from '../texts/base.ts'
import { bring, isCurrent, itemAt, list, paged } from './items.ts'
import { loadShared, sharedId, sharedItem, shareName } from './shared-item.ts'

/** The id in the address, or `sharedId` for a shared link; null while no picture is open. */
export const openId = computed(() => {
  if (shareName.value !== null) return sharedId
  const [, id] = /^\/item\/([1-9]\d{0,14})\/?$/.exec(address.value.path) ?? []
  return id === undefined ? null : Number(id)
})

/** The viewer's items if it was not opened from the gallery, such as those of a day or place. */
const itemSequence = computed(() => (openId.value === null ? undefined : address.value.entry.itemSequence))

/** The item's index in the gallery's list; null if it was opened from elsewhere. */
const galleryIndex = computed(() => (openId.value === null ? null : (address.value.entry.overGallery?.index ?? null)))

/** The item's index among the viewer's items; null if it was opened by its address alone. */
export const openIndex = computed(() => galleryIndex.value ?? itemSequence.value?.index ?? null)

/** Path of the screen below the picture; null if there is none. */
export const screenUnder = computed(() => itemSequence.value?.screen ?? (galleryIndex.value === null ? null : '/'))

/** Number of the viewer's items. */
export const openTotal = computed(() => {
  if (itemSequence.value !== undefined) return itemSequence.value.ids.length
  return galleryIndex.value !== null && isCurrent.value ? (list.value?.total ?? null) : null
})

const detailsOf = userSignal<ReadonlyMap<number, ItemDetails>>(new Map())
/** The item that could not be loaded; `gone`: it does not exist, or not for this user. */
export const lost = signal<{ id: number; gone: boolean } | null>(null)

export const openDetails = computed(() => (openId.value === null ? null : (detailsOf.value.get(openId.value) ?? null)))

export const openItem = computed<Item | null>(() => {
  const [id, index] = [openId.value, galleryIndex.value]
  if (id === null) return null
  if (id === sharedId) return sharedItem.value
  const listed = index === null ? undefined : list.value?.items.get(index)
  return listed?.id === id ? listed : openDetails.value
})

/** The item `step` places after the open one (before it, if negative); undefined if it is not loaded. */
export function neighbour(step: number): Item | undefined {
  if (itemSequence.value !== undefined) {
    const { ids, index } = itemSequence.value
    return detailsOf.value.get(ids[index + step] ?? 0)
  }
  const index = galleryIndex.value
  return index === null ? undefined : list.value?.items.get(index + step)
}

/** Index in the gallery's list of the item that was opened or shown last. */
export const lastOpened = signal<number | null>(null)
/** After the viewer was closed: index of the card that gets the focus once it is rendered. */
export const focusWanted = signal<number | null>(null)

function viewerAddress(id: number): string {
  return `/item/${id}${writeFilter(filter.value, page.value)}`
}

/** Address of an item's page, with the current filter. */
export function addressOfItem(id: number): string {
  return viewerAddress(id)
}

/** Opens an item of the list; `scroll` is the endless gallery's position. */
export function openItemAt(index: number, scroll?: HistoryState['scroll']): void {
  const item = itemAt(index)
  if (item === undefined) return
  lastOpened.value = index
  go(viewerAddress(item.id), { entry: { overGallery: { index }, scroll } })
}

/** Opens one of several items outside the gallery's list; the present screen stays below it. */
export function openInSequence(ids: readonly number[], index: number): void {
  const id = ids[index]
  if (id === undefined) return
  go(viewerAddress(id), { entry: { itemSequence: { ids: ids.slice(0, 5000), index, screen: address.value.path } } })
}

/** Goes to the item `by` places after the open one (before it, if negative); returns false if it is not loaded. */
export function step(by: number): boolean {
  if (by === 0) return false
  if (itemSequence.value !== undefined) {
    const { ids, index, screen } = itemSequence.value
    const id = ids[index + by]
    if (id === undefined) return false
    go(viewerAddress(id), { replace: true, entry: { itemSequence: { ids, index: index + by, screen } } })
    return true
  }
  const index = galleryIndex.value
  const item = index === null ? undefined : itemAt(index + by)
  if (index === null || item === undefined) return false
  lastOpened.value = index + by
  go(viewerAddress(item.id), { replace: true, entry: { ...address.value.entry, overGallery: { index: index + by } } })
  return true
}

/** The open item, which was at `index`, has left the list: shows the next one, else the last one, else the gallery. */
export function showReplacement(index: number, total: number): void {
  if (galleryIndex.value === null) return
  const at = Math.min(index, total - 1)
  const item = at < 0 ? undefined : itemAt(at)
  if (item === undefined) {
    closeViewer()
    return
  }
  lastOpened.value = at
  go(viewerAddress(item.id), { replace: true, entry: { ...address.value.entry, overGallery: { index: at } } })
}

/** An item is gone: a viewer that was not opened from the gallery shows another item, closes, or reloads this one. */
export function leaveRemovedItem(id: number): void {
  if (itemSequence.value !== undefined) {
    const { ids, index, screen } = itemSequence.value
    const rest = ids.filter(one => one !== id)
    if (rest.length === ids.length) return
    const next = openId.value === id ? Math.min(index, rest.length - 1) : rest.indexOf(openId.value ?? 0)
    const nextId = rest[next]
    if (nextId === undefined) closeViewer()
    else go(viewerAddress(nextId), { replace: true, entry: { itemSequence: { ids: rest, index: next, screen } } })
  } else if (openId.value === id && galleryIndex.value === null) void loadOpen()
}

/** Returns to the screen below, or to the gallery: there to the page that has the open picture. */
export function closeViewer(): void {
  if (itemSequence.value !== undefined) {
    goBack()
    return
  }
  const index = galleryIndex.value
  if (index === null) {
    go(`/${writeFilter(filter.value)}`)
    return
  }
  const itsPage = Math.floor(index / pageSize.value) + 1
  if (paged.value && itsPage !== page.value) go(`/${writeFilter(filter.value, itsPage)}`, { replace: true })
  else goBack()
}

/** The open item may no longer be visible to the user; once the list has loaded without it, treats it as deleted. */
function leaveLost(): void {
  const [id, index] = [openId.value, galleryIndex.value]
  if (index === null || !isCurrent.value || lost.value?.id !== id || lost.value?.gone !== true) return
  if (itemAt(index)?.id !== id) showReplacement(index, list.value?.total ?? 0)
}

/** The list has changed under the open picture (a scan found newer items): finds its index again. */
export function realign(): void {
  leaveLost()
  const [id, index] = [openId.value, galleryIndex.value]
  if (id === null || index === null || !isCurrent.value || itemAt(index)?.id === id) return
  for (const [at, item] of list.value?.items ?? []) {
    if (item.id !== id) continue
    lastOpened.value = at
    updateEntry({ overGallery: { index: at } })
    return
  }
}

const maxDetails = 50

function keepDetails(item: ItemDetails): void {
  detailsOf.value = new Map([...[...detailsOf.value].slice(-maxDetails), [item.id, item]])
}

/** Stores the details of an item if it is open, or if its details are already stored. */
export function takeDetails(item: ItemDetails): void {
  if (openId.value === item.id || detailsOf.value.has(item.id)) keepDetails(item)
}

/** Changes the stored details of an item, if any. */
export function patchDetails(id: number, change: (item: ItemDetails) => ItemDetails): void {
  const known = detailsOf.peek().get(id)
  if (known !== undefined) detailsOf.value = new Map(detailsOf.peek()).set(id, change(known))
}

const neighbourRuns = createRuns()
onUserLeft(neighbourRuns.cancel)

/** Loads the neighbours of the open item, if it was not opened from the gallery. */
async function loadNeighbours(): Promise<void> {
  const run = neighbourRuns.start()
  const { ids = [], index = 0 } = itemSequence.value ?? {}
  for (const id of [ids[index + 1], ids[index - 1]]) {
    if (id === undefined || detailsOf.peek().has(id)) continue
    try {
      const details = await api.items.get({ params: { id }, query: hiddenQuery() })
      if (run.aborted) return
      keepDetails(details)
    } catch {
      // When the user opens this neighbour, it is loaded again with errors shown.
    }
  }
}

const { load } = createLoading(
  () => baseTexts.failedToLoadItem({ id: String(openId.peek()) }),
  error => {
    const id = openId.peek()
    if (id === null) return true
    const gone = error instanceof Refused && error.status === 404
    if (gone) detailsOf.value = new Map([...detailsOf.peek()].filter(([one]) => one !== id))
    lost.value = { id, gone }
    leaveLost()
    return gone
  },
)

/** Loads the open item's details and its neighbours. */
export async function loadOpen(how: LoadOptions = {}): Promise<void> {
  const [id, index] = [openId.value, galleryIndex.value]
  if (id === null) return
  if (id === sharedId) {
    const isLoaded = await loadShared(how)
    if (openId.value === id) lost.value = isLoaded ? null : { id, gone: false }
    return
  }
  void loadNeighbours()
  if (index !== null) {
    lastOpened.value = index
    void bring(index, 3)
  }
  const take = (item: ItemDetails) => {
    keepDetails(item)
    if (lost.value?.id === id) lost.value = null
  }
  await load(() => api.items.get({ params: { id }, query: hiddenQuery() }), take, how)
}

/** Reloads the open item for another user, or when hidden items were shown or hidden. */
export function loadOpenAgain(): void {
  const id = openId.peek()
  const known = id === null ? undefined : detailsOf.peek().get(id)
  detailsOf.value = known === undefined ? new Map() : new Map([[known.id, known]])
  if (known !== undefined || (id !== null && lost.peek()?.id === id)) void loadOpen()
}

/** Stores the endless gallery's position, for a reload and for the way back. */
export function saveScroll(index: number, rest: number): void {
  const { scroll } = address.value.entry
  if (scroll?.index === index && scroll.rest === rest) return
  updateEntry({ scroll: { index, rest } })
}
