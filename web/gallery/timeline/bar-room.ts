/** Makes room in the timeline for bars that cover parts of it. Pure. */
import type { TimelineRows } from './rows.ts'

/**
 * Adds room (pixels) above the first row and below the last one. The room above also counts as part of each heading, so
 * that a row that is scrolled to the top is below the bar.
 */
export function withRoom(rows: TimelineRows, above: number, below: number): TimelineRows {
  const movedDown = <T extends { top: number }>(one: T): T => ({ ...one, top: one.top + above })
  return {
    ...rows,
    height: rows.height + above + below,
    heading: rows.heading + above,
    boxOf: index => movedDown(rows.boxOf(index)),
    within: (top, bottom) => rows.within(top - above, bottom - above),
    headingsWithin: (top, bottom) => rows.headingsWithin(top - above, bottom - above).map(movedDown),
    headingsOver: index => rows.headingsOver(index).map(movedDown),
  }
}
