import { describe, expect, test } from 'bun:test'
import {
  coveredPart,
  doubleClickScale,
  fittedView,
  fitWithin,
  keepOnStage,
  maxScale,
  swipeStep,
  turnedSize,
  zoomAt,
} from '../../web/items/pictures/zoom.ts'

const stage = { width: 1000, height: 800 }
const picture = { width: 4000, height: 3000 }
const fit = fitWithin(picture, stage)
const frame = { fit, stage, maxScale: 8 }

test('a picture fits the stage; a small one is enlarged at most twice', () => {
  expect(fit).toEqual({ width: 1000, height: 750 })
  expect(fitWithin({ width: 3000, height: 4000 }, stage)).toEqual({ width: 600, height: 800 })
  expect(fitWithin({ width: 160, height: 120 }, stage)).toEqual({ width: 320, height: 240 })
  expect(fitWithin({ width: 0, height: 0 }, stage)).toEqual(stage)
})

test('a card is covered, unless that enlarges a picture to more than twice its own pixels', () => {
  const card = { width: 370, height: 455 }
  expect(coveredPart(picture, card, 1)).toBe(card)
  expect(coveredPart({ width: 200, height: 300 }, card, 1)).toBe(card)
  expect(coveredPart({ width: 160, height: 120 }, card, 1)).toEqual({ width: 320, height: 240 })
  // Only its height is too small.
  expect(coveredPart({ width: 1000, height: 100 }, card, 1)).toEqual({ width: 370, height: 200 })
  expect(coveredPart({ width: 400, height: 500 }, card, 2)).toBe(card)
  expect(coveredPart({ width: 300, height: 400 }, card, 2)).toEqual({ width: 300, height: 400 })
  expect(coveredPart({ width: 0, height: 0 }, card, 1)).toBe(card)
})

test('a quarter turn swaps the sides, a half turn does not', () => {
  expect(turnedSize(picture, 90)).toEqual({ width: 3000, height: 4000 })
  expect(turnedSize(picture, 180)).toEqual(picture)
  expect(turnedSize(picture, 270)).toEqual({ width: 3000, height: 4000 })
})

describe('zooming', () => {
  /** The point of the picture that lies under a point of the stage, as fractions of the picture from its middle. */
  const under = (view: typeof fittedView, point: { x: number; y: number }) => [
    (point.x - view.x) / (fit.width * view.scale),
    (point.y - view.y) / (fit.height * view.scale),
  ]

  test('keeps the point under the pointer in place', () => {
    const point = { x: 200, y: -120 }
    let view = fittedView
    for (const factor of [2, 1.4, 1.3, 0.8]) {
      const before = under(view, point)
      view = zoomAt(view, factor, point, frame)
      const after = under(view, point)
      expect(after[0]).toBeCloseTo(before[0] ?? Number.NaN, 9)
      expect(after[1]).toBeCloseTo(before[1] ?? Number.NaN, 9)
    }
  })

  test('stays between the whole picture and the maximum scale', () => {
    expect(zoomAt(fittedView, 0.1, { x: 300, y: 300 }, frame)).toEqual(fittedView)
    expect(zoomAt(fittedView, 100, { x: 0, y: 0 }, frame).scale).toBe(8)
    expect(maxScale(picture, fit)).toBe(8)
    expect(maxScale({ width: 1000, height: 750 }, fit)).toBe(2)
    expect(maxScale(picture, fit, 2)).toBe(4)
    expect(maxScale({ width: 0, height: 0 }, fit)).toBe(4)
  })

  test('leaves no gap beside a picture that is larger than the stage, and centres a smaller one', () => {
    expect(keepOnStage({ scale: 2, x: 9999, y: -9999 }, fit, stage)).toEqual({ scale: 2, x: 500, y: -350 })
    expect(keepOnStage({ scale: 1.05, x: 20, y: 20 }, fit, stage)).toEqual({ scale: 1.05, x: 20, y: 0 })
  })

  test('by double click switches between fit and actual pixels', () => {
    expect(doubleClickScale(fittedView, picture, fit, 1)).toBe(4)
    expect(doubleClickScale(fittedView, picture, fit, 2)).toBe(2)
    // The stage shows its own pixels already.
    expect(doubleClickScale(fittedView, { width: 1000, height: 750 }, fit, 1)).toBe(2)
    // It is enlarged to twice its own pixels already.
    expect(doubleClickScale(fittedView, { width: 500, height: 375 }, fit, 1)).toBe(1)
    expect(doubleClickScale({ scale: 4, x: 0, y: 0 }, picture, fit, 1)).toBe(1)
  })
})

test('a swipe is completed when it was far or fast, and reverted when it turned back', () => {
  expect(swipeStep(-130, 0, 390)).toBe(1)
  expect(swipeStep(130, 0, 390)).toBe(-1)
  expect(swipeStep(-40, -0.8, 390)).toBe(1)
  expect(swipeStep(-40, 0.8, 390)).toBe(0)
  expect(swipeStep(-10, -2, 390)).toBe(0)
})
