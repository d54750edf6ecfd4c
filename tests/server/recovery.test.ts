/** Recovering an account ends the access of all its devices and scripts. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { screensaver } from '../../schema/api/screensavers.ts'
import { createBuilders } from '../support/library.ts'
import { cookieOf, openTestServer } from '../support/test-server.ts'

const testServer = openTestServer()
const { sendJson, send, library } = testServer
let family = 0
let itemId = 0
let admin = { id: 0, token: '' }
let other = { script: '', device: '' }
let ines = { id: 0, token: '', script: '', device: '', cookie: '' }
let count = 0

const newDeviceToken = () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')

/** A user with a script's token, and a television that shows their pictures. */
async function person(username: string) {
  const { id, token } = await testServer.user(username, { collectionId: family })
  const script = (await library.tokens.issueApi(terminalViewer, { username, name: 'backup', expiresAt: null })).token
  const device = newDeviceToken()
  const saver = screensaver.parse((await sendJson('POST', '/v1/screensaver/create?name=web', token)).json).id
  await sendJson('POST', '/v1/tokens', token, { name: 'Television', value: device, screensaverid: saver })
  const cookie = cookieOf(await send('GET', '/v1/screensaver', device), 'keepsake_device')
  return { id, token, script, device, cookie }
}

beforeAll(async () => {
  family = await testServer.collection('family')
  itemId = await createBuilders(library.db).item({ collection: family })
  admin = await testServer.user('admin', { globalAdmin: true })
  other = await person('other')
})
afterAll(() => testServer.close())
beforeEach(async () => {
  ines = await person(`ines${++count}`)
})

/** The statuses of requests by the script and the device. */
async function statusesOf(who: { script: string; device: string }) {
  const script = (await sendJson('GET', '/v1/tokens', who.script)).status
  const device = (await sendJson('GET', '/v1/screensaver', who.device)).status
  return { script, device }
}
const isDeviceOfCookie = () => library.tokens.ofDeviceCookie(ines.cookie.split('=')[1] ?? '') !== null
const both = { script: 200, device: 200 }
const none = { script: 401, device: 401 }

const recoveries: [what: string, act: () => Promise<unknown>][] = [
  [
    'a new password by an administrator',
    () => sendJson('PUT', `/v1/users/${ines.id}/password`, admin.token, { password: 'brand new' }),
  ],
  [
    'a new password and PIN by an administrator',
    () => sendJson('PUT', `/v1/users/${ines.id}/password`, admin.token, { password: 'brand new', unlockPin: '1' }),
  ],
  ['the end of all sessions', () => sendJson('DELETE', `/v1/users/${ines.id}/sessions`, admin.token)],
  ['keepsake user passwd', () => library.users.setPassword(terminalViewer, `INES${count}`, 'brand new')],
]
for (const [what, act] of recoveries) {
  test(`${what} signs out the devices and scripts of that account, and of no other`, async () => {
    expect(await statusesOf(ines)).toEqual(both)
    expect(isDeviceOfCookie()).toBe(true)
    const before = library.db.get<{ id: number }>('SELECT max(id) AS id FROM events')?.id ?? 0
    await act()
    expect(await statusesOf(ines)).toEqual(none)
    expect(isDeviceOfCookie()).toBe(false)
    expect((await send('GET', `/v1/item/${itemId}/image`, { cookie: ines.cookie })).status).toBe(404)
    expect(library.db.all('SELECT 1 FROM tokens WHERE user_id = ?', ines.id)).toEqual([])
    expect(await statusesOf(other)).toEqual(both)
    // The event closes open connections.
    const events = library.db.all<{ channel: string }>('SELECT channel FROM events WHERE id > ?', before)
    expect(events.map(({ channel }) => channel)).toContain('.sessions')
  })
}

test('ending all sessions returns their number, also if only devices and scripts are left', async () => {
  const end = async () => (await sendJson('DELETE', `/v1/users/${ines.id}/sessions`, admin.token)).json
  expect(await end()).toEqual({ ended: 1, tokens: 2 })
  await library.tokens.issueApi(terminalViewer, { username: `ines${count}`, name: 'again', expiresAt: null })
  expect(await end()).toEqual({ ended: 0, tokens: 1 })
})

test('a new PIN alone keeps devices and scripts, which never see hidden items', async () => {
  expect((await sendJson('PUT', `/v1/users/${ines.id}/password`, admin.token, { unlockPin: '1' })).status).toBe(204)
  expect(await statusesOf(ines)).toEqual(both)
})

test('changing one’s own password signs out devices and scripts only when requested', async () => {
  const put = (more: object) =>
    sendJson('PUT', '/v1/users/update', ines.token, { name: 'Inés', email: 'i@b', password: 'secret', ...more })
  for (const more of [{}, { newPassword: 'secret' }, { newPassword: 'secret', signOutTokens: false }]) {
    expect((await put(more)).status).toBe(200)
    expect(await statusesOf(ines)).toEqual(both)
  }
  expect((await put({ signOutTokens: true, password: 'wrong' })).status).toBe(403)
  expect(await statusesOf(ines)).toEqual(both)
  expect((await put({ newPassword: 'brand new', signOutTokens: true })).status).toBe(200)
  expect(await statusesOf(ines)).toEqual(none)
  expect(await statusesOf(other)).toEqual(both)
  expect((await sendJson('GET', '/v1/tokens', ines.token)).status).toBe(200)
})

test('a device that was signed out can be registered again with its next code', async () => {
  await sendJson('DELETE', `/v1/users/${ines.id}/sessions`, admin.token)
  const { json } = await sendJson('POST', '/v1/users/login', null, { username: `ines${count}`, password: 'secret' })
  const { token } = z.object({ token: z.string() }).parse(json)
  const next = newDeviceToken()
  expect((await sendJson('POST', '/v1/tokens', token, { name: 'Television', value: next })).status).toBe(201)
  expect((await sendJson('GET', '/v1/screensaver', next)).status).toBe(200)
})

test('administrators cannot reset their own password or PIN: an open session is not enough for that', async () => {
  const reset = (body: object) => sendJson('PUT', `/v1/users/${admin.id}/password`, admin.token, body)
  for (const body of [{ password: 'taken over' }, { unlockPin: '0000' }])
    expect(await reset(body)).toMatchObject({
      status: 409,
      json: { error: expect.stringContaining('in your profile') },
    })
})
