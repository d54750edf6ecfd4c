/** Which part of a picture shows a face. Pure. */
import type { Box } from '../../schema/boxes.ts'

/** Side of the shown square relative to the face's longer side, to include some hair and chin. */
const cropScale = 1.5
const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
const percentOf = (share: number) => `${Math.round(share * 10_000) / 100}%`

interface Sides {
  width: number
  height: number
}

export interface Crop {
  left: string
  top: string
  width: string
  height: string
}

/**
 * Position and size of a picture in a square that shows one of its faces, in percent of the square. `least`: the
 * square's smallest side in thousandths of the picture's longer edge, so that small faces are not enlarged too much.
 * `fills`: the picture fills the square, even if that cuts a face that is wider or higher than the picture.
 */
export function cropOf(
  { x, y, width, height }: Box,
  item: Sides,
  { least = 1, fills = false }: { least?: number; fills?: boolean } = {},
): Crop {
  const edge = Math.max(item.width, item.height)
  const sides =
    item.width > 0 && item.height > 0
      ? { width: (item.width / edge) * 1000, height: (item.height / edge) * 1000 }
      : { width: 1000, height: 1000 }
  const longer = Math.max(width, height, 1)
  const within = Math.min(Math.max(longer * cropScale, least), sides.width, sides.height)
  // Stays within the picture, unless the face itself is wider or higher than the picture.
  const side = fills ? within : Math.max(longer, within)
  const start = (from: number, length: number, whole: number) =>
    side > whole ? (whole - side) / 2 : clamp(from + length / 2 - side / 2, 0, whole - side)
  return {
    left: percentOf(-start(x, width, sides.width) / side),
    top: percentOf(-start(y, height, sides.height) / side),
    width: percentOf(sides.width / side),
    height: percentOf(sides.height / side),
  }
}
