/** One row of pictures of equal height, with widths by their aspect ratios. Pure. */

export interface RowShape {
  /** Widths of the shown pictures, in pixels. */
  widths: number[]
  height: number
  /** Number of pictures that do not fit. */
  more: number
}

/** Pictures with aspect ratios beyond these are cropped. */
const narrowest = 0.6
const widest = 2.4

function ratioOf({ width, height }: { width: number; height: number }): number {
  return width > 0 && height > 0 ? Math.min(widest, Math.max(narrowest, width / height)) : 1.5
}

/** Fills a row of `room` pixels with pictures of about `height`. Too few pictures may grow to `highest`. */
export function rowOf(
  items: readonly { width: number; height: number }[],
  room: number,
  height: number,
  { gap = 4, highest = height }: { gap?: number; highest?: number } = {},
): RowShape {
  const ratios: number[] = []
  let sum = 0
  for (const item of items) {
    const ratio = ratioOf(item)
    const wide = (sum + ratio) * height + ratios.length * gap
    // One more fits if cropping all of them slightly makes room for it.
    if (ratios.length > 0 && wide > room * 1.12) break
    ratios.push(ratio)
    sum += ratio
    if (wide >= room) break
  }
  const free = room - (ratios.length - 1) * gap
  const more = items.length - ratios.length
  const full = sum * height >= free * 0.82 || more > 0
  const unit = full ? free / sum : Math.min(highest, free / sum)
  return { widths: ratios.map(ratio => ratio * unit), height: full ? height : Math.max(height, unit), more }
}
