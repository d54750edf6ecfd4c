/** EXIF orientations as what they are: a mirroring and a turn, which can be added to another turn. */
import { type Turn, turnOf } from '../cache/renditions.ts'

/** Mirror left and right first, then turn clockwise. */
interface Uprighting {
  mirror: boolean
  turn: Turn
}

/** EXIF 2.32, 4.6.4 (A), tag 274; a value that is none of the eight means upright. */
const byOrientation: Record<number, Uprighting> = {
  2: { mirror: true, turn: 0 },
  3: { mirror: false, turn: 180 },
  4: { mirror: true, turn: 180 },
  5: { mirror: true, turn: 270 },
  6: { mirror: false, turn: 90 },
  7: { mirror: true, turn: 90 },
  8: { mirror: false, turn: 270 },
}

/** What shows a picture stored with this orientation upright, and then turned as its owner wants. */
export function uprighting(orientation: number, turn: Turn = 0): Uprighting {
  const { mirror, turn: own } = byOrientation[orientation] ?? { mirror: false, turn: 0 }
  return { mirror, turn: turnOf(own + turn) }
}

interface Size {
  width: number
  height: number
}

export function sizeAfter({ turn }: Uprighting, { width, height }: Size): Size {
  return turn === 90 || turn === 270 ? { width: height, height: width } : { width, height }
}
