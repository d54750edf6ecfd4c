import { expect, test } from 'bun:test'
import { joinBoxes, partsOf } from '../../../../core/people/faces/detect.ts'
import { commonPart, mostCertain } from '../../../../core/people/faces/detected-boxes.ts'
import type { Detected } from '../../../../core/people/faces/human.ts'
import { croppedFrame, scaledPart } from '../../../../core/people/faces/pixels.ts'

const box = (left: number, top: number, size: number, confidence = 1): Detected => ({
  left,
  top,
  right: left + size,
  bottom: top + size,
  confidence,
  angle: 0,
})

test.each([
  [240, 180],
  [200, 240],
])('a picture of %p × %p is searched only as a whole', (width, height) => {
  expect(partsOf({ width, height })).toEqual([])
})

test.each([
  [2048, 1365, 200],
  [1365, 2048, 200],
  [2048, 400, 200],
  [2048, 2048, 200],
  [500, 375, 75],
  [241, 200, 60],
])('in a picture of %p × %p every face of up to %p pixels lies entirely within one part', (width, height, face) => {
  const parts = partsOf({ width, height })
  for (let x = 0; x + face <= width; x += 7) {
    for (let y = 0; y + face <= height; y += 11) {
      const holds = parts.some(
        part =>
          x >= part.left && y >= part.top && x + face <= part.left + part.width && y + face <= part.top + part.height,
      )
      if (!holds) throw new Error(`nothing holds ${x}, ${y}`)
    }
  }
  for (const { left, top, width: wide, height: high } of parts) {
    expect(left >= 0 && top >= 0 && left + wide <= width && top + high <= height).toBe(true)
  }
})

test('of overlapping boxes, only the most confident one is kept', () => {
  const boxes = [box(0, 0, 100, 0.7), box(10, 0, 100, 0.9), box(300, 0, 50, 0.6)]
  expect(mostCertain(boxes, 0.1, 100).map(({ confidence }) => confidence)).toEqual([0.9, 0.6])
  expect(mostCertain(boxes, 0.1, 1).map(({ confidence }) => confidence)).toEqual([0.9])
  expect(commonPart(box(0, 0, 100), box(50, 0, 100))).toBeCloseTo(1 / 3)
})

test('faces found in the whole picture are not found again in its parts', () => {
  const whole = [box(100, 100, 200)]
  const parts = [box(105, 98, 190, 0.99), box(150, 150, 60, 0.9), box(600, 100, 40, 0.8), box(604, 100, 42, 0.7)]
  expect(joinBoxes(whole, parts)).toEqual([box(100, 100, 200), box(600, 100, 40, 0.8)])
})

/** A picture in which each pixel's colour encodes its position. */
function chart(width: number, height: number) {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set([x, y, 7], (y * width + x) * 3)
  return { width, height, data }
}

test('a part is scaled down', () => {
  const scaled = scaledPart(chart(40, 30), { left: 10, top: 4, width: 20, height: 10 }, 5)
  expect([...scaled.slice(0, 6)]).toEqual([10, 4, 7, 14, 4, 7])
  expect([...scaled.slice(-3)]).toEqual([26, 12, 7])
})

test('a frame is cropped, rotated about its centre, and black outside the picture', () => {
  const picture = chart(41, 41)
  const frame = { left: 10, top: 10, width: 20, height: 20 }
  const at = (numbers: Float32Array, row: number, column: number) =>
    [0, 1].map(colour => Math.round((numbers[(row * 5 + column) * 3 + colour] ?? 0) * 255))
  const straight = croppedFrame(picture, frame, 0, 5)
  const quarter = croppedFrame(picture, frame, Math.PI / 2, 5)
  const [left, top] = at(straight, 0, 0)
  expect([left, top]).toEqual([10, 10])
  // The top right corner is now at the top left.
  const [turnedLeft = 0, turnedTop = 0] = at(quarter, 0, 0)
  expect(Math.abs(turnedLeft - 30)).toBeLessThan(2)
  expect(Math.abs(turnedTop - 10)).toBeLessThan(2)
  const beyond = croppedFrame(picture, { left: -20, top: 0, width: 20, height: 20 }, 0, 5)
  expect([...beyond.slice(0, 3)]).toEqual([0, 0, 0])
})
