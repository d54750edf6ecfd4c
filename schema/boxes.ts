/** Boxes on pictures, and whether two of them are the same. Pure; used by browsers and the server. */
import { limits } from './limits.ts'

/** Top left corner and size, in thousandths of the picture's longer edge. All 0: somewhere on the picture. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export function hasNoBox({ x, y, width, height }: Box): boolean {
  return x === 0 && y === 0 && width === 0 && height === 0
}

/** Intersection of two boxes divided by their union, 0 to 1. */
export function overlapOf(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (wide <= 0 || high <= 0) return 0
  const common = wide * high
  return common / (a.width * a.height + b.width * b.height - common)
}

/** Similarity of two boxes, above 0 if they count as the same; boxes without a place match no other. */
export function boxSimilarity(a: Box, b: Box): number {
  if (hasNoBox(a) || hasNoBox(b)) return 0
  const sides = ['x', 'y', 'width', 'height'] as const
  const overlap = overlapOf(a, b)
  const isNear = sides.every(side => Math.abs(a[side] - b[side]) <= limits.faces.tolerance)
  if (isNear) return 1 + overlap
  return overlap >= limits.faces.overlap ? overlap : 0
}
