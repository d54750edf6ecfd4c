/** Arranges groups of pictures, such as days, in rows of equal width without cropping any. Pure. */

/** Pixels. */
export interface RowMeasures {
  width: number
  /** Wanted height of a row. */
  height: number
  gap: number
  /** Distance between two groups that share a row. */
  groupGap: number
  heading: number
  /** No group is narrower, so that its heading has room for the date. */
  minGroupWidth: number
  /** Whether all pictures are shown rotated by a quarter turn. */
  turned: boolean
}

/** Pictures beside each other: `count` from `first` (an index among those laid out). Pixels from the corner. */
export interface Row {
  first: number
  count: number
  top: number
  left: number
  height: number
}

/** The heading over a group of pictures: `count` from `first`; `width` is its room. */
export interface Heading {
  group: number
  first: number
  count: number
  top: number
  left: number
  width: number
}

export interface RowLayout {
  rows: readonly Row[]
  headings: readonly Heading[]
  height: number
}

/** A row may be this much lower or higher than wanted. */
const minScale = 0.7
const maxScale = 1.3

/** A group that needs more than this share of a row does not share one. */
const maxSharedWidth = 0.86

/** Only upright scrolls are widened: to this many pixels, or to this ratio in low rows. */
const minPictureWidth = 48
const minRatio = 0.4

const unknownRatio = 1.5

/** Aspect ratio (width / height) of a byte from `item/layout`: the width's share of width + height; 0 is unknown. */
export function ratioOf(shape: number): number {
  if (shape === 0) return unknownRatio
  const share = (shape - 1) / 254
  return share / (1 - share)
}

/** Ratios for the layout: an extreme panorama is one row wide, an upright scroll wide enough to be pressed. */
function layoutRatio(shape: number, { width, height, turned }: RowMeasures): number {
  const ratio = turned ? 1 / ratioOf(shape) : ratioOf(shape)
  return Math.min(Math.max(ratio, Math.min(minRatio, minPictureWidth / height)), width / (height * minScale))
}

/** The height at which pictures fill a row. */
function fillHeight(sum: number, count: number, of: RowMeasures): number {
  return (of.width - (count - 1) * of.gap) / sum
}

/**
 * Ends (exclusive) of rows for the pictures from `first` to `end`, so that the squares of the differences between the
 * rows' heights and the wanted one are least. A higher row than allowed is a last resort; the last row may stay short.
 */
function breakRows(ratios: ArrayLike<number>, first: number, end: number, of: RowMeasures): number[] {
  const count = end - first
  const costs = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const starts = new Int32Array(count + 1)
  costs[0] = 0
  for (let start = 0; start < count; start++) {
    let sum = 0
    for (let stop = start + 1; stop <= count; stop++) {
      sum += ratios[first + stop - 1] ?? unknownRatio
      const scale = fillHeight(sum, stop - start, of) / of.height
      if (scale < minScale && stop > start + 1) break
      const high = stop === count ? 0 : scale
      const cost = (costs[start] ?? 0) + (scale > maxScale ? high : (scale - 1) ** 2)
      if (cost >= (costs[stop] ?? 0)) continue
      costs[stop] = cost
      starts[stop] = start
    }
  }
  const ends: number[] = []
  for (let at = count; at > 0; at = starts[at] ?? 0) ends.push(first + at)
  return ends.reverse()
}

/** A group that shares a row: its pictures, and the sum of their ratios. */
interface SharedGroup {
  group: number
  first: number
  count: number
  sum: number
}

/**
 * The height at which groups fill a row together; 0 if they are too wide at any height. A group that is as narrow as its
 * heading does not become narrower with its pictures.
 */
function fillingHeight(parts: readonly SharedGroup[], of: RowMeasures): number {
  let height = of.height
  // Each round may find more groups as narrow as their headings.
  for (let round = 0; round < 4; round++) {
    let fixed = (parts.length - 1) * of.groupGap
    let sum = 0
    for (const part of parts) {
      const gaps = (part.count - 1) * of.gap
      const isNarrow = part.sum * height + gaps < of.minGroupWidth
      fixed += isNarrow ? of.minGroupWidth : gaps
      if (!isNarrow) sum += part.sum
    }
    if (fixed > of.width) return 0
    if (sum === 0) return of.height
    height = (of.width - fixed) / sum
  }
  return height
}

/** `counts`: pictures of each group, in order. `shapes`: a byte for each picture, as in `ratioOf`. */
export function layoutGroups(shapes: ArrayLike<number>, counts: readonly number[], of: RowMeasures): RowLayout {
  const ratios = Float32Array.from(shapes, shape => layoutRatio(shape, of))
  const rows: Row[] = []
  const headings: Heading[] = []
  let top = 0
  let shared: SharedGroup[] = []

  function endSharedRow(): void {
    if (shared.length === 0) return
    const full = fillingHeight(shared, of)
    const height = full > of.height * maxScale ? of.height : full
    let left = 0
    for (const { group, first, count, sum } of shared) {
      const width = Math.max(of.minGroupWidth, sum * height + (count - 1) * of.gap)
      headings.push({ group, first, count, top, left, width })
      rows.push({ first, count, top: top + of.heading, left, height })
      left += width + of.groupGap
    }
    top += of.heading + height + of.gap
    shared = []
  }

  let first = 0
  for (const [group, count] of counts.entries()) {
    const end = first + count
    let sum = 0
    for (let at = first; at < end; at++) sum += ratios[at] ?? unknownRatio
    const width = Math.max(of.minGroupWidth, sum * of.height + (count - 1) * of.gap)
    if (width > of.width * maxSharedWidth) {
      endSharedRow()
      headings.push({ group, first, count, top, left: 0, width: of.width })
      top += of.heading
      let start = first
      for (const stop of breakRows(ratios, first, end, of)) {
        let rowSum = 0
        for (let at = start; at < stop; at++) rowSum += ratios[at] ?? unknownRatio
        const full = fillHeight(rowSum, stop - start, of)
        const height = stop === end && full > of.height * maxScale ? of.height : full
        rows.push({ first: start, count: stop - start, top, left: 0, height })
        top += height + of.gap
        start = stop
      }
    } else {
      const part = { group, first, count, sum }
      // Another group must not make the row too low.
      if (shared.length > 0 && fillingHeight([...shared, part], of) < of.height * maxSharedWidth) endSharedRow()
      shared.push(part)
    }
    first = end
  }
  endSharedRow()
  return { rows, headings, height: top }
}

/** Widths of a row's pictures, in order. */
export function widthsOf(row: Row, shapes: ArrayLike<number>, of: RowMeasures): number[] {
  return Array.from({ length: row.count }, (_, at) => layoutRatio(shapes[row.first + at] ?? 0, of) * row.height)
}
