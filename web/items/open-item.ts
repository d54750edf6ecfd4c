/** The item that is open in the viewer: its id, its details and its neighbours; opens, changes and closes it. */
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
import { isCurrent, itemAt, list, loadAround, paged } from './items.ts'
import { loadShared, sharedId, sharedItem, shareName } from './shared-item.ts'

/** The id in the address, or `sharedId` at the address of a share; null while no item is open. */
export const openId = computed(() => {
  if (shareName.value !== null) return sharedId
  const [, id] = /^\/item\/([1-9]\d{0,14})\/?$/.exec(address.value.path) ?? []
  return id === undefined ? null : Number(id)
})

/** The items that the viewer steps through if it was not opened from the gallery, such as those of a day. */
const sequence = computed(() => (openId.value === null ? undefined : address.value.entry.itemSequence))

/** The open item's index in the gallery's list; null if it was opened from elsewhere. */
const galleryIndex = computed(() => (openId.value === null ? null : (address.value.entry.overGallery?.index ?? null)))

/** The open item's index among the items that the viewer steps through; null if it was opened by its address alone. */
export const openIndex = computed(() => galleryIndex.value ?? sequence.value?.index ?? null)

/** Path of the screen from which the viewer was opened; null if it was opened by its address alone. */
export const screenBelow = computed(() => sequence.value?.screen ?? (galleryIndex.value === null ? null : '/'))

/** Number of items that the viewer steps through; null if unknown. */
export const openTotal = computed(() => {
  if (sequence.value !== undefined) return sequence.value.ids.length
  return galleryIndex.value !== null && isCurrent.value ? (list.value?.total ?? null) : null
})

const detailsById = userSignal<ReadonlyMap<number, ItemDetails>>(new Map())
/** The open item, if it could not be loaded. `gone`: it does not exist, or this user may not see it. */
export const failedItem = signal<{ id: number; gone: boolean } | null>(null)

export const openDetails = computed(() =>
  openId.value === null ? null : (detailsById.value.get(openId.value) ?? null),
)

export const openItem = computed<Item | null>(() => {
  const [id, index] = [openId.value, galleryIndex.value]
  if (id === null) return null
  if (id === sharedId) return sharedItem.value
  const listed = index === null ? undefined : list.value?.items.get(index)
  return listed?.id === id ? listed : openDetails.value
})

/** The item `step` places after the open one (before it, if negative); undefined if it is not loaded. */
export function neighbour(step: number): Item | undefined {
  if (sequence.value !== undefined) return detailsById.value.get(sequence.value.ids[sequence.value.index + step] ?? 0)
  const index = galleryIndex.value
  return index === null ? undefined : list.value?.items.get(index + step)
}

/** Index in the gallery's list of the item that the viewer showed last. */
export const lastOpenedIndex = signal<number | null>(null)
/** After the viewer was closed: index of the card that gets the focus once it is rendered. */
export const cardToFocus = signal<number | null>(null)

/** Address of an item's page, with the current filter. */
export function addressOfItem(id: number): string {
  return `/item/${id}${writeFilter(filter.value, page.value)}`
}

/** Opens an item of the gallery's list; `scroll` is the endless gallery's position, for the way back. */
export function openItemAt(index: number, scroll?: HistoryState['scroll']): void {
  const item = itemAt(index)
  if (item === undefined) return
  lastOpenedIndex.value = index
  go(addressOfItem(item.id), { entry: { overGallery: { index }, scroll } })
}

/** Opens one of several items that are not the gallery's list. Closing the viewer returns to the present screen. */
export function openOneOf(ids: readonly number[], index: number): void {
  const id = ids[index]
  if (id === undefined) return
  go(addressOfItem(id), { entry: { itemSequence: { ids: ids.slice(0, 5000), index, screen: address.value.path } } })
}

/** Goes to the item `by` places after the open one (before it, if negative); returns false if it is not loaded. */
export function stepViewer(by: number): boolean {
  if (by === 0) return false
  if (sequence.value !== undefined) {
    const { ids, index, screen } = sequence.value
    const id = ids[index + by]
    if (id === undefined) return false
    go(addressOfItem(id), { replace: true, entry: { itemSequence: { ids, index: index + by, screen } } })
    return true
  }
  const index = galleryIndex.value
  const item = index === null ? undefined : itemAt(index + by)
  if (index === null || item === undefined) return false
  lastOpenedIndex.value = index + by
  go(addressOfItem(item.id), { replace: true, entry: { ...address.value.entry, overGallery: { index: index + by } } })
  return true
}

/**
 * Called when the open item was removed from the gallery's list: shows the item that is now at its index, else the last
 * one, else the gallery. `total`: the length of the list now.
 */
export function showNextInList(index: number, total: number): void {
  if (galleryIndex.value === null) return
  const at = Math.min(index, total - 1)
  const item = at < 0 ? undefined : itemAt(at)
  if (item === undefined) {
    closeViewer()
    return
  }
  lastOpenedIndex.value = at
  go(addressOfItem(item.id), { replace: true, entry: { ...address.value.entry, overGallery: { index: at } } })
}

