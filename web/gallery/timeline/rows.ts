/** Where the cards and headings of the timeline are. Pure. */
import type { Marks, Month } from '../../items/scrubber-marks.ts'
import type { MonthShapes } from '../../items/shapes.ts'
import type { Arrangement, Box } from '../arrangement.ts'
import { blocksOf, type Group } from './blocks.ts'
import { type RowMeasures, widthsOf } from './justified.ts'
import { stepInRows } from './steps.ts'

/** The heading of a group. `first`: index of the group's first picture in the list. */
export interface TimelineHeading extends Group {
  first: number
  /** Pixels from the start of the timeline. */
  top: number
  left: number
  width: number
}

export interface TimelineRows extends Arrangement {
  headingsWithin: (top: number, bottom: number) => TimelineHeading[]
  /** The headings over the row of a card: several, if groups share the row. */
  headingsOver: (index: number) => TimelineHeading[]
  /** Whether the shape of a card's picture is known; if not, the card's box is a guess. */
  isLaidOut: (index: number) => boolean
}

/** Index of the last entry whose value is at most `max`; 0 if there is none. Values must ascend. */
function lastIndexUpTo<T>(entries: readonly T[], value: (entry: T) => number, max: number): number {
  let low = 0
  let high = entries.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const entry = entries[middle]
    if (entry !== undefined && value(entry) <= max) low = middle
    else high = middle - 1
  }
  return low
}

export interface TimelineMeasures extends RowMeasures {
  /** Pixels before the first picture of a row. */
  inset: number
  /** Whether pictures are grouped by month, not by day. */
  byMonth: boolean
}

export function timelineRows(
  marks: Marks,
  shapesOf: (month: Month) => MonthShapes | undefined,
  { inset, byMonth, ...measures }: TimelineMeasures,
): TimelineRows {
  const blocks = blocksOf(marks, shapesOf, measures, byMonth)
  const last = blocks.at(-1)
  const blockAt = (position: number) => lastIndexUpTo(blocks, ({ top }) => top, position)

  const blockOf = (index: number) => blocks[lastIndexUpTo(blocks, ({ first }) => first, index)]

  function boxOf(index: number): Box {
    const block = blockOf(index)
    const rows = block?.layout().rows ?? []
    const row = rows[lastIndexUpTo(rows, ({ first }) => first, index - (block?.first ?? 0))]
    if (block === undefined || row === undefined) return { left: 0, top: 0, width: 0, height: 0 }
    const widths = widthsOf(row, block.shapes, measures)
    const at = index - block.first - row.first
    let left = inset + row.left
    for (let n = 0; n < at; n++) left += (widths[n] ?? 0) + measures.gap
    return { left, top: block.top + row.top, width: widths[at] ?? 0, height: row.height }
  }

  function within(top: number, bottom: number): { first: number; last: number } {
    let [first, end] = [-1, -1]
    for (let at = blockAt(top); at < blocks.length; at++) {
      const block = blocks[at]
      if (block === undefined || block.top > bottom) break
      const { rows } = block.layout()
      for (let n = lastIndexUpTo(rows, row => row.top + row.height, top - block.top); n < rows.length; n++) {
        const row = rows[n]
        if (row === undefined || block.top + row.top >= bottom) break
        if (block.top + row.top + row.height <= top) continue
        if (first < 0) first = block.first + row.first
        end = block.first + row.first + row.count - 1
      }
    }
    return first < 0 ? { first: 0, last: -1 } : { first, last: end }
  }

  function headingsWithin(top: number, bottom: number): TimelineHeading[] {
    const found: TimelineHeading[] = []
    for (let at = blockAt(top); at < blocks.length; at++) {
      const block = blocks[at]
      if (block === undefined || block.top > bottom) break
      const { headings } = block.layout()
      for (
        let n = lastIndexUpTo(headings, one => one.top + measures.heading, top - block.top);
        n < headings.length;
        n++
      ) {
        const heading = headings[n]
        if (heading === undefined || block.top + heading.top >= bottom) break
        const group = block.groups[heading.group]
        if (group === undefined || block.top + heading.top + measures.heading <= top) continue
        found.push({
          ...group,
          width: heading.width,
          first: block.first + heading.first,
          top: block.top + heading.top,
          left: inset + heading.left,
        })
      }
    }
    return found
  }

  function headingsOver(index: number): TimelineHeading[] {
    const block = blockOf(index)
    if (block === undefined) return []
    const { headings } = block.layout()
    const over = headings[lastIndexUpTo(headings, ({ first }) => first, index - block.first)]
    const top = block.top + (over?.top ?? 0)
    return headingsWithin(top + 1, top + 2)
  }

  const arrangement = {
    count: marks.total,
    height: last === undefined ? 0 : last.top + last.height,
    pitch: measures.height + measures.gap,
    gap: measures.gap,
    heading: measures.heading,
    reach: 600,
    boxOf,
    within,
  }
  return {
    ...arrangement,
    stepFrom: (index, step, viewHeight) => stepInRows(arrangement, index, step, viewHeight),
    headingsWithin,
    headingsOver,
    isLaidOut: index => (blockOf(index)?.shapes.length ?? 0) > 0,
  }
}
