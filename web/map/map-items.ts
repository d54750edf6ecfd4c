/** Items of the map's popup: loads the shown one and, in advance, its neighbours. */
import { computed, effect, signal, untracked } from '@preact/signals-react'
import type { ItemDetails } from '../../schema/api/items.ts'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { hiddenQuery, includeHidden } from '../app/hidden.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import { versionOf } from '../app/loading/stale.ts'
import { report, say } from '../app/messages.ts'
import { user } from '../app/session.ts'
import { imageNotFound } from '../items/item-text.ts'
import { baseTexts } from '../texts/base.ts'

export interface OpenedItems {
  key: string
  latitude: number
  longitude: number
  ids: readonly number[]
  at: number
}

export const openedItems = signal<OpenedItems | null>(null)
/** The items loaded last. When items have changed, only the shown one and its neighbours are kept. */
const loaded = signal<ReadonlyMap<number, ItemDetails | 'gone'>>(new Map())
/** The latest request of each item; responses to older requests are dropped. */
const requests = new Map<number, symbol>()
const maxKept = 200

/** The shown item; null while loading, 'gone' if it no longer exists. */
export const shownItem = computed(() => {
  const now = openedItems.value
  return now === null ? null : (loaded.value.get(now.ids[now.at] ?? 0) ?? null)
})

/** Returns an item, loading it if necessary; null if this user cannot see it, it is being loaded, or the call fails. */
export async function loadMapItem(id: number): Promise<ItemDetails | null> {
  const known = loaded.peek().get(id)
  if (known !== undefined) return known === 'gone' ? null : known
  return requests.has(id) ? null : request(id)
}

async function request(id: number): Promise<ItemDetails | null> {
  const thisRequest = Symbol(id)
  requests.set(id, thisRequest)
  const isLatest = () => requests.get(id) === thisRequest
  const store = (item: ItemDetails | 'gone') => {
    loaded.value = new Map([...[...loaded.peek()].slice(-maxKept), [id, item]])
  }
  try {
    const item = await api.items.get({ params: { id }, query: hiddenQuery() })
    if (!isLatest()) return null
    store(item)
    return item
  } catch (error) {
    if (!isLatest()) return null
    const isGone = error instanceof Refused && error.status === 404
    if (isGone) store('gone')
    if (!isGone) report(error, baseTexts.failedToLoadItem({ id: String(id) }))
    else if (openedItems.peek() === null) say(imageNotFound)
    return null
  } finally {
    if (isLatest()) requests.delete(id)
  }
}

export function openItems(next: OpenedItems): void {
  openedItems.value = next
  loadAround()
}

export function closeItems(): void {
  openedItems.value = null
}

/** Goes `by` items forward, cyclically. */
export function stepItems(by: number): void {
  const now = openedItems.value
  if (now === null || now.ids.length === 0) return
  openedItems.value = { ...now, at: (now.at + by + now.ids.length) % now.ids.length }
  loadAround()
}

/** Ids of the shown item and its neighbours. */
function idsAround(): readonly number[] {
  const now = openedItems.peek()
  if (now === null) return []
  const ids = [0, 1, -1].map(by => now.ids[(now.at + by + now.ids.length) % now.ids.length])
  return [...new Set(ids)].filter(id => id !== undefined)
}

function loadAround(): void {
  for (const id of idsAround()) void loadMapItem(id)
}

onRecovery(loadAround)

const viewer = computed(() => `${user.value?.id ?? ''} ${includeHidden.value}`)
let viewerBefore = viewer.peek()
effect(() => {
  versionOf('items')
  const isOther = viewer.value !== viewerBefore
  viewerBefore = viewer.value
  untracked(() => {
    // At once, before any response, drop what the previous user could see.
    const kept = isOther ? [] : idsAround()
    loaded.value = new Map([...loaded.peek()].filter(([id]) => kept.includes(id)))
    requests.clear()
    for (const id of idsAround()) void request(id)
  })
})
