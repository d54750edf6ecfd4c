import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test'
import { announceRecovery } from '../../web/app/loading/recovery.ts'
import { setOptions } from '../../web/app/options.ts'
import { itemAt, list, loading, look, openList } from '../../web/items/items.ts'

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

test('items that could not be loaded during an outage are loaded when the server is back', async () => {
  let isDown = false
  const fetching = spyOn(globalThis, 'fetch').mockImplementation((async (address: string) => {
    if (isDown) throw new TypeError('Failed to fetch')
    const query = new URL(address, 'http://localhost').searchParams
    const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))]
    const items = Array.from({ length: limit }, (_, at) => ({ id: (page - 1) * limit + at + 1 }))
    return Response.json({ _meta: { total_records: 5000, limit, page, count: limit }, _links: {}, items })
  }) as typeof fetch)
  jest.useRealTimers()
  const settled = () => new Promise(resolve => setTimeout(resolve, 100))
  setOptions({ view: 'Infinite Scroll' })
  await openList()
  isDown = true
  look(2000, 2020)
  await settled()
  expect(itemAt(2000)).toBeUndefined()
  isDown = false
  announceRecovery()
  await settled()
  expect(itemAt(2000)).toMatchObject({ id: 2001 })
  fetching.mockRestore()
})
