/** Aligns faces by five points, and converts pictures to the input of a network. Pure. */
import type { Picture, Rectangle } from '../pixels.ts'

export type Point = readonly [x: number, y: number]

/** Positions of eyes, nose and corners of the mouth in the 112-pixel faces of embedders' training (ArcFace's). */
const landmarks: readonly Point[] = [
  [38.2946, 51.6963],
  [73.5318, 51.5014],
  [56.0252, 71.7366],
  [41.5493, 92.3655],
  [70.7299, 92.2041],
]
const landmarksSide = 112

/** A similarity transform: x' = a·x − b·y + dx, y' = b·x + a·y + dy. */
export interface Transform {
  a: number
  b: number
  dx: number
  dy: number
}

/** The transform that maps points as closely as possible to others, by least squares. */
export function fitTransform(from: readonly Point[], to: readonly Point[]): Transform {
  const middle = (points: readonly Point[], axis: 0 | 1) =>
    points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [fromX, fromY, toX, toY] = [middle(from, 0), middle(from, 1), middle(to, 0), middle(to, 1)]
  let [along, across, all] = [0, 0, 0]
  for (const [n, [x, y]] of from.entries()) {
    const [u, v] = to[n] ?? [0, 0]
    const [px, py, qx, qy] = [x - fromX, y - fromY, u - toX, v - toY]
    along += px * qx + py * qy
    across += px * qy - py * qx
    all += px * px + py * py
  }
  const [a, b] = all === 0 ? [1, 0] : [along / all, across / all]
  return { a, b, dx: toX - (a * fromX - b * fromY), dy: toY - (b * fromX + a * fromY) }
}

/** Number format of a network's input. */
export interface InputFormat {
  channels: 'rgb' | 'bgr'
  mean: readonly [number, number, number]
  scale: number
}

/** Writes one pixel, interpolated between four of the picture, into three planes. Outside of `bounds`, all is black. */
function writePixel(
  picture: Picture,
  bounds: Rectangle,
  [x, y]: Point,
  { channels, mean, scale }: InputFormat,
  out: Float32Array,
  at: number,
  plane: number,
): void {
  const { width, data } = picture
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [xPart, yPart] = [x - left, y - top]
  const offsetOf = (px: number, py: number) =>
    px < bounds.left || py < bounds.top || px >= bounds.left + bounds.width || py >= bounds.top + bounds.height
      ? -1
      : (py * width + px) * 3
  const [a, b, c, d] = [
    offsetOf(left, top),
    offsetOf(left + 1, top),
    offsetOf(left, top + 1),
    offsetOf(left + 1, top + 1),
  ]
  for (let colour = 0; colour < 3; colour++) {
    const value = (from: number) => (from < 0 ? 0 : (data[from + colour] ?? 0))
    const above = value(a) + (value(b) - value(a)) * xPart
    const below = value(c) + (value(d) - value(c)) * xPart
    const to = channels === 'rgb' ? colour : 2 - colour
    out[to * plane + at] = (above + (below - above) * yPart - (mean[to] ?? 0)) * scale
  }
}

/** An aligned face, `side` pixels wide and high. */
export function alignedFace(
  picture: Picture,
  points: readonly Point[],
  side: number,
  format: InputFormat,
): Float32Array {
  const scale = side / landmarksSide
  const wanted = landmarks.map(([x, y]): Point => [x * scale, y * scale])
  // From the aligned face back to the picture.
  const { a, b, dx, dy } = fitTransform(wanted, points)
  const out = new Float32Array(3 * side * side)
  const all = { left: 0, top: 0, width: picture.width, height: picture.height }
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      writePixel(picture, all, [a * x - b * y + dx, b * x + a * y + dy], format, out, y * side + x, side * side)
    }
  }
  return out
}

/** A part of a picture at the top left of a network's input, scaled to fit; `scale` is the factor. */
export function fittedInput(
  picture: Picture,
  part: Rectangle,
  size: { width: number; height: number },
  format: InputFormat,
): { input: Float32Array; scale: number } {
  const scale = Math.min(size.width / part.width, size.height / part.height)
  const plane = size.width * size.height
  const input = new Float32Array(3 * plane)
  for (const [n, mean] of format.mean.entries()) input.fill(-mean * format.scale, n * plane, (n + 1) * plane)
  const wide = Math.min(size.width, Math.round(part.width * scale))
  const high = Math.min(size.height, Math.round(part.height * scale))
  for (let y = 0; y < high; y++) {
    // Pixel centres are aligned; at the edge the last pixel is repeated.
    const fromY = part.top + Math.min(part.height - 1, Math.max(0, (y + 0.5) / scale - 0.5))
    for (let x = 0; x < wide; x++) {
      const fromX = part.left + Math.min(part.width - 1, Math.max(0, (x + 0.5) / scale - 0.5))
      writePixel(picture, part, [fromX, fromY], format, input, y * size.width + x, plane)
    }
  }
  return { input, scale }
}
