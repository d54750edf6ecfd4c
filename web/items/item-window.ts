/** Which pages of a list must be requested so that a stretch of it is there, and which items may be let go. Pure. */

/** Numbers, from 1, of the pages of `size` in which an item between `first` and `last` (indices from 0) is lacking. */
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

/** How many items the endless gallery holds: four times a page for every card of a row. */
export function heldAtMost(pageSize: number, cardsARow: number): number {
  return pageSize * cardsARow * 4
}

/** What is kept when more is held than `most`: whatever lies within half of that on both sides of the stretch looked at. */
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
 * Is it worth loading what moves past? `moved` items in `passed` milliseconds, of which `seen` are drawn at once. What is
 * gone within a tenth of a second would be gone again when it comes.
 */
export function canBeSeen(moved: number, passed: number, seen: number): boolean {
  return Math.abs(moved) * 100 <= seen * passed
}
