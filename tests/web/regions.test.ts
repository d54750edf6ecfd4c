import { describe, expect, test } from 'bun:test'
import {
  boxAsShares,
  boxOnCover,
  labelPlace,
  labelShift,
  type PictureBox,
  rotatedBox,
} from '../../web/items/pictures/region-rules.ts'

const landscape = { width: 4000, height: 3000 }
const portrait = { width: 3000, height: 4000 }

test('a box of 50 by 50 is 5 % of the longer edge', () => {
  expect(boxAsShares({ x: 0, y: 0, width: 50, height: 50 }, landscape)).toEqual({
    x: 0,
    y: 0,
    width: 0.05,
    height: 50 / 750,
  })
  expect(boxAsShares({ x: 0, y: 0, width: 50, height: 50 }, portrait)).toEqual({
    x: 0,
    y: 0,
    width: 50 / 750,
    height: 0.05,
  })
  expect(boxAsShares({ x: 0, y: 0, width: 50, height: 50 }, { width: 0, height: 0 })).toBeNull()
})

describe('rotating a picture rotates its boxes', () => {
  const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.1 }
  const near = (a: PictureBox, b: PictureBox) => {
    for (const name of ['x', 'y', 'width', 'height'] as const) expect(a[name]).toBeCloseTo(b[name], 9)
  }

  test('clockwise by a quarter moves the left edge to the top', () => {
    near(rotatedBox(box, 90), { x: 0.7, y: 0.1, width: 0.1, height: 0.3 })
  })

  test('four quarter turns restore them', () => {
    let turned: PictureBox = box
    for (let quarter = 0; quarter < 4; quarter++) turned = rotatedBox(turned, 90)
    near(turned, box)
    near(rotatedBox(box, 180), rotatedBox(rotatedBox(box, 90), 90))
    near(rotatedBox(box, 270), rotatedBox(rotatedBox(box, 180), 90))
    near(rotatedBox(box, -90), rotatedBox(box, 270))
  })
})

describe('on a card with a cropped picture', () => {
  const card = { width: 400, height: 400 }

  test('a box moves with the part that is shown', () => {
    // 4000 × 3000 on 400 × 400 is drawn 533 wide: 67 are cut at either side.
    const box = boxOnCover({ x: 0.5, y: 0, width: 0.25, height: 0.5 }, landscape, card)
    expect(box?.x).toBeCloseTo(200)
    expect(box?.y).toBeCloseTo(0)
    expect(box?.width).toBeCloseTo(133.33, 1)
    expect(box?.height).toBeCloseTo(200)
  })

  test('a tall picture keeps more of its upper part', () => {
    const box = boxOnCover({ x: 0, y: 0, width: 1, height: 1 }, portrait, card)
    expect(box?.y).toBeCloseTo(-133.33 * 0.35, 1)
  })

  test('a box outside the visible part is not drawn', () => {
    expect(boxOnCover({ x: 0, y: 0.2, width: 0.1, height: 0.2 }, landscape, card)).toBeNull()
  })
})

test('a label is above its box, else below, else inside the visible part', () => {
  const frame = { width: 400, height: 400 }
  expect(labelPlace({ x: 10, y: 40, width: 100, height: 100 }, frame)).toBe('above')
  expect(labelPlace({ x: 10, y: 4, width: 100, height: 100 }, frame)).toBe('under')
  expect(labelPlace({ x: 10, y: 4, width: 100, height: 390 }, frame)).toBe('inside')
  expect(labelShift({ x: -30, y: 4, width: 100, height: 390 })).toEqual({ left: 36, top: 6 })
  expect(labelShift({ x: 0, y: 4, width: 100, height: 390 })).toBeNull()
})
