/**
 * A scroll space that is longer than browsers allow (17 to 33 million pixels; a million cards need over 75 million). A
 * native scroller runs over a spacer of at most four million pixels; `offset` is the height of the content above it, so
 * that position = offset + scrollTop, exactly. The scroller is re-centred when scrolling stops.
 */

export const maxSpacer = 4_000_000

/** Heights in pixels: of the content, and of the view. */
export interface Extent {
  content: number
  view: number
}

export interface Placement {
  offset: number
  scrollTop: number
}

export function spacerHeight({ content, view }: Extent): number {
  return Math.max(view, Math.min(content, maxSpacer))
}

/** The largest position, which shows the end of the content. */
export function lastPosition({ content, view }: Extent): number {
  return Math.max(0, content - view)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

/**
 * The scroller's position for a logical position: in the middle of the spacer, except near the ends of the content,
 * where the spacer ends as well, so that the browser stops there.
 */
export function placementOf(position: number, extent: Extent): Placement {
  const wanted = clamp(position, 0, lastPosition(extent))
  const free = Math.max(0, extent.content - spacerHeight(extent))
  const centre = (spacerHeight(extent) - extent.view) / 2
  const offset = clamp(Math.round(wanted - centre), 0, free)
  return { offset, scrollTop: wanted - offset }
}

export function positionOf({ offset, scrollTop }: Placement, extent: Extent): number {
  return clamp(offset + scrollTop, 0, lastPosition(extent))
}

/** Whether the scroller is near an end of the spacer but not of the content, and must be re-centred before it rests. */
export function runsOut({ offset, scrollTop }: Placement, extent: Extent, margin = 200_000): boolean {
  const free = Math.max(0, extent.content - spacerHeight(extent))
  const left = spacerHeight(extent) - extent.view - scrollTop
  return (offset > 0 && scrollTop < margin) || (offset < free && left < margin)
}
