import { expect, test } from 'bun:test'
import { dayText, monthDayOf, neighbourDay, yearsAgo } from '../../web/on-this-day/month-days.ts'
import { rowOf } from '../../web/on-this-day/row-layout.ts'

test('reads a day from the address, and null from an invalid one', () => {
  expect(monthDayOf('08-03', 'gregorian')).toEqual({ month: 8, day: 3 })
  expect(monthDayOf('02-29', 'gregorian')).toEqual({ month: 2, day: 29 })
  expect(monthDayOf('02-31', 'persian')).toEqual({ month: 2, day: 31 })
  expect(monthDayOf('12-30', 'persian')).toEqual({ month: 12, day: 30 })
  for (const text of ['', '02-30', '13-01', '00-10', '8-3', '08-03-01'])
    expect(monthDayOf(text, 'gregorian')).toBeNull()
  for (const text of ['07-31', '12-31', '13-01', '00-10']) expect(monthDayOf(text, 'persian')).toBeNull()
})

test('steps from day to day around the year, including the day that only leap years have', () => {
  expect(neighbourDay({ month: 1, day: 1 }, 'gregorian', -1)).toEqual({ month: 12, day: 31 })
  expect(neighbourDay({ month: 12, day: 31 }, 'gregorian', 1)).toEqual({ month: 1, day: 1 })
  expect(neighbourDay({ month: 2, day: 28 }, 'gregorian', 1)).toEqual({ month: 2, day: 29 })
  expect(neighbourDay({ month: 1, day: 1 }, 'persian', -1)).toEqual({ month: 12, day: 30 })
  expect(neighbourDay({ month: 6, day: 31 }, 'persian', 1)).toEqual({ month: 7, day: 1 })
})

test('names today with its weekday, and years relative to now', () => {
  const now = new Date(2026, 10, 20)
  expect(dayText({ month: 11, day: 20 }, 'gregorian', true, now, 'en-GB')).toBe('Friday 20 November')
  expect(dayText({ month: 2, day: 29 }, 'gregorian', false, now, 'en-GB')).toBe('29 February')
  expect([2026, 2025, 2023].map(year => yearsAgo(year, now, 'en-GB'))).toEqual([
    'this year',
    'last year',
    '3 years ago',
  ])
})

test('names days and counts years by the Persian calendar', () => {
  // 29 Aban 1405.
  const now = new Date(2026, 10, 20)
  expect(dayText({ month: 8, day: 29 }, 'persian', true, now, 'fa')).toBe('جمعه ۲۹ آبان')
  expect(dayText({ month: 12, day: 30 }, 'persian', false, now, 'fa')).toBe('۳۰ اسفند')
  expect([1405, 1404, 1402].map(year => yearsAgo(year, now, 'fa'))).toEqual(['امسال', 'سال گذشته', '۳ سال پیش'])
})

const wide = { width: 1500, height: 1000 }
const tall = { width: 1000, height: 1500 }

test('fills a row at one height, and counts the pictures that had no room', () => {
  const row = rowOf(
    Array.from({ length: 12 }, () => wide),
    1000,
    232,
  )
  expect(row.widths.reduce((sum, width) => sum + width, 0) + (row.widths.length - 1) * 4).toBeCloseTo(1000)
  expect(row.more).toBe(12 - row.widths.length)
})

test('a few pictures keep their shapes, and may grow on a narrow screen', () => {
  expect(rowOf([tall], 1000, 232)).toEqual({ widths: [expect.closeTo(154.7, 1)], height: 232, more: 0 })
  expect(rowOf([wide], 390, 200, { highest: 340 })).toEqual({ widths: [390], height: 260, more: 0 })
})

test('very narrow, very wide and unknown shapes are replaced by moderate ones', () => {
  const { widths } = rowOf(
    [
      { width: 10, height: 5000 },
      { width: 0, height: 0 },
      { width: 9000, height: 100 },
    ],
    2000,
    200,
  )
  expect(widths.map(width => Math.round(width / 200 / 0.1) / 10)).toEqual([0.6, 1.5, 2.4])
})
