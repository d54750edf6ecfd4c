/**
 * Arithmetic of a scroll space that is longer than browsers allow (17 to 33 million pixels; a million cards need more than
 * 75 million). A native scroller scrolls over a spacer of at most four million pixels. `offset` is the height of the
 * content above the spacer, so position = offset + scrollTop. When scrolling stops, the offset is changed so that the
 * scroller is in the middle of the spacer again. Pure.
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

/** The maximum position, which shows the end of the content. */
export function lastPosition({ content, view }: Extent): number {
  return Math.max(0, content - view)
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

/**
 * Offset and scrollTop for a position. The scroller is in the middle of the spacer, except near the ends of the content:
 * there the spacer ends too, so that the browser stops scrolling.
 */
export function placementOf(position: number, extent: Extent): Placement {
  const wanted = clamp(position, 0, lastPosition(extent))
  const maxOffset = Math.max(0, extent.content - spacerHeight(extent))
  const centre = (spacerHeight(extent) - extent.view) / 2
  const offset = clamp(Math.round(wanted - centre), 0, maxOffset)
  return { offset, scrollTop: wanted - offset }
}

/** The position for an offset and scrollTop, within the content. */
export function positionOf({ offset, scrollTop }: Placement, extent: Extent): number {
  return clamp(offset + scrollTop, 0, lastPosition(extent))
}

/** Whether the scroller is near an end of the spacer that is not an end of the content, so that it cannot wait for a stop. */
export function needsRecentring({ offset, scrollTop }: Placement, extent: Extent, margin = 200_000): boolean {
  const maxOffset = Math.max(0, extent.content - spacerHeight(extent))
  const below = spacerHeight(extent) - extent.view - scrollTop
  return (offset > 0 && scrollTop < margin) || (offset < maxOffset && below < margin)
}
