import { expect, test } from 'bun:test'
import { figure, plural, sizeText } from '../../schema/figures.ts'
import {
  clockTime,
  dayOf,
  durationText,
  exactDate,
  longDate,
  momentText,
  monthAndYear,
  monthName,
  offsetText,
} from '../../web/kit/dates.ts'

/** The tests run in a process; the web itself has none. */
declare const process: { env: Record<string, string | undefined> }

const taken = Date.UTC(2019, 7, 3, 18, 58, 3) / 1000

test('formats a date in the given language', () => {
  expect(longDate(taken, 'en-GB').replace(',', '')).toBe('Saturday 3 August 2019')
  expect(longDate(taken, 'de-DE')).toBe('Samstag, 3. August 2019')
})

test('shows the local time of a picture whatever the time zone of the machine', () => {
  const { TZ } = process.env
  try {
    for (const zone of ['Pacific/Kiritimati', 'America/Adak', 'Asia/Kathmandu']) {
      process.env.TZ = zone
      expect(clockTime(taken, true, 'en-GB')).toBe('18:58:03')
      expect(longDate(taken, 'en-GB')).toContain('3 August')
    }
  } finally {
    process.env.TZ = TZ ?? ''
  }
})

test('shows midnight as 00:00, and dates before 1970', () => {
  expect(clockTime(Date.UTC(2019, 0, 1) / 1000, false, 'en-GB')).toBe('00:00')
  expect(longDate(Date.UTC(1931, 6, 14) / 1000, 'en-GB')).toContain('14 July 1931')
})

test('the exact date includes the offset and the source, as far as they are known', () => {
  const item = { taken, utc_offset: 345, date_source: 'exif-original' }
  expect(exactDate(item, 'en-GB')).toEndWith('18:58:03 UTC+5:45, from the camera')
  expect(exactDate({ ...item, utc_offset: null, date_source: 'name' }, 'en-GB')).toEndWith(
    '18:58:03, guessed from the file name',
  )
  expect(exactDate({ ...item, utc_offset: null, date_source: 'something new' }, 'en-GB')).toEndWith('18:58:03')
})

test('shows offsets as whole hours where possible', () => {
  expect([0, 120, -210, 345].map(offsetText)).toEqual(['UTC', 'UTC+2', 'UTC−3:30', 'UTC+5:45'])
})

test('names months with their year, in full or short', () => {
  expect(monthAndYear(2012, 8, false, 'en-GB')).toBe('August 2012')
  expect(monthAndYear(2012, 8, true, 'en-GB')).toBe('Aug 2012')
})

test('names Persian months and years in the language of the page', () => {
  expect(monthAndYear(1391, 6, false, 'fa')).toBe('شهریور ۱۳۹۱')
  expect(monthAndYear(1391, 6, false, 'en-GB')).toBe('Shahrivar 1391 AP')
  expect(monthAndYear(2024, 3, false, 'fa')).toBe('مارس ۲۰۲۴')
  const months = Array.from({ length: 12 }, (_, at) => monthName(at + 1, 'persian', false, 'fa'))
  expect(months.join(' ')).toBe('فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند')
  expect([monthName(2, 'persian', true, 'fa'), monthName(2, 'persian', true, 'en-GB')]).toEqual(['اردیبهشت', 'Ord'])
  expect(monthName(8, 'gregorian', false, 'en-GB')).toBe('August')
})

test('formats the build date, and keeps a text that is no date', () => {
  expect(dayOf('2026-11-18', 'en-GB')).toBe('18 November 2026')
  expect(dayOf('unknown', 'en-GB')).toBe('unknown')
})

test('describes a time relative to today', () => {
  const now = new Date(2026, 10, 18, 12, 0)
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()
  expect(momentText(at(2026, 10, 18, 9, 12), now, 'en-GB')).toBe('Today, 09:12')
  expect(momentText(at(2026, 10, 17, 22, 40), now, 'en-GB')).toBe('Yesterday, 22:40')
  expect(momentText(at(2026, 10, 12, 8, 0), now, 'en-GB')).toBe('12 November')
  expect(momentText(at(2024, 10, 12, 8, 0), now, 'en-GB')).toBe('12 November 2024')
  expect(momentText('', now, 'en-GB')).toBe('Never')
})

test('formats durations, counts and sizes in short form', () => {
  expect([192, 59.6, 3765, 0].map(durationText)).toEqual(['3:12', '1:00', '1:02:45', '0:00'])
  expect(figure(21738, 'en-GB')).toBe('21,738')
  expect([plural(1, 'item'), plural(0, 'item'), plural(2, 'category', 'categories')]).toEqual([
    '1 item',
    '0 items',
    '2 categories',
  ])
  expect([999, 289_000, 3_400_000, 22_000_000].map(bytes => sizeText(bytes, 'en-GB'))).toEqual([
    '999 B',
    '289 KB',
    '3.4 MB',
    '22 MB',
  ])
})
