/** Dates: which texts are valid, and which date of several is chosen. */
import { describe, expect, test } from 'bun:test'
import { chooseDate, type DateEvidence } from '../../../core/metadata/choose-date.ts'
import { dateInName } from '../../../core/metadata/date-in-name.ts'
import {
  foundDate,
  foundInstant,
  localFromSeconds,
  parseOffset,
  sortableSeconds,
} from '../../../core/metadata/dates.ts'
import { byPrecedence, type FoundDate } from '../../../core/metadata/metadata.ts'
import { zoneAt, zoneOffset } from '../../../core/metadata/zones.ts'

describe('a written date', () => {
  const cases: [text: string, local: string | null, offset?: number | null][] = [
    ['2019:08:01 14:22:33', '2019-08-01 14:22:33', null],
    ['2019-08-01T14:22:33.25+02:00', '2019-08-01 14:22:33', 120],
    ['2019:08:01 14:22:33Z', '2019-08-01 14:22:33', 0],
    ['2019:08:01 14:22:33-0330', '2019-08-01 14:22:33', -210],
    ['2019-08-01T14:22', '2019-08-01 14:22:00', null],
    ['2007-11-19T00:00-08:00', '2007-11-19 00:00:00', -480],
    ['2019-08-01', '2019-08-01 00:00:00', null],
    ['2019-08', '2019-08-01 00:00:00', null],
    ['1965', '1965-01-01 00:00:00', null],
    ['2019/08/01 4:05:06', '2019-08-01 04:05:06', null],
    ['2020:02:29 23:59:59', '2020-02-29 23:59:59', null],
    ['1800:01:01 00:00:00', '1800-01-01 00:00:00', null],
    ['1799:12:31 23:59:59', null],
    ['0000:00:00 00:00:00', null],
    ['    :  :     :  :  ', null],
    ['', null],
    ['2019:02:29 12:00:00', null],
    ['2019:13:01 12:00:00', null],
    ['2019:00:10 12:00:00', null],
    ['2019:08:01 24:00:00', null],
    ['2019:08:01 12:60:00', null],
    ['20190801', null],
    ['yesterday', null],
  ]
  for (const [text, local, offset = null] of cases) {
    test(`'${text}' is ${local ?? 'not a date'}`, () => {
      const date = foundDate(text, 'exif-original')
      expect(date?.local ?? null).toBe(local)
      expect(date?.offset ?? null).toBe(offset)
    })
  }

  test('takes the fraction and offset from separate tags', () => {
    expect(foundDate('2021:05:03 01:02:03', 'exif-original', { subSeconds: '07', offset: '+05:45' })).toEqual({
      local: '2021-05-03 01:02:03',
      offset: 345,
      source: 'exif-original',
      milliseconds: 70,
    })
  })

  test('is marked when it has only a day', () => {
    expect(foundDate('2019-08-01', 'iptc')?.dayOnly).toBe(true)
    expect(foundDate('2019-08-01 00:00:00', 'iptc')?.dayOnly).toBeUndefined()
  })
})

test.each([
  ['+02:00', 120],
  ['-0800', -480],
  ['Z', 0],
  ['+00:00', 0],
  ['+17:00', null],
  ['   ', null],
  ['+2', null],
] as const)('the offset %p is %p minutes', (text, minutes) => {
  expect(parseOffset(text)).toBe(minutes)
})

describe('sortable seconds', () => {
  test('are the local time read as UTC', () => {
    expect(sortableSeconds('1970-01-01 00:00:00')).toBe(0)
    expect(sortableSeconds('2021-05-03 01:02:03')).toBe(1620003723)
    expect(sortableSeconds('1888-10-14 10:00:00')).toBe(-2562847200)
  })

  test('convert back to the same local time', () => {
    for (const local of ['1800-01-01 00:00:00', '1969-12-31 23:59:59', '2020-02-29 12:30:00', '2099-12-31 23:59:59']) {
      expect(localFromSeconds(sortableSeconds(local))).toBe(local)
    }
  })

  test('outside the valid years have no local time, and are NaN for a text without a date', () => {
    expect(localFromSeconds(-1e12)).toBeNull()
    expect(localFromSeconds(Number.NaN)).toBeNull()
    expect(sortableSeconds('no date')).toBeNaN()
  })
})

