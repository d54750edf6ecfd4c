import { describe, expect, test } from 'bun:test'
import { canBeSeen, heldAtMost, keptOf, pagesLacking } from '../../web/items/item-window.ts'

const held = (...ranges: [number, number][]) =>
  new Map(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => [from + at, at] as const)))

describe('the pages to ask for', () => {
  test('are those in which something that is looked at lacks', () => {
    expect(pagesLacking(held(), 0, 5, 30, 1000)).toEqual([1])
    expect(pagesLacking(held(), 25, 65, 30, 1000)).toEqual([1, 2, 3])
    expect(pagesLacking(held([0, 29]), 25, 65, 30, 1000)).toEqual([2, 3])
    expect(pagesLacking(held([0, 89]), 25, 65, 30, 1000)).toEqual([])
  })

  test('end with the list, and nothing is asked of an empty one', () => {
    expect(pagesLacking(held(), 990, 1200, 30, 1000)).toEqual([34])
    expect(pagesLacking(held(), 0, 10, 30, 0)).toEqual([])
    expect(pagesLacking(held(), -30, 5, 30, 1000)).toEqual([1])
  })

  test('of a stretch that is half there, only the half that lacks', () => {
    expect(pagesLacking(held([30, 44]), 30, 44, 30, 1000)).toEqual([])
    expect(pagesLacking(held([30, 44]), 30, 45, 30, 1000)).toEqual([2])
  })
})

describe('what is kept', () => {
  test('is everything while it is not too much', () => {
    const all = held([0, 119])
    expect(keptOf(all, 0, 10, 120)).toBe(all)
  })

  test('is what is round the place looked at', () => {
    const kept = keptOf(held([0, 29], [500, 700]), 600, 620, 120)
    expect([...kept.keys()][0]).toBe(540)
    expect([...kept.keys()].at(-1)).toBe(680)
  })

  test('in the endless gallery is items per page x items per row x 4', () => {
    expect([heldAtMost(10, 1), heldAtMost(10, 3), heldAtMost(50, 6)]).toEqual([40, 120, 1200])
  })

  test('is never less than what is looked at', () => {
    expect(keptOf(held([0, 499]), 0, 499, 120).size).toBe(500)
  })
})

test('what flies past is not loaded, what glides or stands is', () => {
  expect(canBeSeen(0, 10_000, 12)).toBe(true)
  expect(canBeSeen(12, 100, 12)).toBe(true)
  expect(canBeSeen(-12, 100, 12)).toBe(true)
  expect(canBeSeen(-90, 100, 12)).toBe(false)
  expect(canBeSeen(400_000, 100, 12)).toBe(false)
})
