/** Layout of the uniform grid: cards per row, their positions, and which are near the screen. Pure. */
import { limits } from '../../schema/limits.ts'
import type { Breakpoint } from '../kit/viewport.ts'
import type { Arrangement, FocusStep } from './arrangement.ts'

export interface GridShape {
  columns: number
  /** Pixels. */
  cardWidth: number
  cardHeight: number
  gap: number
  /** Space before the first card of a row. */
  inset: number
}

/** Beyond `xs`, a row of this `width` also has `gap` before its first card and `end` after its last one. */
export function gridShape(breakpoint: Breakpoint, width: number, end = 0, gap = 4): GridShape {
  const columns = limits.itemsPerRow[breakpoint]
  const [inset, after] = breakpoint === 'xs' ? [0, 0] : [gap, end]
  const cardHeight = breakpoint === 'xs' ? limits.cardHeight.xs : limits.cardHeight.other
  return {
    columns,
    cardHeight,
    gap,
    inset,
    cardWidth: Math.max(0, (width - inset - after - (columns - 1) * gap) / columns),
  }
}

/** Distance from one row's top to the next one's. */
export function pitch(shape: GridShape): number {
  return shape.cardHeight + shape.gap
}

function rowCount(count: number, columns: number): number {
  return Math.ceil(count / columns)
}

/** Height of all rows, with the gap below the last one. */
export function contentHeight(count: number, shape: GridShape): number {
  return rowCount(count, shape.columns) * pitch(shape)
}

/** Position of a card within the whole grid; `top` is in logical pixels. */
export function cardPlace(index: number, shape: GridShape): { left: number; top: number } {
  const column = index % shape.columns
  return {
    left: shape.inset + column * (shape.cardWidth + shape.gap),
    top: Math.floor(index / shape.columns) * pitch(shape),
  }
}

/** First and last index (inclusive) of the cards within a range of the grid; `last` < `first` if there are none. */
export function cardsWithin(
  top: number,
  bottom: number,
  count: number,
  shape: GridShape,
): { first: number; last: number } {
  const height = pitch(shape)
  const firstRow = Math.max(0, Math.floor(top / height))
  const lastRow = Math.max(0, Math.ceil(bottom / height) - 1)
  return {
    first: Math.min(count, firstRow * shape.columns),
    last: Math.min(count, (lastRow + 1) * shape.columns) - 1,
  }
}

/** The index of the card that gets the focus; the same index if there is no card in that direction. */
export function stepFrom(index: number, step: FocusStep, count: number, columns: number, rowsAScreen: number): number {
  const by = {
    left: -1,
    right: 1,
    up: -columns,
    down: columns,
    pageUp: -columns * rowsAScreen,
    pageDown: columns * rowsAScreen,
  }
  if (step === 'home') return 0
  if (step === 'end') return count - 1
  const next = index + by[step]
  if (next >= 0 && next < count) return next
  if (step === 'left' || step === 'up') return index
  if (step === 'pageUp') return index % columns
  if (step === 'right') return index
  // There may be a shorter row below the last full one.
  return Math.floor(index / columns) < Math.floor((count - 1) / columns) ? count - 1 : index
}

/** The grid as an arrangement. */
export function cardRows(count: number, shape: GridShape): Arrangement {
  return {
    count,
    height: contentHeight(count, shape),
    pitch: pitch(shape),
    gap: shape.gap,
    heading: 0,
    reach: pitch(shape) / 2,
    boxOf: index => ({ ...cardPlace(index, shape), width: shape.cardWidth, height: shape.cardHeight }),
    within: (top, bottom) => cardsWithin(top, bottom, count, shape),
    stepFrom: (index, step, viewHeight) =>
      stepFrom(index, step, count, shape.columns, Math.max(1, Math.floor(viewHeight / pitch(shape)))),
  }
}
