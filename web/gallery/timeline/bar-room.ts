/** Room in the timeline for bars that lie over it. Pure. */
import type { TimelineRows } from './rows.ts'

/** Leaves room (pixels) above the first row and below the last; whatever is scrolled to the top has it above itself. */
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
