/** What the scrubber's lane shows: years, ticks for months, and which month lies at a height. Pure. */

export interface Month {
  year: number
  month: number
  count: number
}

/** Months newest first, each with the number of items before it. */
export interface Marks {
  months: readonly (Month & { before: number })[]
  total: number
}

export function marksOf(months: readonly Month[]): Marks {
  let before = 0
  const placed = months.map(month => {
    const mark = { ...month, before }
    before += month.count
    return mark
  })
  return { months: placed, total: before }
}

/** The month that item number `index` (from 0) belongs to; null in an empty list. */
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

/** The item that lies at a share (0–1) of the lane. */
export function indexAt({ total }: Marks, share: number): number {
  return Math.max(0, Math.min(total - 1, Math.floor(share * total)))
}

export interface YearLabel {
  year: number
  /** Pixels from the lane's top, of the label's middle. */
  y: number
}

/** Years newest first, each where its first item lies, as far as `room` pixels are free between two labels. */
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
  y: number
  /** 0–1: how full the month is. */
  length: number
}

/** Ticks of months; where they would touch, the fullest of them stands. */
export function monthTicks({ months, total }: Marks, height: number, room = 5): Tick[] {
  if (total === 0) return []
  const fullest = Math.max(...months.map(({ count }) => count))
  const ticks: Tick[] = []
  for (const { before, count } of months) {
    const y = (before / total) * height
    // Square root: a month of a tenth of the pictures is still seen beside the fullest one.
    const length = Math.sqrt(count / fullest)
    const last = ticks.at(-1)
    if (last === undefined || y - last.y >= room) ticks.push({ y, length })
    else last.length = Math.max(last.length, length)
  }
  return ticks
}
