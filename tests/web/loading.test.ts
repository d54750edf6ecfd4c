import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test'
import { list, loading, openList } from '../../web/items/items.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

test('the list counts as loading until half a second after the last page has arrived', async () => {
  const page = { _meta: { total_records: 0, limit: 10, page: 1, count: 0 }, _links: {}, items: [] }
  const fetching = spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(page))
  const opened = openList()
  expect(loading.value).toBe(true)
  await opened
  expect(list.value?.total).toBe(0)
  jest.advanceTimersByTime(499)
  expect(loading.value).toBe(true)
  jest.advanceTimersByTime(1)
  expect(loading.value).toBe(false)

  // A page that loads in this half second extends it.
  await openList()
  jest.advanceTimersByTime(400)
  await openList()
  jest.advanceTimersByTime(400)
  expect(loading.value).toBe(true)
  jest.advanceTimersByTime(100)
  expect(loading.value).toBe(false)
  fetching.mockRestore()
})