describe('a file name', () => {
  const cases: [name: string, local: string | null, more?: Partial<FoundDate>][] = [
    ['IMG_20190801_142233.jpg', '2019-08-01 14:22:33'],
    ['VID_20190801_142233.mp4', '2019-08-01 14:22:33'],
    ['20190801_142233.jpg', '2019-08-01 14:22:33'],
    ['20190801142233.jpg', '2019-08-01 14:22:33'],
    ['IMG_20190801_142233_1.jpg', '2019-08-01 14:22:33'],
    ['IMG_20190801_142233~2.jpg', '2019-08-01 14:22:33'],
    ['PXL_20210102_030405678.jpg', '2021-01-02 03:04:05', { utc: true, milliseconds: 678 }],
    ['PXL_20210102_030405678.PORTRAIT.jpg', '2021-01-02 03:04:05', { utc: true }],
    ['MVIMG_20190801_142233.jpg', '2019-08-01 14:22:33'],
    ['IMG-20190801-WA0001.jpg', '2019-08-01 00:00:00', { dayOnly: true }],
    ['VID-20190801-WA0012.mp4', '2019-08-01 00:00:00', { dayOnly: true }],
    ['WhatsApp Image 2019-08-01 at 14.22.33.jpeg', '2019-08-01 14:22:33'],
    ['WhatsApp Image 2019-08-01 at 2.22.33 PM.jpeg', '2019-08-01 14:22:33'],
    ['2019-08-01 14.22.33.jpg', '2019-08-01 14:22:33'],
    ['2019-08-01 14.22.33-1.jpg', '2019-08-01 14:22:33'],
    ['date in the name 2014-07-15 18.30.00.jpg', '2014-07-15 18:30:00'],
    ['Screenshot_2019-08-01-14-22-33.png', '2019-08-01 14:22:33'],
    ['Screenshot_20190801-142233.png', '2019-08-01 14:22:33'],
    ['Screenshot_20190801-142233_Chrome.jpg', '2019-08-01 14:22:33'],
    ['Screenshot 2019-05-21 at 10.45.52.png', '2019-05-21 10:45:52'],
    ['Screen Shot 2019-05-21 at 12.45.52 AM.png', '2019-05-21 00:45:52'],
    ['signal-2019-08-01-142233.jpg', '2019-08-01 14:22:33'],
    ['signal-2019-08-01-14-22-33-123.jpg', '2019-08-01 14:22:33', { milliseconds: 123 }],
    ['photo_2019-08-01_14-22-33.jpg', '2019-08-01 14:22:33'],
    ['FB_IMG_1564669353123.jpg', '2019-08-01 14:22:33', { utc: true, milliseconds: 123 }],
    ['1965-07-14 wedding.jpg', '1965-07-14 00:00:00', { dayOnly: true }],
    ['2019_08_01 beach.jpg', '2019-08-01 00:00:00', { dayOnly: true }],
    ['IMG_20190801_996099.jpg', '2019-08-01 00:00:00', { dayOnly: true }],
    ['IMG_1234.jpg', null],
    ['DSC00019.JPG', null],
    ['1920x1080.jpg', null],
    ['12345678.jpg', null],
    ['20191301.jpg', null],
    ['120190801.jpg', null],
    ['2019-08.jpg', null],
  ]
  for (const [name, local, more = {}] of cases) {
    test(`'${name}' has ${local ?? 'no date'}`, () => {
      const date = dateInName(name)
      expect(date?.local ?? null).toBe(local)
      if (date !== null) expect(date).toMatchObject({ source: 'name', ...more })
    })
  }
})

