import { expect, test } from 'bun:test'
import { calendarOfYear, dateIn, monthStart } from '../../schema/calendar.ts'

const daySeconds = 86_400

/** A date of the Persian calendar as `Intl` has it. */
const persian = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})

function inIntl(seconds: number) {
  const parts = persian.formatToParts(seconds * 1000)
  const of = (type: string) => Number(parts.find(part => part.type === type)?.value)
  return { year: of('year'), month: of('month'), day: of('day') }
}

test('every day of the Persian years 1200 to 1500 is the day that Intl names', () => {
  const wrong: unknown[] = []
  for (let day = monthStart(1200, 1); day < monthStart(1501, 1); day += daySeconds) {
    const [ours, theirs] = [dateIn('persian', day), inIntl(day)]
    if (ours.year !== theirs.year || ours.month !== theirs.month || ours.day !== theirs.day)
      wrong.push({ ours, theirs })
  }
  expect(wrong).toEqual([])
})

test('a month begins on its first day, at midnight', () => {
  for (const calendar of ['gregorian', 'persian'] as const)
    for (let n = 0; n < 12 * 200; n++) {
      const [year, month] = [calendar === 'persian' ? 1250 : 1850, n + 1]
      const start = monthStart(year, month)
      const date = { year: year + Math.floor(n / 12), month: (n % 12) + 1, day: 1 }
      expect(dateIn(calendar, start)).toEqual(date)
      expect(dateIn(calendar, start + daySeconds - 1)).toEqual(date)
      expect(dateIn(calendar, start - 1).day).toBeGreaterThan(27)
    }
})

test('known days agree with the almanac', () => {
  const seconds = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000
  expect(monthStart(1403, 1)).toBe(seconds('2024-03-20'))
  expect(monthStart(1404, 1)).toBe(seconds('2025-03-21'))
  expect(dateIn('persian', seconds('2025-03-20'))).toEqual({ year: 1403, month: 12, day: 30 })
  expect(dateIn('persian', seconds('2012-08-03'))).toEqual({ year: 1391, month: 5, day: 13 })
  expect(monthStart(99, 1, 'gregorian')).toBe(seconds('0099-01-01'))
})

test('a year below 1700 is Persian', () => {
  expect([1, 1078, 1403, 1699].map(calendarOfYear)).toEqual(['persian', 'persian', 'persian', 'persian'])
  expect([1700, 1800, 2024, 9999].map(calendarOfYear)).toEqual(['gregorian', 'gregorian', 'gregorian', 'gregorian'])
})
