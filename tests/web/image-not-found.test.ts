import { afterAll, beforeEach, expect, test } from 'bun:test'
import { loadEdited, loadFaultText } from '../../web/admin/metadata/item-editor.ts'
import { address } from '../../web/app/address.ts'
import { closeToast, toasts } from '../../web/app/messages.ts'
import { loadMapItem, openItems, shownItem } from '../../web/map/map-items.ts'

const real = globalThis.fetch
let status = 404
globalThis.fetch = Object.assign(
  async () => Response.json({ error: 'Not found', code: status === 404 ? 'notFound' : 'unexpected' }, { status }),
  { preconnect: () => {} },
)
afterAll(() => {
  globalThis.fetch = real
})
beforeEach(() => {
  for (const { id } of toasts.value) closeToast(id)
  status = 404
})

const messages = () => toasts.value.map(({ text }) => text)

test('the editor shows the same message as the viewer for an unknown item', async () => {
  address.value = { path: '/admin/metadata', search: '?items=99999', entry: {} }
  await loadEdited()
  expect([loadFaultText.value, ...messages()]).toEqual(['Image not found'])
  status = 500
  address.value = { path: '/admin/metadata', search: '?items=99998', entry: {} }
  await loadEdited()
  expect([loadFaultText.value, ...messages()]).toEqual([
    'The picture could not be loaded',
    'Unknown server error: Failed to load Item: 99998',
  ])
})

test('the map shows the same message for an unknown item', async () => {
  await loadMapItem(99999)
  expect(messages()).toEqual(['Image not found'])
})

test('the map loads an item again after a server error', async () => {
  status = 500
  await loadMapItem(99998)
  openItems({ key: '', latitude: 0, longitude: 0, ids: [99998], at: 0 })
  expect(shownItem.value).toBeNull()
  status = 404
  await new Promise(resolve => setTimeout(resolve, 1))
  await loadMapItem(99998)
  expect(shownItem.value).toBe('gone')
})
