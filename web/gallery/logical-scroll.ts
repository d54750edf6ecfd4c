/**
 * A scroll space that is longer than browsers allow (17 to 33 million pixels; a million cards need more than 75). A
 * native scroller runs over a spacer of at most four million pixels; `offset` is the height before the spacer's start,
 * so that position = offset + scrollTop, exactly, until the scroller is re-centred at rest.
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

/** The last position. */
export function lastPosition({ content, view }: Extent): number {
  return Math.max(0, content - view)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

/**
 * The scroller's place for a position: in the middle of the spacer, except near the ends of the content, which are the
 * ends of the spacer, so that the browser stops there by itself.
 */
export function place(position: number, extent: Extent): Placement {
  const wanted = clamp(position, 0, lastPosition(extent))
  const free = Math.max(0, extent.content - spacerHeight(extent))
  const centre = (spacerHeight(extent) - extent.view) / 2
  const offset = clamp(Math.round(wanted - centre), 0, free)
  return { offset, scrollTop: wanted - offset }
}

export function positionOf({ offset, scrollTop }: Placement, extent: Extent): number {
  return clamp(offset + scrollTop, 0, lastPosition(extent))
}

/** The scroller approaches an end of the spacer that is no end of the content: it must be re-centred before rest. */
export function runsOut({ offset, scrollTop }: Placement, extent: Extent, margin = 200_000): boolean {
  const free = Math.max(0, extent.content - spacerHeight(extent))
  const left = spacerHeight(extent) - extent.view - scrollTop
  return (offset > 0 && scrollTop < margin) || (offset < free && left < margin)
}
