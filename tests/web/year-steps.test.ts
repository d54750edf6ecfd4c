import { expect, test } from 'bun:test'
import { adjacentYear, yearChoices } from '../../web/search/filters/year-steps.ts'

const years = [2026, 2012, 1931]

test('steps through the years that have items, and from the newest to all years', () => {
  expect(adjacentYear(years, null, 'older')).toBe(2026)
  expect(adjacentYear(years, 2026, 'older')).toBe(2012)
  expect(adjacentYear(years, 2012, 'newer')).toBe(2026)
  expect(adjacentYear(years, 2026, 'newer')).toBeNull()
})

test('stops at both ends', () => {
  expect(adjacentYear(years, 1931, 'older')).toBeUndefined()
  expect(adjacentYear(years, null, 'newer')).toBeUndefined()
  expect(adjacentYear([], null, 'older')).toBeUndefined()
})

test('steps from a year without items to the next one with items', () => {
  expect(adjacentYear(years, 2000, 'older')).toBe(1931)
  expect(adjacentYear(years, 2000, 'newer')).toBe(2012)
})

test('offers every year from 1700 to next year, and a selected one outside this range', () => {
  const range = { least: 1700, most: 2027 }
  const offered = yearChoices(2000, range)
  expect([offered[0], offered.at(-1), offered.length]).toEqual([2027, 1700, 328])
  expect(yearChoices(1650, range)).toEqual([...offered, 1650])
  expect(yearChoices(2031, range)).toEqual([2031, ...offered])
})
