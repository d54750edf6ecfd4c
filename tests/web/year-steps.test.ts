import { expect, test } from 'bun:test'
import { yearBeside, yearsToChoose } from '../../web/search/filters/year-steps.ts'

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

test('every year from 1700 to next year is offered, and a chosen one that is outside', () => {
  const range = { least: 1700, most: 2027 }
  const offered = yearsToChoose(2000, range)
  expect([offered[0], offered.at(-1), offered.length]).toEqual([2027, 1700, 328])
  expect(yearsToChoose(1650, range)).toEqual([...offered, 1650])
  expect(yearsToChoose(2031, range)).toEqual([2031, ...offered])
})
