/** Converts regions from the formats in files to the format of the library, and back. */
import { describe, expect, test } from 'bun:test'
import { turnedBox, uprightBox } from '../../../core/items/region-geometry.ts'
import type { FileRegion } from '../../../core/metadata/metadata.ts'
import {
  type ItemRegion,
  isSameBox,
  regionFromFile,
  regionToFile,
  type StoredPicture,
  uprightRegion,
  uprightSize,
} from '../../../core/metadata/regions.ts'
import { type Box, overlapOf } from '../../../schema/boxes.ts'

function region(x: number, y: number, width: number, height: number, more: Partial<FileRegion> = {}): FileRegion {
  return { kind: 'person', name: 'Anna', x, y, width, height, frame: 'stored', ...more }
}

function boxOf(found: ItemRegion | null): number[] | null {
  return found === null ? null : [found.x, found.y, found.width, found.height]
}

const orientations = [1, 2, 3, 4, 5, 6, 7, 8]

describe('a region in a file', () => {
  test('is converted to thousandths of the longer edge, from its centre to its corner', () => {
    const landscape = { width: 4000, height: 3000, orientation: 1 }
    expect(boxOf(regionFromFile(region(0.5, 0.5, 0.1, 0.2), landscape))).toEqual([450, 300, 100, 150])
    const portrait = { width: 3000, height: 4000, orientation: 1 }
    expect(boxOf(regionFromFile(region(0.5, 0.5, 0.1, 0.2), portrait))).toEqual([337.5, 400, 75, 200])
  })

  test('in upright coordinates is the same in every file of the picture', () => {
    for (const orientation of orientations) {
      const picture = { width: 4000, height: 2000, orientation }
      const applied = [undefined, { width: 4000, height: 2000 }, { width: 2000, height: 4000 }]
      for (const appliedTo of applied) {
        const found = region(0.2, 0.1, 0.2, 0.1, appliedTo === undefined ? {} : { appliedTo })
        const shown = regionFromFile(found, picture)
        for (const other of orientations) {
          // A file with another orientation that shows the same upright picture.
          const size = uprightSize({ ...uprightSize(picture), orientation: other })
          expect(regionFromFile(uprightRegion(found, picture), { ...size, orientation: other })).toEqual(shown)
        }
      }
    }
  })

  // The box is at the top left of the stored picture: centre (0.2, 0.1), width 0.2, height 0.1, aspect ratio 2:1.
  const turned: [orientation: number, box: number[]][] = [
    [1, [100, 25, 200, 50]],
    [2, [700, 25, 200, 50]],
    [3, [700, 425, 200, 50]],
    [4, [100, 425, 200, 50]],
    [5, [25, 100, 50, 200]],
    [6, [425, 100, 50, 200]],
    [7, [425, 700, 50, 200]],
    [8, [25, 700, 50, 200]],
  ]
  for (const [orientation, box] of turned) {
    test(`is turned upright with orientation ${orientation}`, () => {
      const picture = { width: 2000, height: 1000, orientation }
      expect(boxOf(regionFromFile(region(0.2, 0.1, 0.2, 0.1), picture))).toEqual(box)
    })
  }

  test('in upright coordinates is not turned', () => {
    const picture = { width: 700, height: 840, orientation: 6 }
    const stored = regionFromFile(region(0.307857, 0.631548, 0.198571, 0.113095), picture)
    const shown = regionFromFile(region(0.368452, 0.307857, 0.113095, 0.198571, { frame: 'upright' }), picture)
    expect(boxOf(stored)).toEqual(boxOf(shown) ?? [])
  })

  test('that was applied to the upright size is read as upright', () => {
    const picture = { width: 2000, height: 1000, orientation: 6 }
    const applied = (width: number, height: number) => region(0.2, 0.1, 0.2, 0.1, { appliedTo: { width, height } })
    expect(boxOf(regionFromFile(applied(2000, 1000), picture))).toEqual([425, 100, 50, 200])
    expect(boxOf(regionFromFile(applied(500, 1000), picture))).toEqual([50, 50, 100, 100])
    // A square looks the same in every orientation.
    expect(boxOf(regionFromFile(applied(900, 900), picture))).toEqual([425, 100, 50, 200])
  })

  test('is cropped at the edges, and dropped when outside', () => {
    const picture = { width: 1000, height: 1000, orientation: 1 }
    expect(boxOf(regionFromFile(region(0.98, 0.98, 0.1, 0.1), picture))).toEqual([930, 930, 70, 70])
    expect(boxOf(regionFromFile(region(0.5, 0.5, 1, 1), picture))).toEqual([0, 0, 1000, 1000])
    expect(boxOf(regionFromFile(region(1.2, 0.5, 0.1, 0.1), picture))).toBeNull()
  })

  test('is the same after a round trip in either frame', () => {
    for (const orientation of orientations) {
      const picture: StoredPicture = { width: 4000, height: 3000, orientation }
      const original = region(0.3, 0.6, 0.11, 0.07)
      const item = regionFromFile(original, picture)
      if (item === null) throw new Error('lost')
      const stored = regionToFile(item, picture, 'stored')
      for (const key of ['x', 'y', 'width', 'height'] as const) expect(stored[key]).toBeCloseTo(original[key], 4)
      expect(stored.appliedTo).toEqual({ width: 4000, height: 3000 })
      const upright = regionToFile(item, picture, 'upright')
      expect(boxOf(regionFromFile(upright, picture))).toEqual(boxOf(item) ?? [])
    }
  })
})

