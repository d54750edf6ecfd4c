import { expect, test } from 'bun:test'
import { indexAt, marksOf, monthOfIndex, monthTicks, yearLabels } from '../../web/items/scrubber-marks.ts'

const marks = marksOf([
  { year: 2012, month: 8, count: 60 },
  { year: 2012, month: 7, count: 20 },
  { year: 2011, month: 12, count: 1 },
  { year: 1931, month: 7, count: 19 },
])

test('a month starts at its first item', () => {
  expect(marks.total).toBe(100)
  expect(marks.months.map(({ before }) => before)).toEqual([0, 60, 80, 81])
})

test('finds the month of every item', () => {
  const months = [0, 59, 60, 79, 80, 81, 99, 5000].map(index => monthOfIndex(marks, index))
  expect(months.map(month => `${month?.year}-${month?.month}`)).toEqual([
    '2012-8',
    '2012-8',
    '2012-7',
    '2012-7',
    '2011-12',
    '1931-7',
    '1931-7',
    '1931-7',
  ])
  expect(monthOfIndex(marksOf([]), 0)).toBeNull()
})

test('finds the item of a position, including both ends', () => {
  expect([0, 0.5, 1, 2].map(share => indexAt(marks, share))).toEqual([0, 50, 99, 99])
  expect(indexAt(marksOf([]), 0.5)).toBe(0)
})

test('shows year labels where there is room between them', () => {
  expect(yearLabels(marks, 800)).toEqual([
    { year: 2012, y: 0 },
    { year: 2011, y: 640 },
  ])
  expect(yearLabels(marks, 4000).map(({ year }) => year)).toEqual([2012, 2011, 1931])
  expect(yearLabels(marksOf([]), 800)).toEqual([])
})

test('of months that would overlap, the largest one sets the length of the tick', () => {
  const ticks = monthTicks(marks, 400)
  expect(ticks.map(({ y }) => y)).toEqual([0, 240, 320])
  expect(ticks[0]?.length).toBe(1)
  expect(ticks[2]?.length).toBeCloseTo(Math.sqrt(19 / 60))
})
