/** Where the frame for cropping may be: the view mode says how it is bound to the picture. Pure. */

export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** Pixels that rounding may be out. */
const slack = 0.5

/** The largest frame of a shape in the middle of the picture, with some room around it. */
export function firstFrame(picture: Rect, ratio: number): Rect {
  const part = 0.9
  const width = Math.min(picture.width, picture.height * ratio) * part
  const height = width / ratio
  return {
    x: picture.x + (picture.width - width) / 2,
    y: picture.y + (picture.height - height) / 2,
    width,
    height,
  }
}

export const isInside = (picture: Rect, frame: Rect): boolean =>
  frame.x >= picture.x - slack &&
  frame.y >= picture.y - slack &&
  frame.x + frame.width <= picture.x + picture.width + slack &&
  frame.y + frame.height <= picture.y + picture.height + slack

/** What becomes of a frame that is drawn to a place: null where it may be there as it is, 'no' where it may not change. */
export function boundFrame(mode: number, picture: Rect, now: Rect, wanted: Rect): Rect | 'no' | null {
  if (mode === 0 || isInside(picture, wanted)) return null
  const isMoved = Math.abs(now.width - wanted.width) < slack && Math.abs(now.height - wanted.height) < slack
  // It grew over the edge.
  if (!isMoved || wanted.width > picture.width + slack || wanted.height > picture.height + slack) return 'no'
  const within = (value: number, start: number, room: number, size: number) =>
    Math.max(start, Math.min(value, start + room - size))
  return {
    ...wanted,
    x: within(wanted.x, picture.x, picture.width, wanted.width),
    y: within(wanted.y, picture.y, picture.height, wanted.height),
  }
}

/** How the picture is bound to the room that it is shown in. */
export function fitOf(mode: number): 'contain' | 'cover' | null {
  return mode === 2 ? 'contain' : mode === 3 ? 'cover' : null
}
