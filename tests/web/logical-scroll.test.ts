import { describe, expect, test } from 'bun:test'
import {
  lastPosition,
  maxSpacer,
  needsRecentring,
  placementOf,
  positionOf,
  spacerHeight,
} from '../../web/gallery/logical-scroll.ts'

/** A million cards, three a row, on a laptop. */
const million = { content: Math.ceil(1_000_000 / 3) * 459, view: 852 }
const few = { content: 4 * 459, view: 852 }

describe('a space of a million cards', () => {
  test('never asks the browser for more than it can scroll', () => {
    expect(spacerHeight(million)).toBe(maxSpacer)
    expect(spacerHeight(few)).toBe(few.content)
    expect(spacerHeight({ content: 100, view: 852 })).toBe(852)
  })

  test('places any position, and reads it back exactly', () => {
    for (const position of [0, 1, 918, 1_999_999, 76_500_000, 152_999_000, lastPosition(million)]) {
      const placed = placementOf(position, million)
      expect(positionOf(placed, million)).toBe(position)
      expect(placed.scrollTop).toBeGreaterThanOrEqual(0)
      expect(placed.scrollTop).toBeLessThanOrEqual(maxSpacer - million.view)
    }
  })

  test('has both ends at the ends of the spacer, so that the browser stops there', () => {
    expect(placementOf(0, million)).toEqual({ offset: 0, scrollTop: 0 })
    expect(placementOf(lastPosition(million), million).scrollTop).toBe(maxSpacer - million.view)
    expect(placementOf(1e12, million)).toEqual(placementOf(lastPosition(million), million))
    expect(placementOf(-5, million)).toEqual({ offset: 0, scrollTop: 0 })
  })

  test('is centred with as much room above as below', () => {
    const { scrollTop } = placementOf(76_500_000, million)
    expect(Math.abs(scrollTop - (maxSpacer - million.view) / 2)).toBeLessThan(1)
  })

  test('notices when the spacer runs out before the content does, and only then', () => {
    const middle = placementOf(76_500_000, million)
    expect(needsRecentring(middle, million)).toBe(false)
    expect(needsRecentring({ ...middle, scrollTop: 1000 }, million)).toBe(true)
    expect(needsRecentring({ ...middle, scrollTop: maxSpacer - million.view - 1000 }, million)).toBe(true)
    expect(needsRecentring(placementOf(0, million), million)).toBe(false)
    expect(needsRecentring(placementOf(lastPosition(million), million), million)).toBe(false)
  })
})

test('content that fits the spacer scrolls normally', () => {
  expect(placementOf(700, few)).toEqual({ offset: 0, scrollTop: 700 })
  expect(lastPosition(few)).toBe(4 * 459 - 852)
  expect(lastPosition({ content: 100, view: 852 })).toBe(0)
  expect(needsRecentring({ offset: 0, scrollTop: 0 }, few)).toBe(false)
})

test('a long scroll in small steps loses no pixel when it is re-centred', () => {
  let placed = placementOf(0, million)
  let expected = 0
  for (let step = 0; step < 40_000; step++) {
    const by = ((step * 7919) % 5000) - 1200
    const before = placed.scrollTop
    placed = { ...placed, scrollTop: Math.max(0, before + by) }
    expected += placed.scrollTop - before
    if (step % 50 === 0 || needsRecentring(placed, million)) placed = placementOf(positionOf(placed, million), million)
  }
  expect(positionOf(placed, million)).toBe(expected)
})
