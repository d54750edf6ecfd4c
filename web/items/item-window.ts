/** Which pages of a list to load for a range, and which loaded items to drop. Pure. */

/** Numbers (from 1) of the pages of `size` items that lack an item between `first` and `last` (indices from 0). */
export function missingPages(
  loaded: { has(index: number): boolean },
  first: number,
  last: number,
  size: number,
  total: number,
): number[] {
  const missing: number[] = []
  const end = Math.min(last, total - 1)
  for (let page = Math.floor(Math.max(0, first) / size); page * size <= end; page++) {
    const from = Math.max(first, page * size, 0)
    const to = Math.min(end, page * size + size - 1)
    for (let index = from; index <= to; index++) {
      if (loaded.has(index)) continue
      missing.push(page + 1)
      break
    }
  }
  return missing
}

/** How many items the gallery keeps in memory: four pages for each card in a row. Single pages count as one card. */
export function maxHeldItems(pageSize: number, cardsPerRow: number): number {
  return pageSize * cardsPerRow * 4
}

/** The items to keep: all if at most `max`, else the visible ones and those up to `max` / 2 before and after them. */
export function itemsToKeep<T>(
  loaded: ReadonlyMap<number, T>,
  first: number,
  last: number,
  max: number,
): ReadonlyMap<number, T> {
  if (loaded.size <= Math.max(max, last - first + 1)) return loaded
  const margin = Math.ceil(max / 2)
  return new Map([...loaded].filter(([index]) => index >= first - margin && index <= last + margin))
}

/**
 * Whether items should be loaded while the list scrolls: not if it is so fast that each is visible for less than a tenth
 * of a second. `movedBy` items passed in `elapsed` milliseconds; `visibleCount` are visible at once.
 */
export function isWorthLoading(movedBy: number, elapsed: number, visibleCount: number): boolean {
  return Math.abs(movedBy) * 100 <= visibleCount * elapsed
}
