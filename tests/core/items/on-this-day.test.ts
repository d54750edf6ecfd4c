import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { createItems } from '../../../core/items/items.ts'
import { createOnThisDay, daysShown, todayIn } from '../../../core/items/on-this-day.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { openTestLibrary } from '../../support/library.ts'

const at = (text: string) => Date.parse(text)

describe('today', () => {
  for (const [zone, now, day] of [
    ['Europe/Madrid', '2026-11-20T23:30:00Z', '2026-11-21'],
    ['America/Los_Angeles', '2026-11-21T05:00:00Z', '2026-11-20'],
    ['Pacific/Kiritimati', '2025-12-31T11:00:00Z', '2026-1-1'],
    ['UTC', '2026-11-21T00:00:00Z', '2026-11-21'],
  ] as const) {
    test(`is ${day} in ${zone} at ${now}`, () => {
      const today = todayIn(zone, at(now))
      expect(`${today.year}-${today.month}-${today.day}`).toBe(day)
    })
  }

  test('in an invalid time zone is refused', () => {
    expect(() => todayIn('Mars/Olympus', 0)).toThrow("There is no time zone 'Mars/Olympus'")
  })

  for (const [today, shown] of [
    [{ year: 2023, month: 2, day: 28 }, ['2-28', '2-29']],
    [{ year: 2024, month: 2, day: 28 }, ['2-28']],
    [{ year: 2024, month: 2, day: 29 }, ['2-29']],
    [{ year: 1900, month: 2, day: 28 }, ['2-28', '2-29']],
    [{ year: 2000, month: 2, day: 28 }, ['2-28']],
    [{ year: 2023, month: 3, day: 1 }, ['3-1']],
  ] as const) {
    test(`${today.year}-${today.month}-${today.day} shows ${shown.join(' and ')}`, () => {
      expect(daysShown(today).map(({ month, day }) => `${month}-${day}`)).toEqual([...shown])
    })
  }
})

describe('On This Day', () => {
  test('returns the visible items of the day by year, at any hour and with a filter', async () => {
    const { db, make, viewer } = openTestLibrary()
    const clock = fakeClock(at('2026-02-28T12:00:00Z'))
    const open = await make.collection({ public: true })
    const closed = await make.collection()
    await make.item({ collection: open, taken: '2019-02-28 00:00:00', name: 'first.jpg' })
    await make.item({ collection: open, taken: '2019-02-28 23:59:59', name: 'last.jpg', keywords: ['Sea'] })
    await make.item({ collection: open, taken: '2019-03-01 00:00:00', name: 'next.jpg' })
    await make.item({ collection: open, taken: '2020-02-29 12:00:00', name: 'leap.jpg' })
    await make.item({ collection: open, taken: '1850-02-28 12:00:00', name: 'old.jpg' })
    await make.item({ collection: closed, taken: '2018-02-28 12:00:00', name: 'closed.jpg' })
    const items = createItems({ db })
    const onThisDay = createOnThisDay({ items, clock })
    const names = (found: Record<string, { name: string }[]>) =>
      Object.fromEntries(Object.entries(found).map(([year, list]) => [year, list.map(({ name }) => name)]))
    expect(names(onThisDay.list(viewer(null), { collectionId: 0 }, { onthisday: 'UTC' }))).toEqual({
      '1850': ['old.jpg'],
      '2019': ['last.jpg', 'first.jpg'],
      '2020': ['leap.jpg'],
    })
    expect(names(onThisDay.list(terminalViewer, { collectionId: closed }, { onthisday: 'UTC' }))).toEqual({
      '2018': ['closed.jpg'],
    })
    expect(names(onThisDay.list(viewer(null), { collectionId: 0 }, { onthisday: 'UTC', q: 'keyword:sea' }))).toEqual({
      '2019': ['last.jpg'],
    })
    clock.advance(100 * 86_400)
    expect(onThisDay.list(viewer(null), { collectionId: 0 }, { onthisday: 'UTC' })).toEqual({})
  })

  test('compares days of the Persian calendar if the call requests it', async () => {
    const { db, make, viewer } = openTestLibrary()
    const open = await make.collection({ public: true })
    // 29 Aban is 20 November after a common year, and 19 November after a leap year such as 1403.
    await make.item({ collection: open, taken: '2026-11-20 12:00:00', name: 'today.jpg' })
    await make.item({ collection: open, taken: '2024-11-19 00:00:00', name: 'first.jpg' })
    await make.item({ collection: open, taken: '2024-11-19 23:59:59', name: 'last.jpg' })
    await make.item({ collection: open, taken: '2024-11-20 12:00:00', name: 'next.jpg' })
    // 30 Esfand 1403, and 29 Esfand 1404.
    await make.item({ collection: open, taken: '2025-03-20 12:00:00', name: 'leap.jpg' })
    await make.item({ collection: open, taken: '2026-03-20 12:00:00', name: 'common.jpg' })
    const clock = fakeClock(at('2026-11-20T12:00:00Z'))
    const onThisDay = createOnThisDay({ items: createItems({ db }), clock })
    const found = (day?: string) => {
      const query = { onthisday: 'UTC', calendar: 'persian' as const, day }
      const years = Object.entries(onThisDay.list(viewer(null), { collectionId: 0 }, query))
      return Object.fromEntries(years.map(([year, list]) => [year, list.map(({ name }) => name)]))
    }
    expect(found()).toEqual({ '1403': ['last.jpg', 'first.jpg'], '1405': ['today.jpg'] })
    // The present year 1405 is a common one.
    expect(found('12-29')).toEqual({ '1403': ['leap.jpg'], '1404': ['common.jpg'] })
    expect(found('12-30')).toEqual({ '1403': ['leap.jpg'] })
    expect(found('07-31')).toEqual({})
  })

  test('returns the items of another day if the call requests it', async () => {
    const { db, make, viewer } = openTestLibrary()
    const open = await make.collection({ public: true })
    await make.item({ collection: open, taken: '2019-08-03 12:00:00', name: 'august.jpg' })
    await make.item({ collection: open, taken: '2019-02-28 12:00:00', name: 'february.jpg' })
    const onThisDay = createOnThisDay({ items: createItems({ db }), clock: fakeClock(at('2026-02-28T12:00:00Z')) })
    const years = onThisDay.list(viewer(null), { collectionId: 0 }, { onthisday: 'UTC', day: '08-03' })
    expect(years['2019']?.map(({ name }) => name)).toEqual(['august.jpg'])
    expect(onThisDay.list(viewer(null), { collectionId: 0 }, { onthisday: 'UTC', day: '02-30' })).toEqual({})
  })
})
