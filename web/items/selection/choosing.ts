/** What a click, a range and a filter do to the items that are selected. Pure. */
import type { Item } from '../../../schema/api/items.ts'

/** By id, in the order in which they were selected. */
export type Selected = ReadonlyMap<number, Item>

export function toggled(selected: Selected, item: Item): Selected {
  const next = new Map(selected)
  if (!next.delete(item.id)) next.set(item.id, item)
  return next
}

/** What was selected `before` a range, and the range: added (`on`), or taken away. */
export function withRange(before: Selected, range: readonly Item[], on: boolean): Selected {
  const next = new Map(before)
  for (const item of range) {
    if (!on) next.delete(item.id)
    else if (!next.has(item.id)) next.set(item.id, item)
  }
  return next
}

export function without(selected: Selected, ids: readonly number[]): Selected {
  if (!ids.some(id => selected.has(id))) return selected
  const next = new Map(selected)
  for (const id of ids) next.delete(id)
  return next
}

/** The same items as they are now, where these tell something newer. */
export function renewed(selected: Selected, items: Iterable<Item>): Selected {
  let next: Map<number, Item> | null = null
  for (const item of items) {
    const known = selected.get(item.id)
    if (known === undefined || known === item) continue
    next ??= new Map(selected)
    next.set(item.id, item)
  }
  return next ?? selected
}

/** Indices from one end of a range to the other, both included, in the direction in which it was drawn. */
export function indicesBetween(from: number, to: number): number[] {
  const step = to < from ? -1 : 1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + at * step)
}

/** The cursor of a link to the next page; null when there is none. */
export function cursorOf(link: string | null): string | null {
  return link === null ? null : new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('cursor')
}

/** How many of the selected items are not among those that are shown. */
export function countElsewhere(selected: Selected, shown: Iterable<Item>): number {
  let here = 0
  for (const { id } of shown) if (selected.has(id)) here++
  return selected.size - here
}
