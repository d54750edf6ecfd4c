import { expect, test } from 'bun:test'
import { pageChoices, pageCount, pageForNewSize, pagesShown, pagesThatFit, rangeOf } from '../../web/kit/table/pages.ts'

test('shows at most nine pages, with the open one in the middle where possible', () => {
  expect(pagesShown(1, 3)).toEqual([1, 2, 3])
  expect(pagesShown(3, 62)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(pagesShown(30, 62)).toEqual([26, 27, 28, 29, 30, 31, 32, 33, 34])
  expect(pagesShown(62, 62)).toEqual([54, 55, 56, 57, 58, 59, 60, 61, 62])
})

test('shows nine pages where they fit, and fewer elsewhere', () => {
  expect([640, 455, 382, 300, 200].map(room => pagesThatFit(1, 62, room))).toEqual([9, 9, 5, 3, 1])
  // If all pages have a button, there is no page menu.
  expect(pagesThatFit(1, 9, 374)).toBe(9)
  // Longer numbers need more room.
  expect([1, 50_000].map(page => pagesThatFit(page, 100_000, 640))).toEqual([9, 5])
})

test('the range counts existing items only', () => {
  expect(rangeOf(3, 10, 612)).toEqual({ first: 21, last: 30 })
  expect(rangeOf(62, 10, 612)).toEqual({ first: 611, last: 612 })
  expect(rangeOf(1, 10, 0)).toEqual({ first: 0, last: 0 })
  expect([pageCount(612, 10), pageCount(0, 10), pageCount(10, 10)]).toEqual([62, 1, 1])
})

test('the page menu stays short with a hundred thousand pages', () => {
  expect(pageChoices(62)).toHaveLength(62)
  const many = pageChoices(100_000)
  expect(many.length).toBeLessThan(250)
  expect([many[0], many[1], many.at(-1)]).toEqual([1, 500, 100_000])
})

test('after a change of the page size, the first item of the page stays on the screen', () => {
  expect(pageForNewSize(7, 10, 50)).toBe(2)
  expect(pageForNewSize(2, 50, 10)).toBe(6)
  expect(pageForNewSize(1, 10, 500)).toBe(1)
})