test('orientations with a quarter turn swap width and height', () => {
  const sizes = orientations.map(orientation => uprightSize({ width: 40, height: 30, orientation }).width)
  expect(sizes).toEqual([40, 40, 40, 40, 30, 30, 30, 30])
})

describe('two boxes', () => {
  const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height })
  const cases: [a: Box, b: Box, same: boolean][] = [
    [box(100, 100, 50, 50), box(100, 100, 50, 50), true],
    [box(100, 100, 50, 50), box(105, 95, 50, 50), true],
    // Tiny boxes within the tolerance need not even touch.
    [box(100, 100, 4, 4), box(105, 100, 4, 4), true],
    [box(100, 100, 4, 4), box(106, 100, 4, 4), false],
    // Boxes that share half of their width overlap by 1/3; boxes that share 60 % of it, by 0.43.
    [box(100, 100, 50, 50), box(125, 100, 50, 50), false],
    [box(100, 100, 50, 50), box(120, 100, 50, 50), true],
    [box(100, 100, 100, 100), box(120, 120, 60, 60), false],
    [box(100, 100, 100, 100), box(115, 115, 70, 70), true],
    [box(100, 100, 50, 50), box(300, 300, 50, 50), false],
  ]
  for (const [a, b, same] of cases) {
    test(`${JSON.stringify(a)} and ${JSON.stringify(b)} are ${same ? 'the same' : 'not the same'}`, () => {
      expect(isSameBox(a, b)).toBe(same)
      expect(isSameBox(b, a)).toBe(same)
    })
  }

  test('overlap is intersection over union', () => {
    expect(overlapOf(box(0, 0, 100, 100), box(50, 0, 100, 100))).toBeCloseTo(1 / 3)
    expect(overlapOf(box(0, 0, 10, 10), box(10, 0, 10, 10))).toBe(0)
    expect(overlapOf(box(0, 0, 0, 0), box(0, 0, 0, 0))).toBe(0)
  })
})

describe('the Rotation property', () => {
  const size = { width: 2000, height: 1000 }
  const box = { x: 100, y: 50, width: 200, height: 100 }
  const turned: [turn: number, box: number[]][] = [
    [0, [100, 50, 200, 100]],
    [90, [350, 100, 100, 200]],
    [180, [700, 350, 200, 100]],
    [270, [50, 700, 100, 200]],
  ]
  for (const [turn, expected] of turned) {
    test(`turns boxes by ${turn} degrees clockwise, and back`, () => {
      const found = turnedBox(box, turn, size)
      expect([found.x, found.y, found.width, found.height]).toEqual(expected)
      expect(uprightBox(found, turn, size)).toEqual(box)
    })
  }
})
