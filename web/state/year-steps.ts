/** The year picker: from a year to the next one that has items, and which years it offers. Pure. */

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

/** Years with items, and the chosen one also where it has none; outside 1700 to next year nothing is offered. */
export function yearsToChoose(
  years: readonly number[],
  year: number | null,
  range: { least: number; most: number },
): number[] {
  const offered = new Set(years.filter(one => one >= range.least && one <= range.most))
  if (year !== null) offered.add(year)
  return [...offered].sort((a, b) => b - a)
}
