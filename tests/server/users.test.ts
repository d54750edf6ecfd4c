import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openTestServer } from '../support/test-server.ts'

const testServer = openTestServer()
const { sendJson, send, library } = testServer
let family = 0
let admin = { id: 0, token: '' }
let second = { id: 0, token: '' }
let manager = { id: 0, token: '' }
let viewer = { id: 0, token: '' }

beforeAll(async () => {
  family = await testServer.collection('family')
  admin = await testServer.user('admin', { globalAdmin: true })
  second = await testServer.user('second')
  manager = await testServer.user('manager', { collectionId: family, right: 'admin' })
  viewer = await testServer.user('viewer', { collectionId: family })
})
afterAll(() => testServer.close())

const withToken = z.object({ token: z.string() })
const login = (username: string, password: string) =>
  sendJson('POST', '/v1/users/login', null, { username, password }).then(({ status }) => status)
const tokenOf = async (username: string, password = 'secret') => {
  const { json } = await sendJson('POST', '/v1/users/login', null, { username, password })
  return withToken.parse(json).token
}
const isOpen = async (token: string) => (await sendJson('GET', '/v1/job', token)).status === 200

test('global admins see full accounts, administrators of collections only names, others nothing', async () => {
  const all = await sendJson('GET', '/v1/users', admin.token)
  expect(all.json).toContainEqual({
    id: manager.id,
    username: 'manager',
    name: 'manager',
    email: 'manager@example.org',
    globaladmin: false,
    disabled: false,
    sessions: 1,
    created: Math.floor(testServer.clock.now() / 1000),
  })
  const some = await sendJson('GET', '/v1/users', manager.token)
  expect(some.json).toContainEqual({ id: viewer.id, username: 'viewer', name: 'viewer' })
  expect(JSON.stringify(some.json)).not.toContain('@')
  expect((await sendJson('GET', '/v1/users', viewer.token)).status).toBe(403)
  expect((await sendJson('GET', '/v1/users')).status).toBe(401)
})

test('a profile changes only with the right password; an empty new password or PIN changes nothing', async () => {
  const put = (body: object, token = viewer.token) => sendJson('PUT', '/v1/users/update', token, body)
  const profile = { name: 'Vera', email: 'vera@example.org', password: 'secret', unlockPin: '', newPassword: '' }
  const wrong = await put({ ...profile, password: 'wrong' })
  expect(wrong).toEqual({ status: 403, json: { error: 'Incorrect password', code: 'denied', field: 'password' } })
  expect((await put({ ...profile, password: '' })).status).toBe(403)
  const done = await put(profile)
  expect(done.json).toMatchObject({ user: { id: viewer.id, name: 'Vera', email: 'vera@example.org' } })
  expect(await login('viewer', 'secret')).toBe(200)
  for (const [change, field] of [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ email: 'nowhere' }, 'email'],
    [{ newPassword: 'x' }, 'newPassword'],
    [{ unlockPin: '12345' }, 'unlockPin'],
  ] as const) {
    expect(await put({ ...profile, ...change })).toMatchObject({ status: 400, json: { field } })
  }
  expect((await sendJson('PUT', '/v1/users/update', null, profile)).status).toBe(401)
})

test('a new password ends the other sessions of that user and no others', async () => {
  const [here, elsewhere] = [await tokenOf('second'), await tokenOf('second')]
  const body = { name: 'Second', email: 's@example.org', password: 'secret', newPassword: 'better' }
  expect((await sendJson('PUT', '/v1/users/update', here, body)).status).toBe(200)
  expect(await isOpen(here)).toBe(true)
  expect(await isOpen(elsewhere)).toBe(false)
  expect(await isOpen(second.token)).toBe(false)
  expect(await isOpen(admin.token)).toBe(true)
  expect(await login('second', 'secret')).toBe(401)
  second.token = await tokenOf('second', 'better')
})

test('guessing the password in an open session is limited', async () => {
  const { token } = await testServer.user('guessed')
  const put = (password: string) =>
    sendJson('PUT', '/v1/users/update', token, { name: 'x', email: 'a@b', password }).then(({ status }) => status)
  const guesses = await Promise.all(Array.from({ length: 14 }, (_, n) => put(`wrong ${n}`)))
  expect(guesses.filter(status => status === 403)).toHaveLength(10)
  expect(guesses.filter(status => status === 429)).toHaveLength(4)
  expect(await put('secret')).toBe(429)
  testServer.clock.advance(61)
  expect(await put('secret')).toBe(200)
})

test('a new PIN locks the other sessions again', async () => {
  const { id, token } = await testServer.user('pinned')
  const other = await tokenOf('pinned')
  for (const one of [token, other]) {
    expect((await sendJson('POST', '/v1/keystrings/unlock', one, { pin: '4711' })).status).toBe(200)
  }
  await sendJson('PUT', '/v1/users/update', token, { name: 'x', email: 'a@b', password: 'secret', unlockPin: '1' })
  const open = library.db.all<{ n: number }>(
    'SELECT count(*) AS n FROM sessions WHERE user_id = ? AND unlock_value IS NOT NULL',
    id,
  )
  expect(open).toEqual([{ n: 1 }])
})

