import { describe, expect, test } from 'bun:test'
import { isWorthLoading, itemsToKeep, maxHeldItems, missingPages } from '../../web/items/item-window.ts'

const held = (...ranges: [number, number][]) =>
  new Map(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => [from + at, at] as const)))

describe('the pages to request', () => {
  test('are those with visible items that are not loaded', () => {
    expect(missingPages(held(), 0, 5, 30, 1000)).toEqual([1])
    expect(missingPages(held(), 25, 65, 30, 1000)).toEqual([1, 2, 3])
    expect(missingPages(held([0, 29]), 25, 65, 30, 1000)).toEqual([2, 3])
    expect(missingPages(held([0, 89]), 25, 65, 30, 1000)).toEqual([])
  })

  test('end with the list, and are none for an empty list', () => {
    expect(missingPages(held(), 990, 1200, 30, 1000)).toEqual([34])
    expect(missingPages(held(), 0, 10, 30, 0)).toEqual([])
    expect(missingPages(held(), -30, 5, 30, 1000)).toEqual([1])
  })

  test('are only the missing ones of a partly loaded range', () => {
    expect(missingPages(held([30, 44]), 30, 44, 30, 1000)).toEqual([])
    expect(missingPages(held([30, 44]), 30, 45, 30, 1000)).toEqual([2])
  })
})

describe('the loaded items that are kept', () => {
  test('are all of them up to the limit', () => {
    const all = held([0, 119])
    expect(itemsToKeep(all, 0, 10, 120)).toBe(all)
  })

  test('are those around the visible ones', () => {
    const kept = itemsToKeep(held([0, 29], [500, 700]), 600, 620, 120)
    expect([...kept.keys()][0]).toBe(540)
    expect([...kept.keys()].at(-1)).toBe(680)
  })

  test('in the endless gallery are at most items per page x items per row x 4', () => {
    expect([maxHeldItems(10, 1), maxHeldItems(10, 3), maxHeldItems(50, 6)]).toEqual([40, 120, 1200])
  })

  test('always include the visible ones', () => {
    expect(itemsToKeep(held([0, 499]), 0, 499, 120).size).toBe(500)
  })
})

test('loads items at rest or in slow scrolling, but not in fast scrolling', () => {
  expect(isWorthLoading(0, 10_000, 12)).toBe(true)
  expect(isWorthLoading(12, 100, 12)).toBe(true)
  expect(isWorthLoading(-12, 100, 12)).toBe(true)
  expect(isWorthLoading(-90, 100, 12)).toBe(false)
  expect(isWorthLoading(400_000, 100, 12)).toBe(false)
})
