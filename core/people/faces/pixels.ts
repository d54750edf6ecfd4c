/** Parts of pictures as input of networks: scaled and rotated like tfjs, so that results equal those of a browser. */

/** Three bytes per pixel: red, green, blue. */
export interface Picture {
  width: number
  height: number
  data: Uint8Array
}

/** A box in a picture, in its pixels. */
export interface Rectangle {
  left: number
  top: number
  width: number
  height: number
}

/** A part of a picture as `side` × `side`, interpolated like `resizeBilinear` of tfjs without centred pixels. */
export function scaledPart(
  { width, data }: { width: number; data: Uint8Array | Float32Array },
  part: Rectangle,
  side: number,
): Float32Array {
  const out = new Float32Array(side * side * 3)
  const down = part.height / side
  const across = part.width / side
  let to = 0
  for (let row = 0; row < side; row++) {
    const y = row * down
    const top = Math.floor(y)
    const bottom = Math.min(part.height - 1, Math.ceil(y))
    const yPart = y - top
    const upper = (part.top + top) * width + part.left
    const lower = (part.top + bottom) * width + part.left
    for (let column = 0; column < side; column++) {
      const x = column * across
      const left = Math.floor(x)
      const right = Math.min(part.width - 1, Math.ceil(x))
      const xPart = x - left
      for (let colour = 0; colour < 3; colour++) {
        const a = data[(upper + left) * 3 + colour] ?? 0
        const b = data[(upper + right) * 3 + colour] ?? 0
        const c = data[(lower + left) * 3 + colour] ?? 0
        const d = data[(lower + right) * 3 + colour] ?? 0
        const above = a + (b - a) * xPart
        const below = c + (d - c) * xPart
        out[to++] = above + (below - above) * yPart
      }
    }
  }
  return out
}

/**
 * Rotates a picture about the centre of a box (by `angle` radians, to nearest pixels), and returns the box as `side` ×
 * `side` pixels from 0 to 1, black outside of the picture: like `rotateWithOffset` and `cropAndResize` of tfjs.
 */
export function croppedFrame(picture: Picture, frame: Rectangle, angle: number, side: number): Float32Array {
  const { width, height, data } = picture
  const out = new Float32Array(side * side * 3)
  const middleX = frame.left + frame.width / 2
  const middleY = frame.top + frame.height / 2
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const isTurned = angle !== 0
  // The crop's corners are fractions of the picture, which tfjs applies to the position of the last pixel.
  const xFrom = (frame.left / width) * (width - 1)
  const yFrom = (frame.top / height) * (height - 1)
  const xStep = ((frame.width / width) * (width - 1)) / (side - 1)
  const yStep = ((frame.height / height) * (height - 1)) / (side - 1)

  /** Index in the data of the pixel at this position; -1 if there is none. */
  function placeOf(x: number, y: number): number {
    if (!isTurned) return (y * width + x) * 3
    const fromX = Math.round((x - middleX) * cosine - (y - middleY) * sine + middleX)
    const fromY = Math.round((x - middleX) * sine + (y - middleY) * cosine + middleY)
    return fromX < 0 || fromX >= width || fromY < 0 || fromY >= height ? -1 : (fromY * width + fromX) * 3
  }

  let to = 0
  for (let row = 0; row < side; row++) {
    const y = yFrom + row * yStep
    if (y < 0 || y > height - 1) {
      to += side * 3
      continue
    }
    const top = Math.floor(y)
    const bottom = Math.ceil(y)
    const yPart = y - top
    for (let column = 0; column < side; column++, to += 3) {
      const x = xFrom + column * xStep
      if (x < 0 || x > width - 1) continue
      const left = Math.floor(x)
      const right = Math.ceil(x)
      const xPart = x - left
      const [a, b, c, d] = [placeOf(left, top), placeOf(right, top), placeOf(left, bottom), placeOf(right, bottom)]
      for (let colour = 0; colour < 3; colour++) {
        const one = a < 0 ? 0 : (data[a + colour] ?? 0)
        const two = b < 0 ? 0 : (data[b + colour] ?? 0)
        const three = c < 0 ? 0 : (data[c + colour] ?? 0)
        const four = d < 0 ? 0 : (data[d + colour] ?? 0)
        const above = one + (two - one) * xPart
        const below = three + (four - three) * xPart
        out[to + colour] = (above + (below - above) * yPart) / 255
      }
    }
  }
  return out
}