test('users change their own account except the role; global admins change all accounts', async () => {
  const put = (user: object, token: string) => sendJson('PUT', '/v1/users', token, { user })
  expect((await put({ id: viewer.id, name: 'Valerie' }, viewer.token)).json).toMatchObject({
    user: { name: 'Valerie' },
  })
  expect((await put({ id: viewer.id, globaladmin: true }, viewer.token)).status).toBe(403)
  expect((await put({ id: second.id, name: 'x' }, viewer.token)).status).toBe(403)
  expect((await put({ id: 98_765, name: 'x' }, viewer.token)).status).toBe(403)
  expect((await put({ id: 98_765, name: 'x' }, admin.token)).status).toBe(404)
  expect((await put({ id: viewer.id, name: 'V' }, admin.token)).status).toBe(200)
  expect((await sendJson('PUT', '/v1/users', null, { user: { id: viewer.id } })).status).toBe(401)
})

test('the last enabled global admin keeps the role and stays enabled', async () => {
  const role = (id: number, globaladmin: boolean) =>
    sendJson('PUT', '/v1/users', admin.token, { user: { id, globaladmin } })
  const disable = (id: number, disabled: boolean) =>
    sendJson('PUT', `/v1/users/${id}/disabled`, admin.token, { disabled }).then(({ status }) => status)
  expect(await role(admin.id, false)).toMatchObject({ status: 409 })
  expect(await disable(admin.id, true)).toBe(409)
  expect((await role(second.id, true)).json).toMatchObject({ user: { globaladmin: true } })
  expect(await disable(second.id, true)).toBe(200)
  // A disabled admin does not count.
  expect(await disable(admin.id, true)).toBe(409)
  expect(await disable(second.id, false)).toBe(200)
  expect((await role(second.id, false)).status).toBe(200)
})

test('disabling ends sessions at once and refuses the login like a wrong password', async () => {
  const { id, token } = await testServer.user('gone')
  expect(await isOpen(token)).toBe(true)
  const response = await sendJson('PUT', `/v1/users/${id}/disabled`, admin.token, { disabled: true })
  expect(response.json).toMatchObject({ id, disabled: true, sessions: 0 })
  expect(await isOpen(token)).toBe(false)
  expect(await login('gone', 'secret')).toBe(401)
  await sendJson('PUT', `/v1/users/${id}/disabled`, admin.token, { disabled: false })
  expect(await isOpen(token)).toBe(false)
  expect(await login('gone', 'secret')).toBe(200)
})

test('an administrator sets a new password or PIN and ends sessions', async () => {
  const { id, token } = await testServer.user('forgot')
  const reset = (body: object, who = admin.token) => sendJson('PUT', `/v1/users/${id}/password`, who, body)
  expect((await reset({})).status).toBe(400)
  expect((await reset({ password: 'x' })).json).toMatchObject({ field: 'password' })
  expect((await reset({ password: 'brand new' })).status).toBe(204)
  expect(await isOpen(token)).toBe(false)
  expect(await login('forgot', 'brand new')).toBe(200)
  expect((await reset({ unlockPin: '1' })).status).toBe(204)
  expect(await login('forgot', 'brand new')).toBe(200)
  expect((await sendJson('DELETE', `/v1/users/${id}/sessions`, admin.token)).json).toEqual({ ended: 1, tokens: 0 })
  for (const who of [viewer.token, manager.token]) {
    expect((await reset({ password: 'mine now' }, who)).status).toBe(403)
    expect((await sendJson('DELETE', `/v1/users/${id}/sessions`, who)).status).toBe(403)
    expect((await sendJson('PUT', `/v1/users/${id}/disabled`, who, { disabled: true })).status).toBe(403)
  }
  expect((await sendJson('DELETE', '/v1/users/98765/sessions', admin.token)).status).toBe(404)
})

test('logging out of a renewed session also ends the session that it replaced', async () => {
  const old = await tokenOf('viewer')
  const renewed = await sendJson('GET', '/v1/users/renew', old)
  const { token } = withToken.parse(renewed.json)
  expect(await isOpen(old)).toBe(true)
  expect((await send('GET', '/v1/users/logout', token)).status).toBe(200)
  expect(await isOpen(token)).toBe(false)
  expect(await isOpen(old)).toBe(false)
  expect(await isOpen(viewer.token)).toBe(true)
})

test('every change of rights and sessions is published', async () => {
  const { id } = await testServer.user('told')
  const eventsAfter = async (work: () => Promise<unknown>) => {
    const from = library.db.get<{ id: number }>('SELECT max(id) AS id FROM events')?.id ?? 0
    await work()
    return library.db
      .all<{ channel: string }>(
        "SELECT DISTINCT channel FROM events WHERE id > ? AND channel <> 'audit' ORDER BY channel",
        from,
      )
      .map(({ channel }) => channel)
  }
  const put = (path: string, body: object) => () => sendJson('PUT', path, admin.token, body)
  expect(await eventsAfter(put('/v1/users', { user: { id, globaladmin: true } }))).toEqual(['.rights', 'users'])
  expect(await eventsAfter(put(`/v1/users/${id}/disabled`, { disabled: true }))).toEqual([
    '.rights',
    '.sessions',
    'users',
  ])
  expect(await eventsAfter(put(`/v1/users/${id}/password`, { password: 'another' }))).toEqual(['.sessions', 'users'])
  expect(await eventsAfter(() => sendJson('DELETE', `/v1/users/${id}/sessions`, admin.token))).toEqual([
    '.sessions',
    'users',
  ])
})

test('new accounts from one address are limited per minute', async () => {
  expect(() => library.users.countRegistration('')).not.toThrow()
  for (let n = 0; n < 10; n++) library.users.countRegistration('192.0.2.1')
  expect(() => library.users.countRegistration('192.0.2.1')).toThrow('Too many new accounts')
  expect(() => library.users.countRegistration('192.0.2.2')).not.toThrow()
  testServer.clock.advance(61)
  expect(() => library.users.countRegistration('192.0.2.1')).not.toThrow()
})
