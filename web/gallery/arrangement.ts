/** Where cards are: the interface that the grid of cards and the timeline have in common. Pure. */

/** Pixels; `top` from the start of the list, even if that is longer than browsers can scroll. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

export type FocusStep = 'left' | 'right' | 'up' | 'down' | 'pageUp' | 'pageDown' | 'home' | 'end'

/** In pixels. */
export interface Arrangement {
  /** Number of cards. */
  count: number
  /** Height of the whole list. */
  height: number
  /** Usual distance from the top of a row to the top of the next one. */
  pitch: number
  gap: number
  /** Height of the heading above a row. */
  heading: number
  /** How far above and below the screen cards are rendered while nothing scrolls. */
  reach: number
  boxOf: (index: number) => Box
  /** First and last index (inclusive) of the cards in rows that overlap this range; `last` < `first` if there are none. */
  within: (top: number, bottom: number) => { first: number; last: number }
  /** The index of the card to which a key moves the focus; the same index if there is no card in that direction. */
  stepFrom: (index: number, step: FocusStep, viewHeight: number) => number
}

/** Index of the first visible card; 0 if there are no cards. */
export function firstVisible(rows: Arrangement, position: number): number {
  const { first, last } = rows.within(position, position + rows.heading + rows.pitch)
  return Math.max(0, Math.min(first, last < first ? rows.count - 1 : first))
}

/**
 * How many pixels above and below the screen cards are rendered: `reach` and, in the direction of scrolling, also the
 * distance that `speed` (pixels per millisecond) covers in a sixth of a second, at most four rows.
 */
export function overscan(speed: number, { reach, pitch }: Pick<Arrangement, 'reach' | 'pitch'>) {
  const ahead = Math.min(Math.abs(speed) * 160, pitch * 4)
  return speed < 0 ? { above: reach + ahead, below: reach } : { above: reach, below: reach + ahead }
}

/** The scroll position that shows a whole card and its heading with the least scrolling. */
export function positionToShow(index: number, position: number, viewHeight: number, rows: Arrangement): number {
  const box = rows.boxOf(index)
  const top = box.top - rows.heading
  if (top < position) return top
  const bottom = box.top + box.height + rows.gap
  return bottom > position + viewHeight ? Math.max(0, Math.min(top, bottom - viewHeight)) : position
}
