/** EXIF orientations as mirroring and rotation, which can be added to another rotation. */
import { type Rotation, rotationFrom } from '../cache/renditions.ts'

/** Mirrored left to right first, then rotated clockwise. */
interface Uprighting {
  mirror: boolean
  turn: Rotation
}

/** EXIF 2.32, 4.6.4 (A), tag 274; other values than the eight mean upright. */
const byOrientation: Record<number, Uprighting> = {
  2: { mirror: true, turn: 0 },
  3: { mirror: false, turn: 180 },
  4: { mirror: true, turn: 180 },
  5: { mirror: true, turn: 270 },
  6: { mirror: false, turn: 90 },
  7: { mirror: true, turn: 90 },
  8: { mirror: false, turn: 270 },
}

/** Transformation from a stored orientation to upright, plus the user's rotation. */
export function uprighting(orientation: number, turn: Rotation = 0): Uprighting {
  const { mirror, turn: own } = byOrientation[orientation] ?? { mirror: false, turn: 0 }
  return { mirror, turn: rotationFrom(own + turn) }
}

interface Size {
  width: number
  height: number
}

export function sizeAfter({ turn }: Uprighting, { width, height }: Size): Size {
  return turn === 90 || turn === 270 ? { width: height, height: width } : { width, height }
}
