import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test'
import { Refused } from '../../schema/client.ts'
import { announceRecovery } from '../../web/app/loading/recovery.ts'
import { createLoading, createResource } from '../../web/app/loading/resource.ts'
import { setOptions } from '../../web/app/options.ts'
import { dropUserData } from '../../web/app/user-data.ts'
import { itemAt, list, loading, openList, refreshList, setVisibleRange } from '../../web/items/items.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const settled = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

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
  let added = 0
  const fetching = spyOn(globalThis, 'fetch').mockImplementation((async (address: string) => {
    if (isDown) throw new TypeError('Failed to fetch')
    const query = new URL(address, 'http://localhost').searchParams
    const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))]
    const items = Array.from({ length: limit }, (_, at) => ({ id: (page - 1) * limit + at + 1 + added }))
    return Response.json({ _meta: { total_records: 5000, limit, page, count: limit }, _links: {}, items })
  }) as typeof fetch)
  jest.useRealTimers()
  setOptions({ view: 'Infinite Scroll' })
  await openList()
  isDown = true
  setVisibleRange(2000, 2020)
  await settled(100)
  expect(itemAt(2000)).toBeUndefined()
  isDown = false
  announceRecovery()
  await settled(100)
  expect(itemAt(2000)).toMatchObject({ id: 2001 })

  // A reload that failed is repeated, although no item is missing.
  added = 1
  isDown = true
  await refreshList()
  isDown = false
  announceRecovery()
  await settled(100)
  expect(itemAt(2000)).toMatchObject({ id: 2002 })
  fetching.mockRestore()
})

test('a request that failed in an outage is repeated when the server is back, even if it was quiet', async () => {
  jest.useRealTimers()
  let isDown = false
  const { value, failed, load } = createResource('Failed to load', async () => {
    if (isDown) throw new TypeError('Failed to fetch')
    return page
  })
  let page = 1
  await load()
  for (const quiet of [false, true]) {
    isDown = true
    page++
    await load({ quiet })
    expect([value.value, failed.value]).toEqual([page - 1, !quiet])
    announceRecovery()
    await Promise.resolve()
    expect(value.value).toBe(page - 1)
    isDown = false
    announceRecovery()
    await settled(0)
    expect([value.value, failed.value]).toEqual([page, false])
  }
})

test('a failed request is not repeated after it was cancelled, superseded or refused, or for another user', async () => {
  jest.useRealTimers()
  const { load, cancel } = createLoading('Failed to load')
  let count = 0
  const request = (error: Error | null) =>
    load(
      async () => {
        count++
        if (error !== null) throw error
      },
      () => {},
    )
  const outage = new TypeError('Failed to fetch')
  const repeats = async () => {
    const before = count
    announceRecovery()
    await settled(0)
    return count - before
  }
  await request(outage)
  cancel()
  expect(await repeats()).toBe(0)
  await request(outage)
  await request(null)
  expect(await repeats()).toBe(0)
  await request(new Refused(404, 'gone', undefined, 'unknown'))
  expect(await repeats()).toBe(0)
  await request(outage)
  dropUserData()
  expect(await repeats()).toBe(0)
  await request(outage)
  expect(await repeats()).toBe(1)
})
