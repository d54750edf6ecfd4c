/** Boxes from a detector: of several boxes for one face, the most certain is kept. Pure. */

/** In pixels; `confidence` 0 to 1. */
export interface FoundBox {
  left: number
  top: number
  right: number
  bottom: number
  confidence: number
}

/** Intersection over union of two boxes, 0 to 1. */
export function commonPart(a: FoundBox, b: FoundBox): number {
  const common = commonArea(a, b)
  return common === 0 ? 0 : common / (areaOf(a) + areaOf(b) - common)
}

/** The fraction of the smaller box that is inside the other, 0 to 1. */
export function coveredPart(a: FoundBox, b: FoundBox): number {
  const common = commonArea(a, b)
  return common === 0 ? 0 : common / Math.min(areaOf(a), areaOf(b))
}

function commonArea(a: FoundBox, b: FoundBox): number {
  return areaOf({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  })
}

function areaOf({ left, top, right, bottom }: Omit<FoundBox, 'confidence'>): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}

/** At most `max` boxes, most certain first. Drops boxes that overlap a more certain one by `overlap` or more. */
export function mostCertain<Box extends FoundBox>(boxes: readonly Box[], overlap: number, max: number): Box[] {
  const kept: Box[] = []
  for (const box of [...boxes].sort((a, b) => b.confidence - a.confidence)) {
    if (kept.length >= max) break
    if (kept.every(other => commonPart(box, other) < overlap)) kept.push(box)
  }
  return kept
}
