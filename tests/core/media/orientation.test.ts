import { describe, expect, test } from 'bun:test'
import type { Rotation } from '../../../core/media/cache/renditions.ts'
import { sizeAfter, uprighting } from '../../../core/media/decode/orientation.ts'

/** Mirrors and then rotates rows of letters as `uprighting` says. */
function drawPixels(rows: string[], orientation: number, rotation: Rotation = 0): string[] {
  const { mirror, rotation: clockwise } = uprighting(orientation, rotation)
  let shown = mirror ? rows.map(row => [...row].reverse().join('')) : rows
  for (let done = 0; done < clockwise; done += 90) {
    const before = shown
    shown = [...(before[0] ?? '')].map((_, column) =>
      before
        .map(row => row[column])
        .reverse()
        .join(''),
    )
  }
  return shown
}

describe('orientation', () => {
  /** How each orientation stores the upright picture AB / CD / EF, with row 0 and column 0 as EXIF defines them. */
  const stored: Record<number, string[]> = {
    1: ['AB', 'CD', 'EF'],
    2: ['BA', 'DC', 'FE'],
    3: ['FE', 'DC', 'BA'],
    4: ['EF', 'CD', 'AB'],
    5: ['ACE', 'BDF'],
    6: ['BDF', 'ACE'],
    7: ['FDB', 'ECA'],
    8: ['ECA', 'FDB'],
  }
  for (const [orientation, rows] of Object.entries(stored)) {
    test(`${orientation} is shown upright`, () => {
      expect(drawPixels(rows, Number(orientation))).toEqual(['AB', 'CD', 'EF'])
    })
    test(`${orientation} is shown rotated to the right if the owner rotated it`, () => {
      expect(drawPixels(rows, Number(orientation), 90)).toEqual(['ECA', 'FDB'])
    })
  }

  test('values that EXIF does not define mean upright', () => {
    for (const value of [0, 9, -1, Number.NaN]) expect(uprighting(value)).toEqual({ mirror: false, rotation: 0 })
  })

  test('a quarter turn swaps width and height', () => {
    expect(sizeAfter(uprighting(6), { width: 40, height: 30 })).toEqual({ width: 30, height: 40 })
    expect(sizeAfter(uprighting(6, 90), { width: 40, height: 30 })).toEqual({ width: 40, height: 30 })
  })
})
