import { beforeAll, describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../core/accounts/access.ts'
import { calls } from '../../schema/api/calls.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../support/scanning-library.ts'

let scanned: ScanningLibrary
let send: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: { error?: string } }>

beforeAll(async () => {
  scanned = openScanningLibrary()
  scanned.put('a.jpg', await picture({ seed: 1 }))
  await scanned.scan()
  const { library } = scanned
  const user = await library.users.create(
    terminalViewer,
    { username: 'admin', name: 'A', email: 'a@b', password: 'secret', unlockPin: '1234', globalAdmin: true },
    true,
  )
  const { token } = await library.sessions.open(user, 'test')
  const app = createApp(library, { files: new Map(), index: '', policy: '' }, createMediaOnDemand(library))
  send = async (method, path, body) => {
    const response = await app.request(`http://keepsake.test${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        host: 'keepsake.test',
        origin: 'http://keepsake.test',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }
})

describe('a radius without a position', () => {
  test.each(['/v1/item/list/0', '/v1/item/timeline/0', '/v1/geojson/features/0'])('is refused by %s', async path => {
    expect(await send('GET', `${path}?radius=500`)).toMatchObject({ status: 400, body: { field: 'radius' } })
    expect((await send('GET', `${path}?radius=500&latitude=48&longitude=11`)).status).toBe(200)
  })

  test('creates no screen saver, but one of an older version still works', async () => {
    const refused = await send('POST', '/v1/screensaver/create?name=a&radius=500')
    expect(refused).toMatchObject({ status: 400, body: { field: 'radius' } })
    const { body } = await send('POST', '/v1/screensaver/create?name=a')
    const { id } = body as { id: number }
    await scanned.library.db.transact(
      { userId: null },
      tx => void tx.run('UPDATE screensavers SET filters = ? WHERE id = ?', '{"radius":500}', id),
    )
    expect(await send('GET', `/v1/screensaver/next/${id}`)).toMatchObject({ status: 200, body: [{ name: 'a.jpg' }] })
  })
})

test('restoring an item that is not in the recycle bin is refused', async () => {
  const id = scanned.items().get('a.jpg')?.id
  expect(await send('PUT', `/v1/item/${id}/restore`)).toMatchObject({
    status: 409,
    body: { error: 'This item is not in the recycle bin.', code: 'conflict' },
  })
  expect((await send('DELETE', `/v1/item/${id}`)).status).toBe(204)
  expect((await send('PUT', `/v1/item/${id}/restore`)).status).toBe(200)
})

test('no call returns the messages of the validation library for invalid input', async () => {
  const messages = new Set<string>()
  for (const call of Object.values(calls).flatMap(group => Object.values(group)))
    for (const body of [{}, [], 'x', { items: 'x', name: 5, data: null, groups: [[1]], username: {} }]) {
      const path = call.path.replace(/:\w+/g, '1')
      const { status, body: response } = await send(call.method, path, call.method === 'GET' ? undefined : body)
      if (status === 400) messages.add(response.error ?? '')
    }
  expect(
    [...messages].filter(text => /Invalid|Too (big|small)|expected|received|Unrecognized|undefined/.test(text)),
  ).toEqual([])
  expect(messages.size).toBeGreaterThan(5)
})
