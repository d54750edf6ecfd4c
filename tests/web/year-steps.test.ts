import { expect, test } from 'bun:test'
import { yearBeside, yearsToChoose } from '../../web/state/year-steps.ts'

const years = [2026, 2012, 1931]

test('the stepper goes over the years that have items, and past the newest to all of them', () => {
  expect(yearBeside(years, null, 'older')).toBe(2026)
  expect(yearBeside(years, 2026, 'older')).toBe(2012)
  expect(yearBeside(years, 2012, 'newer')).toBe(2026)
  expect(yearBeside(years, 2026, 'newer')).toBeNull()
})

test('it stops at both ends', () => {
  expect(yearBeside(years, 1931, 'older')).toBeUndefined()
  expect(yearBeside(years, null, 'newer')).toBeUndefined()
  expect(yearBeside([], null, 'older')).toBeUndefined()
})

test('from a year without items it goes to the next one that has some', () => {
  expect(yearBeside(years, 2000, 'older')).toBe(1931)
  expect(yearBeside(years, 2000, 'newer')).toBe(2012)
})

test('years outside 1700 to next year are not offered, the chosen one is', () => {
  const range = { least: 1700, most: 2027 }
  expect(yearsToChoose([2030, ...years, 1650], null, range)).toEqual(years)
  expect(yearsToChoose(years, 2000, range)).toEqual([2026, 2012, 2000, 1931])
})
