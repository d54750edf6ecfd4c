/** Detects faces on a whole picture, and on enlarged parts of it to find the small faces of group pictures. */
import { limits } from '../../../schema/limits.ts'
import { commonPart, coveredPart, type FoundBox, mostCertain } from './detected-boxes.ts'
import type { Picture, Rectangle } from './pixels.ts'

/** Side of a part, as a fraction of the picture's longer edge. */
const partOfPicture = 0.6
/** Limits of a part's side in pixels. */
const partSide = { max: 1024, min: 240 }
/** Overlap of two parts, as a fraction of their side. */
const partOverlap = 0.25
/** A face larger than this fraction of a part is detected on the whole picture. */
const maxOfPart = 0.6

function partOffsets(length: number, side: number): number[] {
  if (length <= side) return [0]
  const overlap = Math.ceil(side * partOverlap)
  const count = Math.ceil((length - overlap) / (side - overlap))
  return Array.from({ length: count }, (_, n) => Math.round((n * (length - side)) / (count - 1)))
}

/** Parts that cover a picture; none if the picture is no larger than one part. */
export function partsOf({ width, height }: Pick<Picture, 'width' | 'height'>): Rectangle[] {
  const wanted = Math.round(Math.max(width, height) * partOfPicture)
  const side = Math.min(partSide.max, Math.max(partSide.min, wanted))
  const [across, down] = [partOffsets(width, side), partOffsets(height, side)]
  if (across.length * down.length === 1) return []
  return down.flatMap(top =>
    across.map(left => ({ left, top, width: Math.min(side, width), height: Math.min(side, height) })),
  )
}

/** Whether a box touches an edge of a part that is not an edge of the picture: then the face is cut off. */
function isCut(box: FoundBox, part: Rectangle, picture: Pick<Picture, 'width' | 'height'>): boolean {
  const right = part.left + part.width
  const bottom = part.top + part.height
  return (
    (part.left > 0 && box.left <= part.left) ||
    (part.top > 0 && box.top <= part.top) ||
    (right < picture.width && box.right >= right) ||
    (bottom < picture.height && box.bottom >= bottom)
  )
}

/** Two boxes are of one face from this `commonPart` on. */
const sameFace = 0.3
/** Two boxes are of one face from this `coveredPart` on. */
const insideFace = 0.7

/** All boxes of the whole picture, as a browser detects them, and those boxes of parts that show other faces. */
export function joinBoxes<Box extends FoundBox>(whole: readonly Box[], ofParts: readonly Box[]): Box[] {
  const isKnown = (box: Box, others: readonly Box[]) =>
    others.some(other => commonPart(box, other) >= sameFace || coveredPart(box, other) >= insideFace)
  const fresh: Box[] = []
  for (const box of mostCertain(ofParts, sameFace, limits.faces.maxPerPicture)) {
    if (!isKnown(box, whole) && !isKnown(box, fresh)) fresh.push(box)
  }
  return [...whole, ...fresh].slice(0, limits.faces.maxPerPicture)
}

/** A described face; its box in pixels. */
export interface DescribedFace {
  left: number
  top: number
  width: number
  height: number
  score: number
  vector: Float32Array
}

/** A model that detects faces in a part of a picture, and describes them. */
export interface FaceModel<Box extends FoundBox> {
  detect(picture: Picture, part: Rectangle, confidence: number): Promise<Box[]>
  /** Null if a second check rejects the face. */
  describe(picture: Picture, face: Box, confidence: number): Promise<DescribedFace | null>
}

/** Finds every face with a certainty above `confidence`, with its vector. */
export async function findFacesWith<Box extends FoundBox>(
  { detect, describe }: FaceModel<Box>,
  picture: Picture,
  confidence: number,
): Promise<DescribedFace[]> {
  const all = { left: 0, top: 0, width: picture.width, height: picture.height }
  const whole = await detect(picture, all, confidence)
  const ofParts: Box[] = []
  for (const part of partsOf(picture)) {
    const found = await detect(picture, part, confidence)
    const isSmall = (box: Box) => box.right - box.left <= part.width * maxOfPart
    ofParts.push(...found.filter(box => isSmall(box) && !isCut(box, part, picture)))
  }
  const faces: DescribedFace[] = []
  for (const box of joinBoxes(whole, ofParts)) {
    const face = await describe(picture, box, confidence)
    if (face !== null) faces.push(face)
  }
  return faces
}
