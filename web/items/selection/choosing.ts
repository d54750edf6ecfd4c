/** How clicks, ranges and filters change the selection. Pure. */
import type { Item } from '../../../schema/api/items.ts'

/** Selected items by id, in the order of selection. */
export type Selected = ReadonlyMap<number, Item>

export function withItemToggled(selected: Selected, item: Item): Selected {
  const next = new Map(selected)
  if (!next.delete(item.id)) next.set(item.id, item)
  return next
}

/** A selection after a range of items was added to it, or removed from it. */
export function withRange(before: Selected, range: readonly Item[], adds: boolean): Selected {
  const next = new Map(before)
  for (const item of range) {
    if (!adds) next.delete(item.id)
    else if (!next.has(item.id)) next.set(item.id, item)
  }
  return next
}

/** Returns the same map if none of the items is selected. */
export function withoutItems(selected: Selected, ids: readonly number[]): Selected {
  if (!ids.some(id => selected.has(id))) return selected
  const next = new Map(selected)
  for (const id of ids) next.delete(id)
  return next
}

/** Replaces selected items by their versions in `items`; returns the same map if nothing changes. */
export function withNewVersions(selected: Selected, items: Iterable<Item>): Selected {
  let next: Map<number, Item> | null = null
  for (const item of items) {
    const known = selected.get(item.id)
    if (known === undefined || known === item) continue
    next ??= new Map(selected)
    next.set(item.id, item)
  }
  return next ?? selected
}

/** Indices of a range, inclusive, in the direction in which it was selected. */
export function indicesBetween(from: number, to: number): number[] {
  const step = to < from ? -1 : 1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + at * step)
}

/** The cursor in the link to the next page; null if there is no next page. */
export function cursorOf(link: string | null): string | null {
  return link === null ? null : new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('cursor')
}

/** How many selected items are not among the visible ones. */
export function countElsewhere(selected: Selected, visibleItems: Iterable<Item>): number {
  let visibleCount = 0
  for (const { id } of visibleItems) if (selected.has(id)) visibleCount++
  return selected.size - visibleCount
}
