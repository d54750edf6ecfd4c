/** The position of a face on its picture as shown. */
import type { Box } from '../../../schema/boxes.ts'
import { type Sides, turnedBox } from '../../items/region-geometry.ts'

const thousandths = (length: number) => Math.round(length * 1000) / 1000

/** `sides` are those of the upright picture. */
export function displayedBox(box: Box, rotation: number, sides: Sides): Box {
  const { x, y, width, height } = turnedBox(box, rotation, sides)
  return { x: thousandths(x), y: thousandths(y), width: thousandths(width), height: thousandths(height) }
}
