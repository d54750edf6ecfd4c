/** Long lists: only the visible part is loaded, marks are counted, months are found. */
import { expect, test } from 'bun:test'
import { createItemWindow, type LoadPage, loadIdsInRange } from '../../ink-tui/items/item-window.ts'
import { indexOfMonth } from '../../ink-tui/items/months.ts'
import { allOrNone, isEmpty, isMarked, markedCount, noMarks, toggleMark, withIds } from '../../ink-tui/marks.ts'
import type { Item } from '../../schema/api/items.ts'

function itemOf(id: number): Item {
  return {
    id,
    name: `${id}.jpg`,
    path: `${id}.jpg`,
    type: 'image',
    collection_id: 1,
    width: 1,
    height: 1,
    taken_at: '2020-01-01 00:00:00',
    taken: 0,
    utc_offset: null,
    date_source: 'exif',
    rating: null,
    duration: null,
    live: false,
    thumbhash: null,
    reloads: '0',
    problem: null,
    properties: [],
    tags: {},
  }
}

/** A list of `total()` items: the id of each is its index + 1. It records the requests. */
function listOf(total: () => number) {
  const requests: { page: number; limit: number; cursor: string | null }[] = []
  const load: LoadPage = async request => {
    requests.push(request)
    const start = (request.page - 1) * request.limit
    const count = Math.max(0, Math.min(request.limit, total() - start))
    const link = (page: number) => `/v1/item/list/0?page=${page}&cursor=of-${page}`
    return {
      _meta: { total_records: total(), limit: request.limit, page: request.page, count },
      _links: {
        self: '',
        first: '',
        last: '',
        prev: request.page > 1 ? link(request.page - 1) : null,
        next: start + count < total() ? link(request.page + 1) : null,
      },
      items: Array.from({ length: count }, (_, n) => itemOf(start + n + 1)),
    }
  }
  return { load, requests }
}

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 10_000) throw new Error('it did not happen')
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}

test('of a million rows, loads only the visible ones and the pages beside them', async () => {
  const { load, requests } = listOf(() => 1_000_000)
  const window = createItemWindow(load)
  window.setVisible(0, 40)
  await until(() => window.rowAt(0) !== undefined && requests.length === 2)
  expect(window.total()).toBe(1_000_000)
  expect(window.rowAt(500_000)).toBeUndefined()
  window.setVisible(499_980, 40)
  await until(() => window.rowAt(500_019)?.id === 500_020)
  expect(requests.length).toBeLessThan(10)
  // The window loads the next page by its cursor, which is as fast as loading the first page.
  expect(requests.some(({ page, cursor }) => page === 5001 && cursor === 'of-5001')).toBe(true)
  window.close()
})

test('forgets rows that are far from the visible ones', async () => {
  const { load } = listOf(() => 100_000)
  const window = createItemWindow(load)
  for (let first = 0; first < 5000; first += 100) {
    window.setVisible(first, 40)
    await until(() => window.rowAt(first) !== undefined)
  }
  expect(window.rowAt(0)).toBeUndefined()
  window.close()
})

test('keeps the old rows after a change until the new ones are loaded', async () => {
  let total = 300
  const { load } = listOf(() => total)
  const window = createItemWindow(load)
  window.setVisible(0, 40)
  await until(() => window.rowAt(0) !== undefined)
  total = 299
  window.reload()
  expect(window.rowAt(0)?.id).toBe(1)
  await until(() => window.total() === 299)
  expect(window.rowAt(0)?.id).toBe(1)
  window.close()
})

test('reports a failed request, and the next one works', async () => {
  let fails = true
  const { load } = listOf(() => 10)
  const window = createItemWindow(request => (fails ? Promise.reject(new Error('the disk is gone')) : load(request)))
  window.setVisible(0, 10)
  await until(() => window.error() !== null)
  fails = false
  window.reload()
  await until(() => window.rowAt(9) !== undefined)
  expect(window.error()).toBeNull()
  window.close()
})

test('returns the ids of the rows in a range', async () => {
  const { load } = listOf(() => 5000)
  expect(await loadIdsInRange(load, 990, 20)).toEqual(Array.from({ length: 20 }, (_, n) => 991 + n))
  expect((await loadIdsInRange(load, 0, 4500)).length).toBe(4500)
  expect(await loadIdsInRange(load, 4990, 100)).toHaveLength(10)
})

test('single rows can be marked, or an open range, or all rows except some', () => {
  const some = toggleMark(toggleMark(noMarks, 7), 9)
  expect(markedCount(some, 0, 100)).toBe(2)
  expect(isMarked(toggleMark(some, 7), 0, 3, 7)).toBe(false)
  const drawn = { ...some, anchor: 10 }
  expect(markedCount(drawn, 6, 100)).toBe(7)
  expect(isMarked(drawn, 6, 8, 1)).toBe(true)
  expect(isMarked(drawn, 6, 11, 1)).toBe(false)
  expect(withIds(drawn, [9, 10])).toEqual({ all: false, ids: new Set([7, 9, 10]), anchor: null })
  const all = allOrNone(some)
  expect(markedCount(toggleMark(all, 5), 0, 100)).toBe(99)
  expect(isMarked(toggleMark(all, 5), 0, 4, 5)).toBe(false)
  expect(isEmpty(allOrNone(all))).toBe(true)
})

test('a month starts after all newer ones if the newest items come first, else after all older ones', () => {
  const months = [
    { year: 2020, month: 3, count: 5 },
    { year: 2019, month: 12, count: 2 },
    { year: 2019, month: 1, count: 4 },
  ]
  expect(indexOfMonth(months, 2020, 3, true)).toBe(0)
  expect(indexOfMonth(months, 2019, 12, true)).toBe(5)
  expect(indexOfMonth(months, 2019, 6, true)).toBe(7)
  expect(indexOfMonth(months, 2019, 12, false)).toBe(4)
  expect(indexOfMonth(months, 2030, 1, false)).toBe(11)
})
