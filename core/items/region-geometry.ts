/** Geometry of regions: rotation in both directions, and clipping to the picture. */
import { type Box, hasNoBox } from '../../schema/boxes.ts'

/** Sides in any unit; 0 when unknown. */
export interface Sides {
  width: number
  height: number
}

/** Rounds to thousandths, so that calculating with floating-point numbers adds no digits. */
const withoutExtraDigits = (length: number) => Math.round(length * 1000) / 1000

/** Sides in thousandths of the longer one; a picture of unknown size counts as a square. */
function unitSides(picture: Sides): Sides {
  const longer = Math.max(picture.width, picture.height)
  if (longer === 0) return { width: 1000, height: 1000 }
  return { width: (picture.width / longer) * 1000, height: (picture.height / longer) * 1000 }
}

/** Maps a box on the upright `picture` to the picture rotated clockwise. A box without a size stays as it is. */
export function turnedBox(box: Box, rotation: number, picture: Sides): Box {
  const { x, y, width, height } = box
  if (rotation === 0 || (width === 0 && height === 0)) return { x, y, width, height }
  const sides = unitSides(picture)
  const right = withoutExtraDigits(sides.width - x - width)
  const below = withoutExtraDigits(sides.height - y - height)
  if (rotation === 90) return { x: below, y: x, width: height, height: width }
  if (rotation === 180) return { x: right, y: below, width, height }
  return { x: y, y: right, width: height, height: width }
}

/** The inverse of `turnedBox`: `picture` is the upright one here too. */
export function uprightBox(box: Box, rotation: number, picture: Sides): Box {
  const turned = shownSides(picture, rotation)
  const { x, y, width, height } = turnedBox(box, (360 - rotation) % 360, turned)
  return {
    x: withoutExtraDigits(x),
    y: withoutExtraDigits(y),
    width: withoutExtraDigits(width),
    height: withoutExtraDigits(height),
  }
}

/** Sides of the picture as shown: a quarter turn swaps them. */
export function shownSides({ width, height }: Sides, rotation: number): Sides {
  return rotation === 90 || rotation === 270 ? { width: height, height: width } : { width, height }
}

/** A box may exceed the edge by this much, because browsers calculate in pixels; the excess is clamped. */
const tolerance = 0.5

/**
 * Returns the box clipped to the picture, or null if it is empty, starts at negative coordinates, or extends beyond the
 * picture by more than `tolerance`. A box without a place is returned as it is.
 */
export function insideBox(box: Box, picture: Sides): Box | null {
  const sides = unitSides(picture)
  const { x, y, width, height } = box
  if (hasNoBox(box)) return box
  if (!(width > 0 && height > 0 && x >= 0 && y >= 0)) return null
  if (x + width > sides.width + tolerance || y + height > sides.height + tolerance) return null
  const inside = { x, y, width: Math.min(width, sides.width - x), height: Math.min(height, sides.height - y) }
  return inside.width > 0 && inside.height > 0 ? inside : null
}

/** Whether a box was not moved: clients get rounded boxes, and may send them back. */
export function isUnmoved(a: Box, b: Box): boolean {
  const sides = ['x', 'y', 'width', 'height'] as const
  return sides.every(side => Math.abs(a[side] - b[side]) <= 0.0015)
}
