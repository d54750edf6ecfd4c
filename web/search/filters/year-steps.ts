/** The year picker: steps between years with items, and its choices. Pure. */

/**
 * The next older or newer year with items; undefined if there is none. Null means all years, which is one step newer
 * than the newest year. `years` has the newest first.
 */
export function adjacentYear(
  years: readonly number[],
  year: number | null,
  side: 'older' | 'newer',
): number | null | undefined {
  if (side === 'older') return year === null ? years[0] : years.find(one => one < year)
  if (year === null) return undefined
  return years.findLast(one => one > year) ?? null
}

/** All years of the range, newest first. If `year`, which may come from an address, is outside, it is one of them, too. */
export function yearChoices(year: number | null, { least, most }: { least: number; most: number }): number[] {
  const offered = Array.from({ length: most - least + 1 }, (_, at) => most - at)
  if (year === null || offered.includes(year)) return offered
  return [...offered, year].sort((a, b) => b - a)
}