/** Called when an item was removed: a viewer that was not opened from the gallery shows another item, closes or reloads. */
export function leaveRemoved(id: number): void {
  if (sequence.value !== undefined) {
    const { ids, index, screen } = sequence.value
    const remaining = ids.filter(one => one !== id)
    if (remaining.length === ids.length) return
    const shownIndex =
      openId.value === id ? Math.min(index, remaining.length - 1) : remaining.indexOf(openId.value ?? 0)
    const shownId = remaining[shownIndex]
    if (shownId === undefined) closeViewer()
    else
      go(addressOfItem(shownId), {
        replace: true,
        entry: { itemSequence: { ids: remaining, index: shownIndex, screen } },
      })
  } else if (openId.value === id && galleryIndex.value === null) void loadOpen()
}

/** Closes the viewer: returns to the screen from which it was opened; in a gallery with pages, to the open item's page. */
export function closeViewer(): void {
  if (sequence.value !== undefined) {
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

/** If the open item is gone for this user and no longer at its index of the list, shows another one. */
function leaveIfRemoved(): void {
  const [id, index] = [openId.value, galleryIndex.value]
  if (index === null || !isCurrent.value || failedItem.value?.id !== id || failedItem.value?.gone !== true) return
  if (itemAt(index)?.id !== id) showNextInList(index, list.value?.total ?? 0)
}

/** Called when the list has changed: finds the open item's new index, for example after a scan found newer items. */
export function updateOpenIndex(): void {
  leaveIfRemoved()
  const [id, index] = [openId.value, galleryIndex.value]
  if (id === null || index === null || !isCurrent.value || itemAt(index)?.id === id) return
  for (const [at, item] of list.value?.items ?? []) {
    if (item.id !== id) continue
    lastOpenedIndex.value = at
    updateEntry({ overGallery: { index: at } })
    return
  }
}

const maxDetails = 50

function storeDetails(item: ItemDetails): void {
  detailsById.value = new Map([...[...detailsById.value].slice(-maxDetails), [item.id, item]])
}

/** Replaces the stored details of an item; does nothing for an item that is neither open nor stored. */
export function updateDetails(item: ItemDetails): void {
  if (openId.value === item.id || detailsById.value.has(item.id)) storeDetails(item)
}

/** Changes the stored details of an item, if any. */
export function patchDetails(id: number, change: (item: ItemDetails) => ItemDetails): void {
  const known = detailsById.peek().get(id)
  if (known !== undefined) detailsById.value = new Map(detailsById.peek()).set(id, change(known))
}

const neighbourRuns = createRuns()
onUserLeft(neighbourRuns.cancel)

/** Loads the neighbours of the open item, if it was not opened from the gallery. */
async function loadNeighbours(): Promise<void> {
  const run = neighbourRuns.start()
  const { ids = [], index = 0 } = sequence.value ?? {}
  for (const id of [ids[index + 1], ids[index - 1]]) {
    if (id === undefined || detailsById.peek().has(id)) continue
    try {
      const details = await api.items.get({ params: { id }, query: hiddenQuery() })
      if (run.aborted) return
      storeDetails(details)
    } catch {
      // Not reported: when the user opens this neighbour, it is loaded again.
    }
  }
}

const { load } = createLoading(
  () => baseTexts.failedToLoadItem({ id: String(openId.peek()) }),
  error => {
    const id = openId.peek()
    if (id === null) return true
    const gone = error instanceof Refused && error.status === 404
    if (gone) detailsById.value = new Map([...detailsById.peek()].filter(([one]) => one !== id))
    failedItem.value = { id, gone }
    leaveIfRemoved()
    return gone
  },
)

/** Loads the open item's details and its neighbours. */
export async function loadOpen(how: LoadOptions = {}): Promise<void> {
  const [id, index] = [openId.value, galleryIndex.value]
  if (id === null) return
  if (id === sharedId) {
    const isLoaded = await loadShared(how)
    if (openId.value === id) failedItem.value = isLoaded ? null : { id, gone: false }
    return
  }
  void loadNeighbours()
  if (index !== null) {
    lastOpenedIndex.value = index
    void loadAround(index, 3)
  }
  const take = (item: ItemDetails) => {
    storeDetails(item)
    if (failedItem.value?.id === id) failedItem.value = null
  }
  await load(() => api.items.get({ params: { id }, query: hiddenQuery() }), take, how)
}

/** Called when rights or the visibility of hidden items may have changed: drops all details, and reloads the open item. */
export function reloadOpen(): void {
  const id = openId.peek()
  const known = id === null ? undefined : detailsById.peek().get(id)
  detailsById.value = known === undefined ? new Map() : new Map([[known.id, known]])
  if (known !== undefined || (id !== null && failedItem.peek()?.id === id)) void loadOpen()
}

/**
 * Stores the endless gallery's position in the history entry, for a reload and for the way back. `rest`: how many pixels
 * of the row of the item at `index` are scrolled out of view.
 */
export function savePosition(index: number, rest: number): void {
  const { scroll } = address.value.entry
  if (scroll?.index === index && scroll.rest === rest) return
  updateEntry({ scroll: { index, rest } })
}
