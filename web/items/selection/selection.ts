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
import { pagesLacking } from '../item-window.ts'
import { isCurrent, itemAt, list, listKey, paged } from '../items.ts'
import { choosePageSize } from '../page-size.ts'
import {
  countElsewhere,
  cursorOf,
  indicesBetween,
  renewed,
  type Selected,
  withItemToggled,
  without,
  withRange,
} from './choosing.ts'

/** By id, in the order of selection. */
export const selected = signal<Selected>(new Map())

/** Whether anything is selected, so that cards show their circles. */
export const selecting = computed(() => selected.value.size > 0)

/** Progress of loading the items of a range or of a filter, to select them; null if nothing is being loaded. */
export const gathering = signal<{ done: number; total: number } | null>(null)

/** Key of the list in which each item was selected, by the item's id. */
const origin = new Map<number, string>()
/** How many items were selected in each list, by its key. */
const counts = new Map<string, number>()

function count(key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

function choose(next: Selected): void {
  const key = listKey.peek()
  const before = selected.peek()
  for (const id of before.keys()) {
    if (next.has(id)) continue
    count(origin.get(id) ?? '', -1)
    origin.delete(id)
  }
  for (const id of next.keys()) {
    if (before.has(id)) continue
    origin.set(id, key)
    count(key, 1)
  }
  selected.value = next
}

/** How many of the selected items are not on the shown page or in the shown list. */
export const elsewhereCount = computed(() => {
  const [now, chosen] = [list.value, selected.value]
  if (chosen.size === 0 || now === null) return 0
  if (paged.value) {
    const first = (page.value - 1) * pageSize.value
    const shown = indicesBetween(first, first + pageSize.value - 1).flatMap(index => now.items.get(index) ?? [])
    return countElsewhere(chosen, shown)
  }
  // Only a window of a long list is loaded: items that were selected in this list are somewhere in it.
  const foreign = chosen.size - (counts.get(now.key) ?? 0)
  if (foreign === 0) return 0
  let here = 0
  for (const { id } of now.items.values()) if (chosen.has(id) && origin.get(id) !== now.key) here++
  return foreign - here
})

/** Where a range starts. */
interface Anchor {
  /** Key of the list. */
  key: string
  index: number
  /** Id of the item at `index`, to find its index again after other items were added. */
  id: number
  /** The selection before the range was added or removed. */
  before: Selected
  /** Whether the range is selected; if not, it is deselected. */
  on: boolean
  /** Index of the other end of the range. */
  end: number
}

let anchor: Anchor | null = null
const gatherings = createRuns()

export function stopGathering(): void {
  gatherings.cancel()
  gathering.value = null
}

export function isSelected(id: number): boolean {
  return selected.value.has(id)
}

/** Toggles an item; `index` is its index in the list, where a range can start. */
export function toggle(item: Item, index: number | null = null): void {
  stopGathering()
  choose(withItemToggled(selected.peek(), item))
  anchor =
    index === null
      ? null
      : {
          key: listKey.peek(),
          index,
          id: item.id,
          before: selected.peek(),
          on: selected.peek().has(item.id),
          end: index,
        }
}

function beginAt(index: number): Anchor | null {
  const item = itemAt(index)
  if (item === undefined) return null
  return { key: listKey.peek(), index, id: item.id, before: selected.peek(), on: true, end: index }
}

/** The anchor with its present index; null if there is none in this list. */
function currentAnchor(): Anchor | null {
  if (anchor === null || anchor.key !== listKey.peek()) return null
  const { index, id } = anchor
  if (itemAt(index)?.id === id) return anchor
  for (const [at, item] of list.peek()?.items ?? []) if (item.id === id) return { ...anchor, index: at }
  return anchor
}

/** The items at these indices; null unless all of them are loaded. */
function heldItems(indices: readonly number[]): Item[] | null {
  const items = indices.flatMap(index => itemAt(index) ?? [])
  return items.length === indices.length ? items : null
}

const pagesAtOnce = 4

/** Loads missing items, several pages at a time. Returns null if it was stopped, or replaced by a newer request. */
async function fetchRange(indices: readonly number[], run: AbortSignal): Promise<Item[] | null> {
  const [first, last] = [Math.min(...ends(indices)), Math.max(...ends(indices))]
  const found = new Map(list.peek()?.items)
  const numbers = pagesLacking(found, first, last, limits.selectPageSize, list.peek()?.total ?? 0)
  const query = { ...filterQuery.peek(), ...sortQuery.peek() }
  const params = { collectionId: filter.peek().collection }
  gathering.value = { done: 0, total: indices.length }
  for (let at = 0; at < numbers.length; at += pagesAtOnce) {
    const answers = await Promise.all(
      numbers.slice(at, at + pagesAtOnce).map(async number => ({
        number,
        response: await api.items.list({ params, query: { ...query, limit: limits.selectPageSize, page: number } }),
      })),
    )
    if (run.aborted) return null
    for (const { number, response } of answers) {
      response.items.forEach((item, place) => {
        found.set((number - 1) * limits.selectPageSize + place, item)
      })
    }
    const done = Math.round((Math.min(numbers.length, at + pagesAtOnce) / numbers.length) * indices.length)
    gathering.value = { done, total: indices.length }
  }
  return indices.flatMap(index => found.get(index) ?? [])
}

const ends = (indices: readonly number[]) => [indices[0] ?? 0, indices.at(-1) ?? 0]

/** Selects everything from the last toggled item to this index, or deselects it if that item was deselected. */
export async function selectRange(toIndex: number): Promise<void> {
  stopGathering()
  const run = gatherings.start()
  const from = currentAnchor() ?? beginAt(toIndex)
  if (from === null) return
  anchor = { ...from, end: toIndex }
  const indices = indicesBetween(from.index, toIndex).slice(0, limits.maxBulkItems)
  await chooseIndices(indices, from, run)
}

/** Adds the items at these indices to a selection, or removes them from it; loads those that are missing. */
async function chooseIndices(
  indices: readonly number[],
  { before, on }: Pick<Anchor, 'before' | 'on'>,
  run: AbortSignal,
): Promise<void> {
  const held = heldItems(indices)
  if (held !== null) return choose(withRange(before, held, on))
  try {
    const items = await fetchRange(indices, run)
    if (items !== null) choose(withRange(before, items, on))
  } catch (error) {
    if (!run.aborted) report(error, baseTexts.failedToLoadItems)
  } finally {
    if (!run.aborted) gathering.value = null
  }
}

/** Selects or deselects `count` items of the list from `first`, such as those of a day. */
export async function selectMany(first: number, count: number, on: boolean): Promise<void> {
  stopGathering()
  anchor = null
  const indices = indicesBetween(first, first + Math.min(count, limits.maxBulkItems) - 1)
  await chooseIndices(indices, { before: selected.peek(), on }, gatherings.start())
}

/** Extends the selection by keyboard: continues the last range if it ends at `fromIndex`, else starts a new one. */
export function extendSelection(fromIndex: number, toIndex: number): void {
  if (currentAnchor()?.end !== fromIndex || anchor?.on !== true) anchor = beginAt(fromIndex)
  if (anchor !== null) void selectRange(toIndex)
}

export function clearSelection(): void {
  stopGathering()
  anchor = null
  choose(new Map())
}

export function deselect(ids: readonly number[]): void {
  const next = without(selected.peek(), ids)
  if (next !== selected.peek()) choose(next)
}

/**
 * Selects everything that the present filter matches, loading two hundred items at a time, and then sets the gallery's
 * page size to ten, as specified. Returns how many items it found; 0 if it was stopped or failed.
 */
export async function selectCurrent(): Promise<number> {
  stopGathering()
  const run = gatherings.start()
  const query = { ...filterQuery.peek(), ...sortQuery.peek() }
  const params = { collectionId: filter.peek().collection }
  const found: Item[] = []
  let total = isCurrent.peek() ? (list.peek()?.total ?? 0) : 0
  gathering.value = { done: 0, total: Math.min(total, limits.maxBulkItems) }
  try {
    for (let cursor: string | null = ''; cursor !== null && found.length < limits.maxBulkItems; ) {
      const response = await api.items.list({
        params,
        query: { ...query, limit: limits.selectPageSize, ...(cursor === '' ? {} : { cursor }) },
      })
      if (run.aborted) return 0
      for (const item of response.items) found.push(item)
      total = response._meta.total_records
      gathering.value = { done: found.length, total: Math.min(total, limits.maxBulkItems) }
      cursor = cursorOf(response._links.next)
    }
    if (total === 0) {
      say(baseTexts.noItemsAvailable)
      return 0
    }
    anchor = null
    choose(withRange(selected.peek(), found.slice(0, limits.maxBulkItems), true))
    choosePageSize(limits.pageSize)
    if (total > limits.maxBulkItems) say(baseTexts.onlyFirstSelected({ most: limits.maxBulkItems }))
    return found.length
  } catch (error) {
    if (!run.aborted) report(error, baseTexts.failedToLoadItems)
    return 0
  } finally {
    if (!run.aborted) gathering.value = null
  }
}

/** Starts following the list and the session, to keep selected items up to date and limited to one user. */
export function startSelection(): void {
  onUserLeft(clearSelection)
  effect(() => {
    const items = list.value?.items
    if (items === undefined || selected.peek().size === 0) return
    const next = renewed(selected.peek(), items.values())
    if (next !== selected.peek()) selected.value = next
  })
}
