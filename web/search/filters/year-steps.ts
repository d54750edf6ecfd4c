/** The year picker: steps between years with items, and its choices. Pure. */

/** The next year with items. Null stands for all years, one step newer than the newest. Undefined if there is none. */
export function yearBeside(
  years: readonly number[],
  year: number | null,
  side: 'older' | 'newer',
): number | null | undefined {
  if (side === 'older') return year === null ? years[0] : years.find(one => one < year)
  if (year === null) return undefined
  return years.findLast(one => one > year) ?? null
}

/** Every year of the range, newest first, and also `year` (from the address) if it is outside. */
export function yearsToChoose(year: number | null, { least, most }: { least: number; most: number }): number[] {
  const offered = Array.from({ length: most - least + 1 }, (_, at) => most - at)
  if (year === null || offered.includes(year)) return offered
  return [...offered, year].sort((a, b) => b - a)
}
