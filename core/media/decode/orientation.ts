/** EXIF orientations as mirroring and rotation, which can be added to another rotation. */
import { type Rotation, rotationFrom } from '../cache/renditions.ts'

/** Mirrored left to right first, then rotated clockwise. */
interface Uprighting {
  mirror: boolean
  rotation: Rotation
}

/** EXIF 2.32, 4.6.4 (A), tag 274; other values than the eight mean upright. */
const byOrientation: Record<number, Uprighting> = {
  2: { mirror: true, rotation: 0 },
  3: { mirror: false, rotation: 180 },
  4: { mirror: true, rotation: 180 },
  5: { mirror: true, rotation: 270 },
  6: { mirror: false, rotation: 90 },
  7: { mirror: true, rotation: 90 },
  8: { mirror: false, rotation: 270 },
}

/** Transformation from a stored orientation to upright, plus the user's rotation. */
export function uprighting(orientation: number, rotation: Rotation = 0): Uprighting {
  const { mirror, rotation: stored } = byOrientation[orientation] ?? { mirror: false, rotation: 0 }
  return { mirror, rotation: rotationFrom(stored + rotation) }
}

interface Size {
  width: number
  height: number
}

export function sizeAfter({ rotation }: Uprighting, { width, height }: Size): Size {
  return rotation === 90 || rotation === 270 ? { width: height, height: width } : { width, height }
}
