/** Which pages of a list to load for a range, and which items to drop. Pure. */

/** Numbers (from 1) of the pages of `size` items that lack an item between `first` and `last` (indices from 0). */
export function pagesLacking(
  held: { has(index: number): boolean },
  first: number,
  last: number,
  size: number,
  total: number,
): number[] {
  const lacking: number[] = []
  const end = Math.min(last, total - 1)
  for (let page = Math.floor(Math.max(0, first) / size); page * size <= end; page++) {
    const from = Math.max(first, page * size, 0)
    const to = Math.min(end, page * size + size - 1)
    for (let index = from; index <= to; index++) {
      if (held.has(index)) continue
      lacking.push(page + 1)
      break
    }
  }
  return lacking
}

/** How many items the gallery keeps: four pages per column; with `cardsARow` 1, as for single pages, four pages. */
export function heldAtMost(pageSize: number, cardsARow: number): number {
  return pageSize * cardsARow * 4
}

/** The items to keep: all if at most `most`, else those up to `most` / 2 before or after the visible range. */
export function keptOf<T>(
  held: ReadonlyMap<number, T>,
  first: number,
  last: number,
  most: number,
): ReadonlyMap<number, T> {
  if (held.size <= Math.max(most, last - first + 1)) return held
  const reach = Math.ceil(most / 2)
  return new Map([...held].filter(([index]) => index >= first - reach && index <= last + reach))
}

/**
 * Whether it is worth loading items while scrolling: `moved` items passed in `passed` milliseconds, and `seen` are
 * visible at once. Items visible for less than a tenth of a second are not worth loading.
 */
export function canBeSeen(moved: number, passed: number, seen: number): boolean {
  return Math.abs(moved) * 100 <= seen * passed
}
