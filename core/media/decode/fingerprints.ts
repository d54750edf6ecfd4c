/** Compact fingerprints of a picture: a placeholder, and a hash that is similar for similar pictures. */
import { rgbaToThumbHash } from 'thumbhash'

/** Eight-bit sRGB, rows from the top without gaps; three channels, or four with straight alpha. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
  channels: 3 | 4
}

/** Longest edge of the hashed picture: thumbhash keeps seven waves at most, so more would be wasted. */
const thumbEdge = 40

/** The thumbhash (some 25 bytes) as base64, which npm thumbhash can paint. */
export function thumbhashOf(pixels: Pixels): string {
  const scale = Math.min(1, thumbEdge / Math.max(pixels.width, pixels.height))
  const width = Math.max(1, Math.round(pixels.width * scale))
  const height = Math.max(1, Math.round(pixels.height * scale))
  const small = averaged(pixels, width, height)
  const rgba = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const alpha = small[i * 4 + 3] ?? 0
    for (let c = 0; c < 3; c++) rgba[i * 4 + c] = alpha === 0 ? 0 : Math.round((small[i * 4 + c] ?? 0) / alpha)
    rgba[i * 4 + 3] = Math.round(alpha * 255)
  }
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64')
}

const gridEdge = 32
const lowEdge = 8

/**
 * A DCT perceptual hash: the picture, flattened on white, is averaged to 32 × 32 values of luminance; of their cosine
 * transform the 8 × 8 lowest frequencies give a bit each, set where a coefficient is above the median of all but the
 * first. 16 hex digits, lowest frequencies first. Resized, recompressed or lightly edited copies differ in few bits (up
 * to about 10 of 64), unrelated pictures in about 32, and so do mirrored or rotated copies.
 */
export function perceptualHashOf(pixels: Pixels): string {
  const small = averaged(pixels, gridEdge, gridEdge)
  const luminance = new Float64Array(gridEdge * gridEdge)
  for (let i = 0; i < luminance.length; i++) {
    const at = i * 4
    const alpha = small[at + 3] ?? 0
    const value = 0.299 * (small[at] ?? 0) + 0.587 * (small[at + 1] ?? 0) + 0.114 * (small[at + 2] ?? 0)
    luminance[i] = value + 255 * (1 - alpha)
  }
  const low = lowFrequencies(luminance)
  const sorted = [...low.subarray(1)].sort((a, b) => a - b)
  const median = sorted[sorted.length >> 1] ?? 0
  let hash = 0n
  for (const coefficient of low) hash = (hash << 1n) | (coefficient > median ? 1n : 0n)
  return hash.toString(16).padStart(16, '0')
}

/** Means over the areas of a grid: RGB multiplied by alpha, and alpha as 0–1. */
function averaged({ data, width, height, channels }: Pixels, columns: number, rows: number): Float64Array {
  const sums = new Float64Array(columns * rows * 4)
  for (let row = 0; row < rows; row++) {
    const [top, bottom] = span(row, rows, height)
    for (let column = 0; column < columns; column++) {
      const [left, right] = span(column, columns, width)
      const to = (row * columns + column) * 4
      for (let y = top; y < bottom; y++) {
        for (let at = (y * width + left) * channels, end = (y * width + right) * channels; at < end; at += channels) {
          const alpha = channels === 4 ? (data[at + 3] ?? 0) / 255 : 1
          sums[to] = (sums[to] ?? 0) + (data[at] ?? 0) * alpha
          sums[to + 1] = (sums[to + 1] ?? 0) + (data[at + 1] ?? 0) * alpha
          sums[to + 2] = (sums[to + 2] ?? 0) + (data[at + 2] ?? 0) * alpha
          sums[to + 3] = (sums[to + 3] ?? 0) + alpha
        }
      }
      const area = (bottom - top) * (right - left)
      for (let c = 0; c < 4; c++) sums[to + c] = (sums[to + c] ?? 0) / area
    }
  }
  return sums
}

/** Start and end of the `index`th of `count` stripes; at least one pixel, even with fewer pixels than stripes. */
function span(index: number, count: number, length: number): [number, number] {
  const from = Math.min(length - 1, Math.floor((index * length) / count))
  return [from, Math.max(from + 1, Math.floor(((index + 1) * length) / count))]
}

let cosines: Float64Array | undefined

/** cos((2x + 1)uπ / 64) for the lowest eight u. */
function cosineTable(): Float64Array {
  if (cosines !== undefined) return cosines
  const table = new Float64Array(lowEdge * gridEdge)
  for (let u = 0; u < lowEdge; u++) {
    for (let x = 0; x < gridEdge; x++) table[u * gridEdge + x] = Math.cos(((2 * x + 1) * u * Math.PI) / (2 * gridEdge))
  }
  cosines = table
  return table
}

/** The 8 × 8 lowest coefficients of the cosine transform, rows first, unscaled: only their order matters. */
function lowFrequencies(values: Float64Array): Float64Array {
  const table = cosineTable()
  const halfway = new Float64Array(lowEdge * gridEdge)
  for (let u = 0; u < lowEdge; u++) {
    for (let y = 0; y < gridEdge; y++) {
      let sum = 0
      for (let x = 0; x < gridEdge; x++) sum += (values[y * gridEdge + x] ?? 0) * (table[u * gridEdge + x] ?? 0)
      halfway[u * gridEdge + y] = sum
    }
  }
  const low = new Float64Array(lowEdge * lowEdge)
  for (let v = 0; v < lowEdge; v++) {
    for (let u = 0; u < lowEdge; u++) {
      let sum = 0
      for (let y = 0; y < gridEdge; y++) sum += (halfway[u * gridEdge + y] ?? 0) * (table[v * gridEdge + y] ?? 0)
      low[v * lowEdge + u] = sum
    }
  }
  return low
}
