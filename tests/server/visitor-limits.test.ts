import { afterAll, expect, spyOn, test } from 'bun:test'
import { connect } from 'node:net'
import { openAccounts } from '../support/accounts.ts'
import { cookieOf, openTestServer } from '../support/test-server.ts'

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

function testServer() {
  const testServer = openTestServer()
  closing.push(() => testServer.close())
  return {
    ...testServer,
    /** Creates a screen saver from an address, as a new visitor unless `headers` identify the caller. */
    createSaver: (address: string, headers: Record<string, string> = {}) =>
      Promise.resolve(
        testServer.app.request(
          'http://keepsake.test/v1/screensaver/create?name=web',
          { method: 'POST', headers: { origin: 'http://keepsake.test', host: 'keepsake.test', ...headers } },
          { address },
        ),
      ),
  }
}

test('new visitors of one address or IPv6 network create at most twenty screen savers an hour', async () => {
  const { createSaver, user, clock } = testServer()
  for (let n = 1; n <= 20; n++) expect((await createSaver(`2001:db8:1:2::${n}`)).status).toBe(201)
  const refused = await createSaver('2001:db8:1:2::ffff')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('3600')
  expect((await createSaver('2001:db8:1:3::1')).status).toBe(201)
  const { token } = await user('ines')
  expect((await createSaver('2001:db8:1:2::1', { authorization: `Bearer ${token}` })).status).toBe(201)
  clock.advance(3601)
  expect((await createSaver('2001:db8:1:2::1')).status).toBe(201)
})

test('a screen saver that was refused for another reason is not counted', async () => {
  const { createSaver } = testServer()
  const cookie = cookieOf(await createSaver('192.0.2.1'), 'keepsake_visitor')
  for (let n = 0; n < 2; n++) expect((await createSaver('192.0.2.1', { cookie })).status).toBe(201)
  for (let n = 0; n < 30; n++) expect((await createSaver('192.0.2.1', { cookie })).status).toBe(409)
  expect((await createSaver('192.0.2.1')).status).toBe(201)
})

test('visitors have at most 200 screen savers in all, until the first one expires', async () => {
  const { createSaver, user, clock } = testServer()
  for (let n = 0; n < 200; n++) expect((await createSaver(`192.0.2.${n}`)).status).toBe(201)
  clock.advance(400)
  const refused = await createSaver('203.0.113.1')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe(String(86_400 - 400))
  const { token } = await user('ines')
  expect((await createSaver('203.0.113.1', { authorization: `Bearer ${token}` })).status).toBe(201)
  clock.advance(86_000)
  expect((await createSaver('203.0.113.1')).status).toBe(201)
}, 30_000)

test('new accounts are limited by address or IPv6 network, and in all', () => {
  const { users, clock } = openAccounts()
  const isRefused = (address: string) => {
    try {
      users.countRegistration(address)
      return false
    } catch {
      return true
    }
  }
  for (let n = 1; n <= 10; n++) expect(isRefused(`2001:db8::${n}`)).toBe(false)
  expect(isRefused('2001:db8::99')).toBe(true)
  for (let n = 0; n < 90; n++) expect(isRefused(`192.0.2.${n}`)).toBe(false)
  expect(isRefused('203.0.113.1')).toBe(true)
  clock.advance(61)
  expect(isRefused('203.0.113.1')).toBe(false)
})

test('a user’s request is handled before earlier requests of visitors', async () => {
  const { app, user } = testServer()
  const { token } = await user('ines')
  const done: string[] = []
  const request = async (who: string, headers: Record<string, string>) => {
    const response = await app.request('http://keepsake.test/v1/item/list/0', { headers })
    done.push(who)
    expect(response.status).toBe(200)
  }
  const visitors = Array.from({ length: 100 }, () => request('visitor', {}))
  await Promise.all([...visitors, request('user', { authorization: `Bearer ${token}` })])
  expect(done).toHaveLength(101)
  expect(done.indexOf('user')).toBeLessThan(20)
})

test('a client that closes the connection in the middle of its body causes no server error', async () => {
  const { app, library } = testServer()
  const errors = spyOn(library.log, 'error')
  const { promise: handled, resolve } = Promise.withResolvers<Response>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const response = await app.fetch(request)
      resolve(response)
      return response
    },
  })
  try {
    const socket = connect(server.port ?? 0, '127.0.0.1', () => {
      socket.write(
        'POST /v1/users/login HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n' +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
        () => setTimeout(() => socket.destroy(), 50),
      )
    })
    expect((await handled).status).toBe(400)
    expect(errors).not.toHaveBeenCalled()
  } finally {
    await server.stop(true)
  }
})
