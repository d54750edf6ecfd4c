/** The selected items, which stay selected on other pages and under other filters until they are cleared. */
import { computed, effect, signal } from '@preact/signals-react'
import type { Item } from '../../../schema/api/items.ts'
import { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { filter, filterQuery, page, sortQuery } from '../../app/current-filter.ts'
import { report, say } from '../../app/messages.ts'
import { pageSize } from '../../app/options.ts'
import { onUserLeft } from '../../app/user-data.ts'
import { createRuns } from '../../kit/time/runs.ts'
import { baseTexts } from '../../texts/base.ts'
import { missingPages } from '../item-window.ts'
import { isCurrent, itemAt, list, listKey, paged } from '../items.ts'
import { choosePageSize } from '../page-size.ts'
import {
  countElsewhere,
  cursorOf,
  indicesBetween,
  type Selected,
  withItemToggled,
  withNewVersions,
  withoutItems,
  withRange,
} from './choosing.ts'

/** The selected items by id, in the order of selection. */
export const selected = signal<Selected>(new Map())

/** Whether anything is selected: then all cards show their circles. */
export const selecting = computed(() => selected.value.size > 0)

/** Progress of loading items in order to select them; null if none are being loaded. */
export const selectProgress = signal<{ done: number; total: number } | null>(null)

/** Key of the list in which each selected item was selected, by the item's id. */
const listKeyById = new Map<number, string>()
/** How many of the selected items were selected in each list, by the list's key. */
const countByList = new Map<string, number>()

function addToCount(key: string, by: number): void {
  countByList.set(key, (countByList.get(key) ?? 0) + by)
}

function setSelected(next: Selected): void {
  const key = listKey.peek()
  const before = selected.peek()
  for (const id of before.keys()) {
    if (next.has(id)) continue
    addToCount(listKeyById.get(id) ?? '', -1)
    listKeyById.delete(id)
  }
  for (const id of next.keys()) {
    if (before.has(id)) continue
    listKeyById.set(id, key)
    addToCount(key, 1)
  }
  selected.value = next
}

/** How many selected items are not on the shown page or, in an endless gallery, not in the shown list. */
export const elsewhereCount = computed(() => {
  const [now, selectedItems] = [list.value, selected.value]
  if (selectedItems.size === 0 || now === null) return 0
  if (paged.value) {
    const first = (page.value - 1) * pageSize.value
    const onPage = indicesBetween(first, first + pageSize.value - 1).flatMap(index => now.items.get(index) ?? [])
    return countElsewhere(selectedItems, onPage)
  }
  // Only a part of a long list is loaded, so items that were selected in this list count as being in it.
  const fromOtherLists = selectedItems.size - (countByList.get(now.key) ?? 0)
  if (fromOtherLists === 0) return 0
  let alsoHere = 0
  for (const { id } of now.items.values()) if (selectedItems.has(id) && listKeyById.get(id) !== now.key) alsoHere++
  return fromOtherLists - alsoHere
})

/** The item from which a range is selected, and the last range. */
interface Anchor {
  /** Key of the list. */
  key: string
  index: number
  /** Id of the item at `index`, to find its index again after other items were added. */
  id: number
  /** The selection without the range: another range from the same item replaces this one. */
  before: Selected
  /** Whether the range is selected (true) or deselected. */
  selects: boolean
  /** Index of the other end of the range. */
  end: number
}

let anchor: Anchor | null = null
const runs = createRuns()

/** Stops loading items to select them. */
export function stopSelecting(): void {
  runs.cancel()
  selectProgress.value = null
}

export function isSelected(id: number): boolean {
  return selected.value.has(id)
}

/** Selects or deselects an item. `index`: its index in the list, from which a range can be selected next. */
export function toggle(item: Item, index: number | null = null): void {
  stopSelecting()
  setSelected(withItemToggled(selected.peek(), item))
  anchor =
    index === null
      ? null
      : {
          key: listKey.peek(),
          index,
          id: item.id,
          before: selected.peek(),
          selects: selected.peek().has(item.id),
          end: index,
        }
}

/** An anchor for a new range; null if the item is not loaded. */
function anchorAt(index: number): Anchor | null {
  const item = itemAt(index)
  if (item === undefined) return null
  return { key: listKey.peek(), index, id: item.id, before: selected.peek(), selects: true, end: index }
}

/** The anchor with the present index of its item; null if it belongs to another list. */
function currentAnchor(): Anchor | null {
  if (anchor === null || anchor.key !== listKey.peek()) return null
  const { index, id } = anchor
  if (itemAt(index)?.id === id) return anchor
  for (const [at, item] of list.peek()?.items ?? []) if (item.id === id) return { ...anchor, index: at }
  return anchor
}

/** The items at these indices; null if one of them is not loaded. */
function loadedItems(indices: readonly number[]): Item[] | null {
  const items = indices.flatMap(index => itemAt(index) ?? [])
  return items.length === indices.length ? items : null
}

const pagesAtOnce = 4

/** Returns the items at these indices; loads missing ones, several pages at a time. Null if `run` was aborted. */
async function fetchRange(indices: readonly number[], run: AbortSignal): Promise<Item[] | null> {
  const [start, end] = [indices[0] ?? 0, indices.at(-1) ?? 0]
  const [first, last] = [Math.min(start, end), Math.max(start, end)]
  const found = new Map(list.peek()?.items)
  const numbers = missingPages(found, first, last, limits.selectPageSize, list.peek()?.total ?? 0)
  const query = { ...filterQuery.peek(), ...sortQuery.peek() }
  const params = { collectionId: filter.peek().collection }
  selectProgress.value = { done: 0, total: indices.length }
  for (let at = 0; at < numbers.length; at += pagesAtOnce) {
    const responses = await Promise.all(
      numbers.slice(at, at + pagesAtOnce).map(async number => ({
        number,
        response: await api.items.list({ params, query: { ...query, limit: limits.selectPageSize, page: number } }),
      })),
    )
    if (run.aborted) return null
    for (const { number, response } of responses) {
      response.items.forEach((item, position) => {
        found.set((number - 1) * limits.selectPageSize + position, item)
      })
    }
    const done = Math.round((Math.min(numbers.length, at + pagesAtOnce) / numbers.length) * indices.length)
    selectProgress.value = { done, total: indices.length }
  }
  return indices.flatMap(index => found.get(index) ?? [])
}

/** Selects all items from the last toggled one to this index; deselects them if that one was deselected. */
export async function selectRange(toIndex: number): Promise<void> {
  stopSelecting()
  const run = runs.start()
  const from = currentAnchor() ?? anchorAt(toIndex)
  if (from === null) return
  anchor = { ...from, end: toIndex }
  const indices = indicesBetween(from.index, toIndex).slice(0, limits.maxBulkItems)
  await selectIndices(indices, from, run)
}

/** Adds the items at these indices to the selection `before`, or removes them from it; loads missing items. */
async function selectIndices(
  indices: readonly number[],
  { before, selects }: Pick<Anchor, 'before' | 'selects'>,
  run: AbortSignal,
): Promise<void> {
  const loaded = loadedItems(indices)
  if (loaded !== null) return setSelected(withRange(before, loaded, selects))
  try {
    const items = await fetchRange(indices, run)
    if (items !== null) setSelected(withRange(before, items, selects))
  } catch (error) {
    if (!run.aborted) report(error, baseTexts.failedToLoadItems)
  } finally {
    if (!run.aborted) selectProgress.value = null
  }
}

/** Selects or deselects `count` items of the list from `first`, such as those of a day. */
export async function selectMany(first: number, count: number, selects: boolean): Promise<void> {
  stopSelecting()
  anchor = null
  const indices = indicesBetween(first, first + Math.min(count, limits.maxBulkItems) - 1)
  await selectIndices(indices, { before: selected.peek(), selects }, runs.start())
}

/** Extends the selection by keyboard: continues the last range if it ends at `fromIndex`, else starts a new one. */
export function extendSelection(fromIndex: number, toIndex: number): void {
  if (currentAnchor()?.end !== fromIndex || anchor?.selects !== true) anchor = anchorAt(fromIndex)
  if (anchor !== null) void selectRange(toIndex)
}

/** Deselects everything, and stops loading items to select them. */
export function clearSelection(): void {
  stopSelecting()
  anchor = null
  setSelected(new Map())
}

export function deselect(ids: readonly number[]): void {
  const next = withoutItems(selected.peek(), ids)
  if (next !== selected.peek()) setSelected(next)
}

/**
 * Selects everything that the present filter matches, up to `limits.maxBulkItems`, and then sets the gallery's page size
 * to ten, as specified. Returns how many items it found; 0 if it was stopped or failed.
 */
export async function selectCurrent(): Promise<number> {
  stopSelecting()
  const run = runs.start()
  const query = { ...filterQuery.peek(), ...sortQuery.peek() }
  const params = { collectionId: filter.peek().collection }
  const found: Item[] = []
  let total = isCurrent.peek() ? (list.peek()?.total ?? 0) : 0
  selectProgress.value = { done: 0, total: Math.min(total, limits.maxBulkItems) }
  try {
    for (let cursor: string | null = ''; cursor !== null && found.length < limits.maxBulkItems; ) {
      const response = await api.items.list({
        params,
        query: { ...query, limit: limits.selectPageSize, ...(cursor === '' ? {} : { cursor }) },
      })
      if (run.aborted) return 0
      for (const item of response.items) found.push(item)
      total = response._meta.total_records
      selectProgress.value = { done: found.length, total: Math.min(total, limits.maxBulkItems) }
      cursor = cursorOf(response._links.next)
    }
    if (total === 0) {
      say(baseTexts.noItemsAvailable)
      return 0
    }
    anchor = null
    setSelected(withRange(selected.peek(), found.slice(0, limits.maxBulkItems), true))
    choosePageSize(limits.pageSize)
    if (total > limits.maxBulkItems) say(baseTexts.onlyFirstSelected({ most: limits.maxBulkItems }))
    return found.length
  } catch (error) {
    if (!run.aborted) report(error, baseTexts.failedToLoadItems)
    return 0
  } finally {
    if (!run.aborted) selectProgress.value = null
  }
}

/** Keeps selected items up to date with the list, and clears the selection when the user leaves. */
export function startSelection(): void {
  onUserLeft(clearSelection)
  effect(() => {
    const items = list.value?.items
    if (items === undefined || selected.peek().size === 0) return
    const next = withNewVersions(selected.peek(), items.values())
    if (next !== selected.peek()) selected.value = next
  })
}
