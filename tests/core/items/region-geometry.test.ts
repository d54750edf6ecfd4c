import { describe, expect, test } from 'bun:test'
import { insideBox, isUnmoved, shownSides, turnedBox, uprightBox } from '../../../core/items/region-geometry.ts'
import { type Box, likeness, overlapOf } from '../../../schema/boxes.ts'

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height })

describe('a box that is rotated and rotated back', () => {
  test.each([0, 90, 180, 270])('by %d degrees is unchanged, on pictures of any shape', rotation => {
    for (const picture of [
      { width: 4000, height: 3000 },
      { width: 1080, height: 2412 },
      { width: 777, height: 777 },
      { width: 0, height: 0 },
    ]) {
      for (const given of [box(0, 0, 50, 50), box(12.345, 300.5, 77.7, 111.1), box(0, 0, 0, 0)]) {
        const back = uprightBox(turnedBox(given, rotation, picture), rotation, picture)
        expect(isUnmoved(back, given)).toBe(true)
        const forth = turnedBox(uprightBox(given, rotation, picture), rotation, picture)
        expect(isUnmoved(forth, given)).toBe(true)
      }
    }
  })
})

describe('a box inside a picture', () => {
  const wide = { width: 4000, height: 3000 }
  test.each([
    ['in the middle', box(100, 100, 50, 50), true],
    ['at the edges', box(0, 0, 1000, 750), true],
    ['without a position', box(0, 0, 0, 0), true],
    ['slightly beyond the edge', box(950, 0, 50.3, 10), true],
    ['too far right', box(960, 0, 50, 50), false],
    ['too far down, but within a square', box(0, 720, 50, 50), false],
    ['without a size', box(10, 10, 0, 50), false],
  ])('%s', (_, given, inside) => {
    expect(insideBox(given, wide) !== null).toBe(inside)
  })

  test('is cut at the edge if it is slightly beyond', () => {
    expect(insideBox(box(950, 0, 50.3, 10), wide)).toEqual(box(950, 0, 50, 10))
  })

  test('has less width on a portrait picture', () => {
    expect(insideBox(box(720, 0, 50, 50), shownSides(wide, 90))).toBeNull()
    expect(insideBox(box(0, 900, 50, 50), shownSides(wide, 90))).not.toBeNull()
  })
})

describe('likeness of boxes', () => {
  test.each([
    ['within 5 units', box(100, 100, 50, 50), box(105, 95, 55, 45), true],
    ['tiny and within 5 units, without overlap', box(100, 100, 2, 2), box(104, 104, 2, 2), true],
    ['overlapping enough', box(0, 0, 100, 100), box(30, 0, 100, 100), true],
    ['overlapping too little', box(0, 0, 100, 100), box(60, 0, 100, 100), false],
    ['apart', box(0, 0, 50, 50), box(500, 500, 50, 50), false],
    ['one of them without a position', box(0, 0, 0, 0), box(0, 0, 3, 3), false],
  ])('%s', (_, a, b, same) => {
    expect(likeness(a, b) > 0).toBe(same)
    expect(likeness(b, a) > 0).toBe(same)
  })

  test('overlap is intersection over union', () => {
    expect(overlapOf(box(0, 0, 100, 100), box(50, 0, 100, 100))).toBeCloseTo(1 / 3)
    expect(overlapOf(box(0, 0, 100, 100), box(0, 0, 100, 100))).toBe(1)
  })
})
