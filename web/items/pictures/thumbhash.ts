/** Makes the blurred placeholder of a picture from its thumbhash. */
import { rgbaToDataURL, thumbHashToRGBA } from 'thumbhash'

/** Data URLs by hash and degrees, for scrolling back. */
const cache = new Map<string, string>()
const maxCached = 600

interface Pixels {
  w: number
  h: number
  rgba: Uint8Array
}

/** Rotates pixels clockwise by 0, 90, 180 or 270 degrees. */
export function turnedPixels({ w, h, rgba }: Pixels, degrees: number): Pixels {
  const turn = ((degrees % 360) + 360) % 360
  if (turn === 0) return { w, h, rgba }
  const [width, height] = turn === 180 ? [w, h] : [h, w]
  const out = new Uint8Array(rgba.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = turn === 90 ? [y, h - 1 - x] : turn === 180 ? [w - 1 - x, h - 1 - y] : [w - 1 - y, x]
      const from = (fromY * w + fromX) * 4
      out.set(rgba.subarray(from, from + 4), (y * width + x) * 4)
    }
  }
  return { w: width, h: height, rgba: out }
}

/**
 * Data URL of the placeholder; null without a valid hash. `hash`: base64 of the thumbhash of the picture before it was
 * rotated by the Rotation property. `degrees`: the clockwise rotation to apply.
 */
export function placeholderUrl(hash: string | null, degrees = 0): string | null {
  if (hash === null) return null
  const key = degrees === 0 ? hash : `${hash} ${degrees}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  try {
    const bytes = Uint8Array.from(atob(hash), char => char.charCodeAt(0))
    if (bytes.length < 5) return null
    const { w, h, rgba } = turnedPixels(thumbHashToRGBA(bytes), degrees)
    const address = rgbaToDataURL(w, h, rgba)
    if (cache.size >= maxCached) {
      const [oldest] = cache.keys()
      if (oldest !== undefined) cache.delete(oldest)
    }
    cache.set(key, address)
    return address
  } catch {
    return null
  }
}
