import { describe, expect, test } from 'bun:test'
import { insideBox, isUnmoved, shownSides, turnedBox, uprightBox } from '../../../core/items/region-geometry.ts'
import { type Box, boxSimilarity, overlapOf } from '../../../schema/boxes.ts'

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

describe('a box on a picture', () => {
  const wide = { width: 4000, height: 3000 }
  test.each([
    ['in the middle', true, box(100, 100, 50, 50)],
    ['at the edges', true, box(0, 0, 1000, 750)],
    ['without a position', true, box(0, 0, 0, 0)],
    ['slightly beyond the edge', true, box(950, 0, 50.3, 10)],
    ['too far right', false, box(960, 0, 50, 50)],
    ['below the lower edge at 750', false, box(0, 720, 50, 50)],
    ['without a size', false, box(10, 10, 0, 50)],
  ])('%s is accepted: %p', (_, inside, given) => {
    expect(insideBox(given, wide) !== null).toBe(inside)
  })

  test('is cut at the edge if it is slightly beyond', () => {
    expect(insideBox(box(950, 0, 50.3, 10), wide)).toEqual(box(950, 0, 50, 10))
  })

  test('has less room in width and more in height on a portrait picture', () => {
    expect(insideBox(box(720, 0, 50, 50), shownSides(wide, 90))).toBeNull()
    expect(insideBox(box(0, 900, 50, 50), shownSides(wide, 90))).not.toBeNull()
  })
})

describe('likeness of boxes', () => {
  test.each([
    ['within 5 units', true, box(100, 100, 50, 50), box(105, 95, 55, 45)],
    ['tiny and within 5 units, without overlap', true, box(100, 100, 2, 2), box(104, 104, 2, 2)],
    ['overlapping enough', true, box(0, 0, 100, 100), box(30, 0, 100, 100)],
    ['overlapping too little', false, box(0, 0, 100, 100), box(60, 0, 100, 100)],
    ['apart', false, box(0, 0, 50, 50), box(500, 500, 50, 50)],
    ['one of them without a position', false, box(0, 0, 0, 0), box(0, 0, 3, 3)],
  ])('%s; alike: %p', (_, alike, a, b) => {
    expect(boxSimilarity(a, b) > 0).toBe(alike)
    expect(boxSimilarity(b, a) > 0).toBe(alike)
  })

  test('overlap is intersection over union', () => {
    expect(overlapOf(box(0, 0, 100, 100), box(50, 0, 100, 100))).toBeCloseTo(1 / 3)
    expect(overlapOf(box(0, 0, 100, 100), box(0, 0, 100, 100))).toBe(1)
  })
})
