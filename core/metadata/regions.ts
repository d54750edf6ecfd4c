/**
 * Geometry of regions. Files use fractions of the stored picture, by the centre of a box (MWG), or of the shown picture
 * (Microsoft); the library uses thousandths of the longer edge of the upright picture, by the top left corner.
 */
import { type Box, overlapOf } from '../../schema/boxes.ts'
import type { FileRegion } from './metadata.ts'

/** A box of the upright picture with its name, empty for an unnamed face. */
export interface ItemRegion extends Box {
  kind: 'person' | 'object'
  name: string
}

/** A stored picture: its size in pixels and the EXIF orientation (1–8) that turns it upright. */
export interface StoredPicture {
  width: number
  height: number
  orientation: number
}

/** Clockwise rotations of the Rotation property. */
export type QuarterTurn = 0 | 90 | 180 | 270

/** Boxes are the same if all their sides are at most this far apart (the specified tolerance). */
const tolerance = 5
/** Boxes are also the same if their common area is at least this fraction of the area that they cover together. */
const sameOverlap = 0.4

/** Width and height of the picture as shown. */
export function uprightSize({ width, height, orientation }: StoredPicture): { width: number; height: number } {
  return orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height }
}

/** Converts a box from its centre to its top left corner. */
function cornerOf({ x, y, width, height }: Box): Box {
  return { x: x - width / 2, y: y - height / 2, width, height }
}

/** The inverse of `cornerOf`. */
function centredOf({ x, y, width, height }: Box): Box {
  return { x: x + width / 2, y: y + height / 2, width, height }
}

/** Converts a region of a file to the library's form, cut at the edges; null if it is outside of the picture. */
export function regionFromFile(region: FileRegion, picture: StoredPicture): ItemRegion | null {
  const corner = cornerOf(region)
  const shown = isUpright(region, picture) ? corner : oriented(corner, picture.orientation)
  const inside = cutAtEdges(shown)
  if (inside === null) return null
  const size = uprightSize(picture)
  const longer = Math.max(size.width, size.height)
  const [scaleX, scaleY] = [(1000 * size.width) / longer, (1000 * size.height) / longer]
  return {
    kind: region.kind,
    name: region.name,
    x: rounded(inside.x * scaleX),
    y: rounded(inside.y * scaleY),
    width: rounded(inside.width * scaleX),
    height: rounded(inside.height * scaleY),
  }
}

/** The region in fractions of the picture as shown, which also apply to another version of it. */
export function uprightRegion(region: FileRegion, picture: StoredPicture): FileRegion {
  if (isUpright(region, picture)) return { ...region, frame: 'upright' }
  const shown = oriented(cornerOf(region), picture.orientation)
  // `appliedTo` is the size of the stored picture, so it is left out.
  const { appliedTo: _, ...rest } = region
  return { ...rest, ...centredOf(shown), frame: 'upright' }
}

/** The inverse of `regionFromFile`, in fractions of the stored picture or (as Microsoft writes) of the upright one. */
export function regionToFile(region: ItemRegion, picture: StoredPicture, frame: 'stored' | 'upright'): FileRegion {
  const size = uprightSize(picture)
  const longer = Math.max(size.width, size.height)
  const shown = {
    x: (region.x / 1000) * (longer / size.width),
    y: (region.y / 1000) * (longer / size.height),
    width: (region.width / 1000) * (longer / size.width),
    height: (region.height / 1000) * (longer / size.height),
  }
  const box = frame === 'upright' ? shown : oriented(shown, inverseOrientation(picture.orientation))
  return {
    kind: region.kind,
    name: region.name,
    ...centredOf(box),
    frame,
    appliedTo: frame === 'upright' ? size : { width: picture.width, height: picture.height },
  }
}

/** Whether the fractions are of the picture as shown, by the region's frame or the size that its writer gave. */
export function isUpright(region: Pick<FileRegion, 'frame' | 'appliedTo'>, picture: StoredPicture): boolean {
  if (region.frame === 'upright') return true
  if (region.appliedTo === undefined || picture.orientation < 5) return false
  const applied = region.appliedTo.width / region.appliedTo.height
  const stored = picture.width / picture.height
  const distance = (a: number, b: number) => Math.abs(Math.log(a / b))
  return distance(applied, 1 / stored) < 0.02 && distance(applied, stored) > 0.04
}

/** Rotates and mirrors a box, in fractions of the picture, by an EXIF orientation. */
function oriented({ x, y, width, height }: Box, orientation: number): Box {
  const right = 1 - x - width
  const below = 1 - y - height
  switch (orientation) {
    case 2:
      return { x: right, y, width, height }
    case 3:
      return { x: right, y: below, width, height }
    case 4:
      return { x, y: below, width, height }
    case 5:
      return { x: y, y: x, width: height, height: width }
    case 6:
      return { x: below, y: x, width: height, height: width }
    case 7:
      return { x: below, y: right, width: height, height: width }
    case 8:
      return { x: y, y: right, width: height, height: width }
    default:
      return { x, y, width, height }
  }
}

/** The inverse of an orientation: each is its own inverse, except the two quarter turns. */
function inverseOrientation(orientation: number): number {
  if (orientation === 6) return 8
  return orientation === 8 ? 6 : orientation
}

function cutAtEdges({ x, y, width, height }: Box): Box | null {
  const left = Math.max(0, x)
  const top = Math.max(0, y)
  const right = Math.min(1, x + width)
  const bottom = Math.min(1, y + height)
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null
}

/** Whether two boxes count as the same, by `tolerance` or `sameOverlap`. */
export function isSameBox(a: Box, b: Box): boolean {
  const sides = [a.x - b.x, a.y - b.y, a.x + a.width - b.x - b.width, a.y + a.height - b.y - b.height]
  return sides.every(side => Math.abs(side) <= tolerance) || overlapOf(a, b) >= sameOverlap
}

/** Rounds to hundredths of a unit: a tenth of a pixel if the longer edge has 10,000 pixels. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100 || 0
}
