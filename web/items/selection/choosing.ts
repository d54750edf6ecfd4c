/** How clicks, ranges and filters change the selection. Pure. */
import type { Item } from '../../../schema/api/items.ts'

/** Selected items by id, in the order of selection. */
export type Selected = ReadonlyMap<number, Item>

export function withItemToggled(selected: Selected, item: Item): Selected {
  const next = new Map(selected)
  if (!next.delete(item.id)) next.set(item.id, item)
  return next
}

/** The selection `before`, with a range added (`on`) or removed. */
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

/** The same selection, with newer data from `items`. */
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

/** Indices of a range, inclusive, in the direction in which it was selected. */
export function indicesBetween(from: number, to: number): number[] {
  const step = to < from ? -1 : 1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + at * step)
}

/** The cursor of a link to the next page; null if there is none. */
export function cursorOf(link: string | null): string | null {
  return link === null ? null : new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('cursor')
}

/** How many selected items are not among the shown ones. */
export function countElsewhere(selected: Selected, shown: Iterable<Item>): number {
  let here = 0
  for (const { id } of shown) if (selected.has(id)) here++
  return selected.size - here
}
