/** Boxes that a detector has found: of several that mean one face the surest is kept. Pure. */

/** In pixels; `confidence` 0 to 1. */
export interface FoundBox {
  left: number
  top: number
  right: number
  bottom: number
  confidence: number
}

/** Common part of two boxes over all that they cover together, 0 to 1. */
export function commonPart(a: FoundBox, b: FoundBox): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  if (wide <= 0 || high <= 0) return 0
  const common = wide * high
  return common / (areaOf(a) + areaOf(b) - common)
}

/** How much of the smaller box lies in the other, 0 to 1. */
export function coveredPart(a: FoundBox, b: FoundBox): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return wide <= 0 || high <= 0 ? 0 : (wide * high) / Math.min(areaOf(a), areaOf(b))
}

function areaOf({ left, top, right, bottom }: FoundBox): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}

/** The surest first; those that share `overlap` or more with a surer one are left out. */
export function surest<Box extends FoundBox>(boxes: readonly Box[], overlap: number, most: number): Box[] {
  const kept: Box[] = []
  for (const box of [...boxes].sort((a, b) => b.confidence - a.confidence)) {
    if (kept.length >= most) break
    if (kept.every(other => commonPart(box, other) < overlap)) kept.push(box)
  }
  return kept
}
