/** The allowed places of the cropping frame, by view mode. Pure. */

export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** Tolerance for rounding, in pixels. */
const tolerance = 0.5

/** The largest centred frame with a given ratio, with a margin. */
export function firstFrame(picture: Rect, ratio: number): Rect {
  const share = 0.9
  const width = Math.min(picture.width, picture.height * ratio) * share
  const height = width / ratio
  return {
    x: picture.x + (picture.width - width) / 2,
    y: picture.y + (picture.height - height) / 2,
    width,
    height,
  }
}

/** The visible part of the picture: if it covers the area, its edges are out of reach. */
export function visiblePart(picture: Rect, room: Pick<Rect, 'width' | 'height'>): Rect {
  const [x, y] = [Math.max(0, picture.x), Math.max(0, picture.y)]
  const right = Math.min(room.width, picture.x + picture.width)
  const bottom = Math.min(room.height, picture.y + picture.height)
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) }
}

const isInside = (picture: Rect, frame: Rect): boolean =>
  frame.x >= picture.x - tolerance &&
  frame.y >= picture.y - tolerance &&
  frame.x + frame.width <= picture.x + picture.width + tolerance &&
  frame.y + frame.height <= picture.y + picture.height + tolerance

/** Null if the wanted frame is allowed, 'no' if the frame must not change; else the nearest allowed frame. */
export function boundFrame(mode: number, picture: Rect, now: Rect, wanted: Rect): Rect | 'no' | null {
  if (mode === 0 || isInside(picture, wanted)) return null
  const isMoved = Math.abs(now.width - wanted.width) < tolerance && Math.abs(now.height - wanted.height) < tolerance
  // The frame was resized over the edge, or is larger than the picture.
  if (!isMoved || wanted.width > picture.width + tolerance || wanted.height > picture.height + tolerance) return 'no'
  const clamp = (value: number, start: number, room: number, size: number) =>
    Math.max(start, Math.min(value, start + room - size))
  return {
    ...wanted,
    x: clamp(wanted.x, picture.x, picture.width, wanted.width),
    y: clamp(wanted.y, picture.y, picture.height, wanted.height),
  }
}

/** How the picture has to fit into the area. */
export function fitOf(mode: number): 'contain' | 'cover' | null {
  return mode === 2 ? 'contain' : mode === 3 ? 'cover' : null
}

/** Whether the picture, in one direction, covers the area or is smaller than it. */
const coversSide = (start: number, size: number, room: number): boolean =>
  size < room - tolerance || (start <= tolerance && start + size >= room - tolerance)

function fits(mode: number, room: Pick<Rect, 'width' | 'height'>, frame: Rect, picture: Rect): boolean {
  if (!isInside(picture, frame)) return false
  if (mode < 2) return true
  const isLess = picture.width < room.width - tolerance || picture.height < room.height - tolerance
  if (mode === 3 && isLess) return false
  return coversSide(picture.x, picture.width, room.width) && coversSide(picture.y, picture.height, room.height)
}

/** Whether the picture may be moved or zoomed like this. Except in mode 0, the frame stays within the picture. */
export function mayPlacePicture(
  mode: number,
  { room, frame, now, next }: { room: Pick<Rect, 'width' | 'height'>; frame: Rect; now: Rect; next: Rect },
): boolean {
  // If the picture already violates this, for example after a resize, any position that is no worse is allowed.
  return mode === 0 || fits(mode, room, frame, next) || !fits(mode, room, frame, now)
}
