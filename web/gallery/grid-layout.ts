/** Layout of the grid of cards of one size: how many a row has, where they are, and which are near the screen. Pure. */
import { limits } from '../../schema/limits.ts'
import type { Breakpoint } from '../kit/viewport.ts'
import type { Arrangement, FocusStep } from './arrangement.ts'

/** In pixels. */
export interface GridShape {
  columns: number
  cardWidth: number
  cardHeight: number
  gap: number
  /** Space before the first card of a row. */
  inset: number
}

/**
 * The shape of a grid of this `width`. Except on phones (`xs`), a row also has `gap` before its first card and `end` after
 * its last one.
 */
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

/** Distance from the top of a row to the top of the next one. */
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

/** Position of a card; `top` is measured from the start of the whole grid. */
export function cardPlace(index: number, shape: GridShape): { left: number; top: number } {
  const column = index % shape.columns
  return {
    left: shape.inset + column * (shape.cardWidth + shape.gap),
    top: Math.floor(index / shape.columns) * pitch(shape),
  }
}

/** First and last index (inclusive) of the cards in rows that overlap a range; `last` < `first` if there are none. */
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

/** The index of the card to which a key moves the focus; the same index if there is no card in that direction. */
export function stepFrom(
  index: number,
  step: FocusStep,
  count: number,
  columns: number,
  rowsPerScreen: number,
): number {
  const by = {
    left: -1,
    right: 1,
    up: -columns,
    down: columns,
    pageUp: -columns * rowsPerScreen,
    pageDown: columns * rowsPerScreen,
  }
  if (step === 'home') return 0
  if (step === 'end') return count - 1
  const next = index + by[step]
  if (next >= 0 && next < count) return next
  if (step === 'left' || step === 'up') return index
  if (step === 'pageUp') return index % columns
  if (step === 'right') return index
  // If the row below is shorter and has no card in this column, its last card gets the focus.
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