describe('the chosen date', () => {
  const now = Date.UTC(2026, 10, 21)
  const mtimeMs = Date.UTC(2022, 0, 2, 3, 4, 5)
  const at = (source: FoundDate['source'], local: string, more: Partial<FoundDate> = {}): FoundDate => ({
    local,
    offset: null,
    source,
    ...more,
  })
  const choose = (dates: FoundDate[], more: Partial<DateEvidence> = {}) =>
    chooseDate({ dates: byPrecedence(dates), name: 'IMG_1.jpg', mtimeMs, now, zone: 'Europe/Berlin', ...more })

  test('comes from the most reliable source, in any order', () => {
    const dates = [
      at('takeout', '2009-01-01 00:00:00', { utc: true }),
      at('xmp-create', '2008-01-01 00:00:00'),
      at('quicktime', '2007-01-01 00:00:00', { utc: true }),
      at('exif-create', '2006-01-01 00:00:00'),
      at('xmp-photoshop', '2005-01-01 00:00:00'),
      at('iptc', '2004-01-01 00:00:00'),
      at('xmp-original', '2003-01-01 00:00:00'),
      at('exif-original', '2002-01-01 00:00:00'),
    ]
    const name = 'IMG_20100101_000000.jpg'
    const years: string[] = []
    for (let left = dates.length; left >= 0; left--)
      years.push(choose(dates.slice(0, left), { name })?.local.slice(0, 4) ?? '')
    expect(years).toEqual(['2002', '2003', '2004', '2005', '2006', '2007', '2008', '2009', '2010'])
  })

  test('comes from the file name if there is no other date, and else from the time of the file', () => {
    expect(choose([], { name: 'IMG_20190801_142233.jpg' })).toEqual(at('name', '2019-08-01 14:22:33'))
    expect(choose([])).toEqual(at('file', '2022-01-02 04:04:05', { offset: 60 }))
  })

  test('is never later than the end of next year', () => {
    const dates = [at('exif-original', '2028-01-01 00:00:00'), at('exif-create', '2027-12-31 00:00:00')]
    expect(choose(dates)?.local).toBe('2027-12-31 00:00:00')
    expect(choose([at('exif-original', '2099-12-31 23:59:59')])?.source).toBe('file')
    expect(choose([], { mtimeMs: Date.UTC(2040, 0, 1) })).toBeNull()
  })

  test('of a video is local to the time zone of its position, with daylight saving', () => {
    const sydney = { latitude: -33.8568, longitude: 151.2153 }
    expect(choose([at('quicktime', '2021-05-15 10:20:30', { utc: true })], sydney)).toEqual(
      at('quicktime', '2021-05-15 20:20:30', { offset: 600 }),
    )
    expect(choose([at('quicktime', '2021-01-15 10:20:30', { utc: true })], sydney)?.offset).toBe(660)
  })

  test('of a video without a position is local to the time zone of the server', () => {
    expect(choose([at('quicktime', '2021-06-30 22:20:30', { utc: true })])).toEqual(
      at('quicktime', '2021-07-01 00:20:30', { offset: 120 }),
    )
  })

  test('takes its offset from a source with the same instant', () => {
    const dates = [
      at('quicktime', '2019-02-15 21:13:20', { utc: true }),
      at('xmp-create', '2019-02-15 16:13:20', { offset: -300 }),
    ]
    expect(choose(dates)).toEqual(at('quicktime', '2019-02-15 16:13:20', { offset: -300 }))
  })

  test('takes its offset from a source with the same local time, except from IPTC and unless the offset is zero', () => {
    const original = at('exif-original', '2019-01-01 00:15:00')
    expect(choose([original, at('xmp-photoshop', original.local, { offset: 660 })])?.offset).toBe(660)
    expect(choose([original, at('xmp-photoshop', original.local, { offset: 0 })])?.offset).toBeNull()
    expect(choose([original, at('iptc', original.local, { offset: 120 })])?.offset).toBeNull()
  })

  test('takes its offset from the GPS time', () => {
    const original = at('exif-original', '2020-09-19 20:55:57')
    const gps = (iso: string) => ({ gpsTime: Date.parse(iso) / 1000 })
    expect(choose([original], gps('2020-09-19T10:55:50Z'))?.offset).toBe(600)
    expect(choose([original], gps('2020-09-19T10:54:57Z'))?.offset).toBe(600)
    expect(choose([original], gps('2020-09-19T15:10:57Z'))?.offset).toBe(345)
    // The GPS position was minutes old.
    expect(choose([original], gps('2020-09-19T10:50:00Z'))?.offset).toBeNull()
    expect(choose([original], gps('2020-09-21T10:55:57Z'))?.offset).toBeNull()
  })

  test('takes the time of day from the next source with the same day', () => {
    const day = at('iptc', '2008-05-23 00:00:00', { dayOnly: true })
    expect(choose([day, at('exif-create', '2008-05-23 15:54:59')])).toEqual(at('iptc', '2008-05-23 15:54:59'))
    expect(choose([day, at('exif-create', '2008-05-24 15:54:59')])?.local).toBe('2008-05-23 00:00:00')
    // The time of the file is not used: it changes with every copy.
    expect(choose([], { name: 'IMG-20220102-WA0001.jpg' })?.local).toBe('2022-01-02 00:00:00')
  })

  test('is converted from UTC if it comes from the file name of a Pixel phone', () => {
    expect(choose([], { name: 'PXL_20210702_030405678.jpg' })).toEqual(
      at('name', '2021-07-02 05:04:05', { offset: 120, milliseconds: 678 }),
    )
  })
})

describe('time zones', () => {
  test('are found by position', () => {
    expect(zoneAt(48.1, 11.6)).toBe('Europe/Berlin')
    expect(zoneAt(27.7, 85.3)).toBe('Asia/Kathmandu')
    expect(zoneAt(undefined, 1)).toBeNull()
    expect(zoneAt(95, 190)).toBeNull()
  })

  test('have the right offset at any time', () => {
    expect(zoneOffset('Europe/Berlin', Date.UTC(2021, 6, 1))).toBe(120)
    expect(zoneOffset('Europe/Berlin', Date.UTC(2021, 0, 1))).toBe(60)
    expect(zoneOffset('Asia/Kathmandu', Date.UTC(2021, 0, 1))).toBe(345)
    expect(zoneOffset('America/St_Johns', Date.UTC(1969, 0, 1))).toBe(-210)
    expect(zoneOffset('Nowhere/At_All', 0)).toBe(0)
  })
})

test('instants outside the valid years are not dates', () => {
  expect(foundInstant(0, 'file')?.local).toBe('1970-01-01 00:00:00')
  expect(foundInstant(-1500, 'file')).toMatchObject({ local: '1969-12-31 23:59:58', milliseconds: 500 })
  expect(foundInstant(1e18, 'file')).toBeNull()
  expect(foundInstant(Number.NaN, 'file')).toBeNull()
})
