/** Items of the map's popup: one at a time is loaded, and its neighbours ahead. */
import { computed, signal } from '@preact/signals-react'
import type { ItemDetails } from '../../schema/api/items.ts'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import { report, say } from '../app/messages.ts'
import { imageNotFound } from '../items/item-text.ts'
import { baseTexts } from '../texts/base.ts'

export interface Opened {
  key: string
  latitude: number
  longitude: number
  ids: readonly number[]
  at: number
  /** Zoom at which the cluster splits; null where it does not. */
  opensAt: number | null
}

export const opened = signal<Opened | null>(null)
const loaded = signal<ReadonlyMap<number, ItemDetails | 'gone'>>(new Map())
const underway = new Set<number>()
const most = 200

/** The shown item; null while loading, 'gone' where it no longer exists. */
export const shownItem = computed(() => {
  const now = opened.value
  return now === null ? null : (loaded.value.get(now.ids[now.at] ?? 0) ?? null)
})

/** Loads an item; null where it does not exist for this user. */
export async function loadMapItem(id: number): Promise<ItemDetails | null> {
  const known = loaded.peek().get(id)
  if (known !== undefined) return known === 'gone' ? null : known
  if (underway.has(id)) return null
  underway.add(id)
  try {
    const item = await api.items.get({ params: { id }, query: hiddenQuery() })
    loaded.value = new Map([...[...loaded.value].slice(-most), [id, item]])
    return item
  } catch (error) {
    const isGone = error instanceof Refused && error.status === 404
    if (isGone) loaded.value = new Map([...loaded.value, [id, 'gone']])
    if (!isGone) report(error, baseTexts.failedToLoadItem({ id: String(id) }))
    else if (opened.peek() === null) say(imageNotFound)
    return null
  } finally {
    underway.delete(id)
  }
}

export function openItems(next: Opened): void {
  opened.value = next
  loadAround()
}

export function closeItems(): void {
  opened.value = null
}

/** Goes to the next item, cyclically. */
export function stepItems(by: number): void {
  const now = opened.value
  if (now === null || now.ids.length === 0) return
  opened.value = { ...now, at: (now.at + by + now.ids.length) % now.ids.length }
  loadAround()
}

function loadAround(): void {
  const now = opened.value
  if (now === null) return
  for (const by of [0, 1, -1]) {
    const id = now.ids[(now.at + by + now.ids.length) % now.ids.length]
    if (id !== undefined) void loadMapItem(id)
  }
}

onRecovery(loadAround)
