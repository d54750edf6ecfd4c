import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Item } from '../../schema/api/items.ts'
import { address } from '../../web/app/address.ts'
import { list, listKey } from '../../web/items/items.ts'
import { clearSelection, selectCurrent, selected, selectMany } from '../../web/items/selection/selection.ts'

const item = (id: number) => ({ id }) as Item

/** Ids in the order of the album's names, which the server returns only for `sort=name`. */
const byName = [7, 3, 9]

const real = globalThis.fetch
globalThis.fetch = Object.assign(
  async (input: string | URL | Request) => {
    const isByName =
      new URL(input instanceof Request ? input.url : input, 'http://localhost').searchParams.get('sort') === 'name'
    const items = (isByName ? byName : [...byName].sort()).map(item)
    return Response.json({ items, _links: { next: null }, _meta: { total_records: items.length } })
  },
  { preconnect: () => {} },
)
afterAll(() => {
  globalThis.fetch = real
  list.value = null
  clearSelection()
})
beforeEach(() => {
  clearSelection()
  address.value = { path: '/', search: '?album=4&sort=name', entry: {} }
  list.value = { key: listKey.value, total: byName.length, items: new Map() }
})

test('items that are not loaded are selected in the order in which the list is sorted', async () => {
  await selectMany(0, 2, true)
  expect([...selected.value.keys()]).toEqual([7, 3])
})

test('all items are selected in the order in which the list is sorted', async () => {
  expect(await selectCurrent()).toBe(3)
  expect([...selected.value.keys()]).toEqual([7, 3, 9])
})
