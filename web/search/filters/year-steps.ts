/** The year picker: from a year to the next one that has items, and the years that it offers. Pure. */

/**
 * The year beside the one that is chosen (null: all years), among those with items, newest first. Older than 'all years'
 * is the newest year; newer than the newest is 'all years' again. Undefined where there is nothing on that side.
 */
export function yearBeside(
  years: readonly number[],
  year: number | null,
  side: 'older' | 'newer',
): number | null | undefined {
  if (side === 'older') return year === null ? years[0] : years.find(one => one < year)
  if (year === null) return undefined
  return years.findLast(one => one > year) ?? null
}

/** Every year of the range, newest first; an address may have chosen one outside. */
export function yearsToChoose(year: number | null, { least, most }: { least: number; most: number }): number[] {
  const offered = Array.from({ length: most - least + 1 }, (_, at) => most - at)
  if (year === null || offered.includes(year)) return offered
  return [...offered, year].sort((a, b) => b - a)
}
