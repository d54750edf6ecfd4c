/** Arranges groups of pictures (such as those of a day) in rows of equal width, without cropping them. Pure. */

/** Pixels. */
export interface RowMeasures {
  width: number
  /** Wanted height of a row. */
  height: number
  gap: number
  /** Distance between groups that share a row. */
  groupGap: number
  /** Height of a heading. */
  heading: number
  /** Minimum width of a group, so that its heading has room for the date. */
  minGroupWidth: number
  /** Whether all pictures are shown rotated by a quarter turn. */
  turned: boolean
}

/**
 * Pictures of one group side by side: `count` from `first` (an index among all laid out pictures). Pixels from the top left
 * corner of the layout. Groups that share a row have one `Row` each.
 */
export interface Row {
  first: number
  count: number
  top: number
  left: number
  height: number
}

/** The heading of a group of `count` pictures from `first`. `group`: the index of the group. `width`: room for the heading. */
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

/** A row's height may be the wanted one times a factor within these bounds. */
const minScale = 0.7
const maxScale = 1.3

/** A group that is wider than this share of a row does not share one. */
const maxSharedWidth = 0.86
/** A row is not shared with another group if that makes it lower than this share of the wanted height. */
const minSharedHeight = 0.86

/** Very narrow pictures, such as upright scrolls, are shown with this width in pixels or, in low rows, this aspect ratio. */
const minPictureWidth = 48
const minRatio = 0.4

const unknownRatio = 1.5

/** Aspect ratio (width / height) for a byte of `item/layout`, which is the width's share of width + height; 0: unknown. */
export function ratioOf(shape: number): number {
  if (shape === 0) return unknownRatio
  const share = (shape - 1) / 254
  return share / (1 - share)
}

/** Aspect ratio of a picture's box: a very wide picture is as wide as a row, a very narrow one wide enough to be clicked. */
function layoutRatio(shape: number, { width, height, turned }: RowMeasures): number {
  const ratio = turned ? 1 / ratioOf(shape) : ratioOf(shape)
  return Math.min(Math.max(ratio, Math.min(minRatio, minPictureWidth / height)), width / (height * minScale))
}

/** The height at which `count` pictures fill a row. `sum`: the sum of their ratios. */
function fullRowHeight(sum: number, count: number, measures: RowMeasures): number {
  return (measures.width - (count - 1) * measures.gap) / sum
}

/**
 * Divides the pictures from `first` to `end` (exclusive) into rows; returns where each row ends (exclusive). Minimises the
 * sum of the squared differences between the rows' heights and the wanted one. A row higher than allowed is a last
 * resort. The last row need not be full.
 */
function breakRows(ratios: ArrayLike<number>, first: number, end: number, measures: RowMeasures): number[] {
  const count = end - first
  const costs = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const starts = new Int32Array(count + 1)
  costs[0] = 0
  for (let start = 0; start < count; start++) {
    let sum = 0
    for (let stop = start + 1; stop <= count; stop++) {
      sum += ratios[first + stop - 1] ?? unknownRatio
      const scale = fullRowHeight(sum, stop - start, measures) / measures.height
      if (scale < minScale && stop > start + 1) break
      const tooHighCost = stop === count ? 0 : scale
      const cost = (costs[start] ?? 0) + (scale > maxScale ? tooHighCost : (scale - 1) ** 2)
      if (cost >= (costs[stop] ?? 0)) continue
      costs[stop] = cost
      starts[stop] = start
    }
  }
  const ends: number[] = []
  for (let at = count; at > 0; at = starts[at] ?? 0) ends.push(first + at)
  return ends.reverse()
}

/** A group that shares a row. `sum`: the sum of its pictures' ratios. */
interface SharedGroup {
  group: number
  first: number
  count: number
  sum: number
}

/**
 * The height at which groups fill a row together; 0 if they do not fit into a row at any height. A group that would be
 * narrower than its heading has the width of the heading.
 */
function fullSharedRowHeight(parts: readonly SharedGroup[], measures: RowMeasures): number {
  let height = measures.height
  // At the height of one round, more groups may be narrower than their headings, which changes the height of the next.
  for (let round = 0; round < 4; round++) {
    let fixed = (parts.length - 1) * measures.groupGap
    let sum = 0
    for (const part of parts) {
      const gaps = (part.count - 1) * measures.gap
      const isNarrow = part.sum * height + gaps < measures.minGroupWidth
      fixed += isNarrow ? measures.minGroupWidth : gaps
      if (!isNarrow) sum += part.sum
    }
    if (fixed > measures.width) return 0
    if (sum === 0) return measures.height
    height = (measures.width - fixed) / sum
  }
  return height
}

/** `counts`: the number of pictures of each group. `shapes`: a byte for each picture, see `ratioOf`. */
export function layoutGroups(shapes: ArrayLike<number>, counts: readonly number[], measures: RowMeasures): RowLayout {
  const ratios = Float32Array.from(shapes, shape => layoutRatio(shape, measures))
  const rows: Row[] = []
  const headings: Heading[] = []
  let top = 0
  let shared: SharedGroup[] = []

  /** Adds the groups in `shared` to the layout, as one row. */
  function endSharedRow(): void {
    if (shared.length === 0) return
    const full = fullSharedRowHeight(shared, measures)
    const height = full > measures.height * maxScale ? measures.height : full
    let left = 0
    for (const { group, first, count, sum } of shared) {
      const width = Math.max(measures.minGroupWidth, sum * height + (count - 1) * measures.gap)
      headings.push({ group, first, count, top, left, width })
      rows.push({ first, count, top: top + measures.heading, left, height })
      left += width + measures.groupGap
    }
    top += measures.heading + height + measures.gap
    shared = []
  }

  let first = 0
  for (const [group, count] of counts.entries()) {
    const end = first + count
    let sum = 0
    for (let at = first; at < end; at++) sum += ratios[at] ?? unknownRatio
    const width = Math.max(measures.minGroupWidth, sum * measures.height + (count - 1) * measures.gap)
    if (width > measures.width * maxSharedWidth) {
      endSharedRow()
      headings.push({ group, first, count, top, left: 0, width: measures.width })
      top += measures.heading
      let start = first
      for (const stop of breakRows(ratios, first, end, measures)) {
        let rowSum = 0
        for (let at = start; at < stop; at++) rowSum += ratios[at] ?? unknownRatio
        const full = fullRowHeight(rowSum, stop - start, measures)
        const height = stop === end && full > measures.height * maxScale ? measures.height : full
        rows.push({ first: start, count: stop - start, top, left: 0, height })
        top += height + measures.gap
        start = stop
      }
    } else {
      const part = { group, first, count, sum }
      if (shared.length > 0 && fullSharedRowHeight([...shared, part], measures) < measures.height * minSharedHeight)
        endSharedRow()
      shared.push(part)
    }
    first = end
  }
  endSharedRow()
  return { rows, headings, height: top }
}

/** Widths of a row's pictures, in order. */
export function widthsOf(row: Row, shapes: ArrayLike<number>, measures: RowMeasures): number[] {
  return Array.from({ length: row.count }, (_, at) => layoutRatio(shapes[row.first + at] ?? 0, measures) * row.height)
}
