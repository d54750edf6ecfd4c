/** Shows changes of items: cards are updated, and removed items leave the list at once. */
import type { ItemDetails } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { userVersion } from '../app/user-data.ts'
import { list, refreshList } from './items.ts'
import { leaveRemovedItem, loadOpen, openId, showReplacement, takeDetails } from './open-item.ts'

/** If more listed items than this change at once, the list is reloaded. */
const maxSinglePatches = 12
/** Milliseconds during which changes are collected. */
const gatherFor = 150

const waiting = new Set<number>()
let gathering = false

/** A listener for other views than the list and the viewer. `ids` is null if any item may have changed. */
type Watcher = (ids: readonly number[] | null, what: 'changed' | 'gone') => void
const watchers = new Set<Watcher>()

/** Returns the function that removes the listener. */
export function watchItems(watch: Watcher): () => void {
  watchers.add(watch)
  return () => watchers.delete(watch)
}

/** Tells the listeners that items were added or changed; `ids` is null if any item may have changed. */
export function notifyItemsChanged(ids: readonly number[] | null = null): void {
  for (const watch of watchers) watch(ids, 'changed')
}

function isListed(id: number): boolean {
  for (const item of list.peek()?.items.values() ?? []) if (item.id === id) return true
  return false
}

/** Replaces an item by its new version in the list and the viewer. */
export function replaceItem(item: ItemDetails): void {
  takeDetails(item)
  const now = list.peek()
  if (now === null || !isListed(item.id)) return
  list.value = { ...now, items: new Map([...now.items].map(([at, old]) => [at, old.id === item.id ? item : old])) }
}

async function patch(id: number): Promise<void> {
  const [query, requestedBy] = [hiddenQuery(), userVersion()]
  try {
    const item = await api.items.get({ params: { id }, query })
    if (requestedBy === userVersion() && query.includeHidden === hiddenQuery().includeHidden) replaceItem(item)
  } catch {
    // The item or the server is gone; both are reported elsewhere.
  }
}

async function patchWaiting(): Promise<void> {
  gathering = false
  const ids = [...waiting]
  waiting.clear()
  const open = openId.peek()
  if (open !== null && ids.includes(open)) void loadOpen()
  const listed = ids.filter(isListed)
  if (listed.length > maxSinglePatches) await refreshList()
  else await Promise.all(listed.map(patch))
}

/** Called when items have changed: reloads those that are in the list or the viewer. */
export function patchItems(ids: readonly number[]): void {
  for (const watch of watchers) watch(ids, 'changed')
  for (const id of ids) waiting.add(id)
  if (gathering) return
  gathering = true
  setTimeout(() => void patchWaiting(), gatherFor)
}

/** Removes an item from all views: later items move up, and the viewer shows the next one. */
export function dropItem(id: number): void {
  for (const watch of watchers) watch([id], 'gone')
  leaveRemovedItem(id)
  const now = list.peek()
  if (now === null) return
  const [place] = [...now.items].find(([, item]) => item.id === id) ?? []
  if (place === undefined) return
  const items = new Map(
    [...now.items].flatMap(([at, item]) => (at === place ? [] : [[at > place ? at - 1 : at, item] as const])),
  )
  const total = Math.max(0, now.total - 1)
  list.value = { ...now, total, items }
  if (openId.peek() === id) showReplacement(place, total)
}
