/** What the scrubber shows: labels of years and ticks of months, and which month is where. Pure. */

export interface Month {
  year: number
  month: number
  count: number
}

/** Months in the order of the list, newest first. */
export interface Marks {
  /** `before`: the number of items before the month, which is the index of its first item. */
  months: readonly (Month & { before: number })[]
  total: number
}

/** `months`: newest first. */
export function marksOf(months: readonly Month[]): Marks {
  let before = 0
  const placed = months.map(month => {
    const mark = { ...month, before }
    before += month.count
    return mark
  })
  return { months: placed, total: before }
}

/** The month of the item at `index`; null in an empty list. */
export function monthOfIndex({ months }: Marks, index: number): Month | null {
  let low = 0
  let high = months.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const mark = months[middle]
    if (mark !== undefined && mark.before <= index) low = middle
    else high = middle - 1
  }
  return months[low] ?? null
}

/** Index of the item at a share (0–1) of the scrubber's lane. */
export function indexAt({ total }: Marks, share: number): number {
  return Math.max(0, Math.min(total - 1, Math.floor(share * total)))
}

export interface YearLabel {
  year: number
  /** Pixels from the top of the lane to the label's centre. */
  y: number
}

/**
 * Labels of years, newest first, each at its year's first item. A year less than `room` pixels below the last label gets
 * none. `height`: pixels of the lane.
 */
export function yearLabels({ months, total }: Marks, height: number, room = 20): YearLabel[] {
  const labels: YearLabel[] = []
  if (total === 0) return labels
  let year: number | null = null
  for (const mark of months) {
    if (mark.year === year) continue
    year = mark.year
    const y = (mark.before / total) * height
    const last = labels.at(-1)
    if (last === undefined || y - last.y >= room) labels.push({ year, y })
  }
  return labels
}

export interface Tick {
  /** Pixels from the top of the lane. */
  y: number
  /** 0–1: the square root of the month's count relative to the fullest month's. */
  length: number
}

/** One tick per month; of months less than `room` pixels apart, one tick, as long as the longest. */
export function monthTicks({ months, total }: Marks, height: number, room = 5): Tick[] {
  if (total === 0) return []
  const fullest = Math.max(...months.map(({ count }) => count))
  const ticks: Tick[] = []
  for (const { before, count } of months) {
    const y = (before / total) * height
    // The square root keeps a month with few pictures visible.
    const length = Math.sqrt(count / fullest)
    const last = ticks.at(-1)
    if (last === undefined || y - last.y >= room) ticks.push({ y, length })
    else last.length = Math.max(last.length, length)
  }
  return ticks
}
