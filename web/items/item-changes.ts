/** Shows changes of items: reloads changed items in the list and the viewer, and removes removed ones. */
import type { ItemDetails } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { userVersion } from '../app/user-data.ts'
import { list, refreshList } from './items.ts'
import { leaveRemoved, loadOpen, openId, showNextInList, updateDetails } from './open-item.ts'

/** If more listed items than this change at once, the list is reloaded instead of each of them. */
const maxSingleReloads = 12
/** Milliseconds during which changes are collected before they are loaded. */
const collectMs = 150

const changedIds = new Set<number>()
let isScheduled = false

/** A listener of views other than the list and the viewer. `ids` is null if any item may have changed. */
type ItemListener = (ids: readonly number[] | null, what: 'changed' | 'gone') => void
const listeners = new Set<ItemListener>()

/** Adds a listener; returns the function that removes it. */
export function onItemsChanged(listener: ItemListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Notifies the listeners that items were added or changed; `ids` is null if any item may have changed. */
export function notifyItemsChanged(ids: readonly number[] | null = null): void {
  for (const notify of listeners) notify(ids, 'changed')
}

function isListed(id: number): boolean {
  for (const item of list.peek()?.items.values() ?? []) if (item.id === id) return true
  return false
}

/** Replaces an item by its new version in the list and the viewer. */
export function replaceItem(item: ItemDetails): void {
  updateDetails(item)
  const now = list.peek()
  if (now === null || !isListed(item.id)) return
  list.value = { ...now, items: new Map([...now.items].map(([at, old]) => [at, old.id === item.id ? item : old])) }
}

async function reloadListed(id: number): Promise<void> {
  const [query, requestedBy] = [hiddenQuery(), userVersion()]
  try {
    const item = await api.items.get({ params: { id }, query })
    if (requestedBy === userVersion() && query.includeHidden === hiddenQuery().includeHidden) replaceItem(item)
  } catch {
    // The item does not exist any more, or the server does not respond: the list and the viewer report both.
  }
}

async function reloadChanged(): Promise<void> {
  isScheduled = false
  const ids = [...changedIds]
  changedIds.clear()
  const open = openId.peek()
  if (open !== null && ids.includes(open)) void loadOpen()
  const listed = ids.filter(isListed)
  if (listed.length > maxSingleReloads) await refreshList()
  else await Promise.all(listed.map(reloadListed))
}

/** Reloads those of the changed items that are in the list or the viewer, and notifies the listeners. */
export function reloadChangedItems(ids: readonly number[]): void {
  notifyItemsChanged(ids)
  for (const id of ids) changedIds.add(id)
  if (isScheduled) return
  isScheduled = true
  setTimeout(() => void reloadChanged(), collectMs)
}

/** Removes an item from all views: later items of the list move up, and the viewer shows the next one. */
export function removeFromViews(id: number): void {
  for (const notify of listeners) notify([id], 'gone')
  leaveRemoved(id)
  const now = list.peek()
  if (now === null) return
  const [index] = [...now.items].find(([, item]) => item.id === id) ?? []
  if (index === undefined) return
  const items = new Map(
    [...now.items].flatMap(([at, item]) => (at === index ? [] : [[at > index ? at - 1 : at, item] as const])),
  )
  const total = Math.max(0, now.total - 1)
  list.value = { ...now, total, items }
  if (openId.peek() === id) showNextInList(index, total)
}
