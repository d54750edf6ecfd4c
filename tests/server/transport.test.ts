import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { oldCookiesUntil } from '../../core/accounts/old-cookies.ts'
import { createRealtime } from '../../server/realtime/realtime.ts'
import { replaceOldCookies } from '../../server/requests/cookies.ts'
import { cookieOf, openTestServer } from '../support/test-server.ts'

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** A server behind a trusted proxy at 10.0.0.1, unless the settings name others. */
function testServer(settings: Record<string, string> = {}) {
  const testServer = openTestServer({ KEEPSAKE_TRUSTED_PROXIES: '10.0.0.0/8', ...settings })
  closing.push(() => testServer.close())
  return {
    ...testServer,
    request(
      path: string,
      {
        at = 'http://keepsake.test',
        address = '10.0.0.1',
        headers = {},
        ...init
      }: { method?: string; body?: string; at?: string; address?: string; headers?: Record<string, string> } = {},
    ) {
      const host = new URL(at).host
      return Promise.resolve(
        testServer.app.request(`${at}${path}`, { ...init, headers: { host, ...headers } }, { address }),
      )
    },
  }
}

const secure = { 'x-forwarded-proto': 'https' }
const origin = 'https://keepsake.test'

function login(
  request: ReturnType<typeof testServer>['request'],
  more: { address?: string; headers?: Record<string, string> } = {},
) {
  return request('/v1/users/login', {
    method: 'POST',
    body: JSON.stringify({ username: 'ines', password: 'secret' }),
    ...more,
    headers: { ...secure, origin, 'content-type': 'application/json', ...more.headers },
  })
}

const setCookies = (response: Response) => response.headers.getSetCookie()
const statusOf = async (response: Promise<Response>) => (await response).status

describe('over https', () => {
  test('the session’s cookie is Secure with the prefix __Host-, and logging out removes it', async () => {
    const { request, user, library } = testServer()
    await user('ines')
    const response = await login(request)
    expect(response.status).toBe(200)
    expect(setCookies(response)).toHaveLength(1)
    expect(setCookies(response)[0]).toMatch(
      /^__Host-keepsake_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const cookie = cookieOf(response, '__Host-keepsake_session')
    const session = await library.sessions.of(cookie.split('=')[1] ?? '')
    const logout = () =>
      request('/v1/users/logout', { headers: { ...secure, cookie, 'x-csrf-token': session?.csrf ?? '' } })
    const gone = await logout()
    expect(gone.status).toBe(200)
    expect(setCookies(gone).map(line => line.split('=')[0])).toEqual(['__Host-keepsake_session', 'keepsake_session'])
    for (const line of setCookies(gone)) expect(line).toContain('Max-Age=0')
    expect((await logout()).status).toBe(401)
  })

  test('the cookies of visitors and devices are Secure with the prefix, too', async () => {
    const { request, user } = testServer()
    const created = await request('/v1/screensaver/create?name=web', { method: 'POST', headers: { ...secure, origin } })
    expect(setCookies(created)[0]).toMatch(/^__Host-keepsake_visitor=[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; /)
    const cookie = cookieOf(created, '__Host-keepsake_visitor')
    expect(await (await request('/v1/screensaver', { headers: { ...secure, cookie } })).json()).toHaveLength(1)

    const { token } = await user('ines')
    const value = '0123456789abcdef'.repeat(2)
    const bearer = { ...secure, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Television', value })
    expect((await request('/v1/tokens', { method: 'POST', body, headers: bearer })).status).toBe(201)
    const listed = await request('/v1/screensaver', { headers: { ...secure, authorization: `Bearer ${value}` } })
    expect(setCookies(listed)[0]).toMatch(
      /^__Host-keepsake_device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; /,
    )
  })

  test('every response has HSTS, also refusals, but not over http', async () => {
    const { request } = testServer()
    for (const path of ['/', '/v1/config', '/v1/job', '/v1/nothing', '/assets/nothing.js', '/v1/item/%00']) {
      expect((await request(path, { headers: secure })).headers.get('strict-transport-security')).toBe(
        'max-age=31536000',
      )
      expect((await request(path)).headers.get('strict-transport-security')).toBeNull()
    }
    const own = await request('/', { at: 'https://keepsake.test', address: '192.0.2.1' })
    expect(own.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('X-Forwarded-Proto is trusted only from a trusted proxy', async () => {
    const { request, user } = testServer()
    await user('ines')
    const response = await login(request, { address: '192.0.2.1', headers: { origin: 'http://keepsake.test' } })
    expect(response.headers.get('strict-transport-security')).toBeNull()
    expect(setCookies(response)[0]).toMatch(/^keepsake_session=/)
    expect(setCookies(response)[0]).not.toContain('Secure')
  })
})

describe('cookies of older versions', () => {
  test('are read over https for 30 days and replaced, and ignored afterwards', async () => {
    const { request, user, library, clock } = testServer()
    await library.db.transact({ userId: null }, tx => {
      const until = Math.floor(clock.now() / 1000) + 30 * 86_400
      tx.run("UPDATE choices SET value = ? WHERE name = 'old-cookies-until'", String(until))
    })
    const { token } = await user('ines')
    const headers = { ...secure, cookie: `keepsake_session=${token}` }
    const read = await request('/v1/job', { headers })
    expect(read.status).toBe(200)
    const [fresh = '', old = ''] = setCookies(read)
    expect(fresh).toBe(`__Host-keepsake_session=${token}; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Strict`)
    expect(old).toMatch(/^keepsake_session=; Max-Age=0; Path=\//)
    const both = await request('/v1/job', {
      headers: { ...secure, cookie: `${fresh.split(';')[0]}; keepsake_session=x` },
    })
    expect(both.status).toBe(200)

    clock.advance(30 * 86_400 - 1)
    const jan = await user('jan')
    const late = { ...secure, cookie: `keepsake_session=${jan.token}` }
    expect(await statusOf(request('/v1/job', { headers: late }))).toBe(200)
    clock.advance(1)
    const ignored = await request('/v1/job', { headers: late })
    expect(ignored.status).toBe(401)
    expect(setCookies(ignored)).toEqual([])
    // Over http these are the current names of the cookies.
    expect(await statusOf(request('/v1/job', { headers: { cookie: late.cookie } }))).toBe(200)
  })

  test('are never replaced in a publicly cacheable response', async () => {
    const { library } = testServer()
    expect(oldCookiesUntil(library.db)).toBeGreaterThan(0)
    const app = new Hono().get('/:caching', context => {
      const headers = new Headers({ 'Cache-Control': `${context.req.param('caching')}, max-age=86400` })
      replaceOldCookies(context, library, headers)
      return new Response(null, { headers })
    })
    const cookie = 'keepsake_session=x'
    expect(setCookies(await app.request('https://keepsake.test/private', { headers: { cookie } }))).toHaveLength(2)
    expect(setCookies(await app.request('https://keepsake.test/public', { headers: { cookie } }))).toEqual([])
  })
})

describe('the address of the client', () => {
  async function loggedAddress(address: string, forwarded?: string): Promise<string | undefined> {
    const { request, library } = testServer()
    const headers = {
      'sec-fetch-site': 'same-origin',
      ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    }
    expect((await login(request, { address, headers })).status).toBe(401)
    await library.auditNotes.write()
    return library.db.get<{ address: string }>('SELECT address FROM audit_log')?.address
  }

  test.each([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
    // The left part may be forged by the visitor.
    ['10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.7, 10.0.0.8', '203.0.113.9'],
    ['10.0.0.1', '10.0.0.5, 10.0.0.6', '10.0.0.5'],
    ['10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ])('from %p with X-Forwarded-For %p is %p', async (address, forwarded, expected) => {
    expect(await loggedAddress(address, forwarded)).toBe(expected)
  })

  test('an untrusted proxy is logged once', async () => {
    const { request, directory } = testServer()
    const lines = () => {
      const logs = join(directory, 'data', 'logs')
      return readdirSync(logs)
        .flatMap(name => readFileSync(join(logs, name), 'utf8').split('\n'))
        .filter(line => line.includes('trusted_proxies'))
    }
    await request('/v1/job', { headers: { 'x-forwarded-for': '192.0.2.9' } })
    await request('/v1/job', { address: '172.16.0.1' })
    expect(lines()).toEqual([])
    for (let n = 0; n < 3; n++) {
      await request('/v1/job', { address: '172.16.0.1', headers: { 'x-forwarded-for': '192.0.2.9' } })
    }
    expect(lines()).toHaveLength(1)
    expect(lines()[0]).toContain('172.16.0.1')
  })
})

describe('host names', () => {
  const settings = {
    KEEPSAKE_BASE_URL: 'https://Pictures.example:8443/',
    KEEPSAKE_HOSTS: 'pictures.lan,münchen.example',
  }

  test('other than those of base_url and hosts are refused, except addresses and names of this machine', async () => {
    const { request } = testServer(settings)
    for (const name of [
      'pictures.example',
      'PICTURES.example.:4480',
      'pictures.lan:4480',
      'xn--mnchen-3ya.example',
      '192.168.1.5:4480',
      '[fd00::1]:4480',
      '127.0.0.2',
      '[::1]',
      'localhost:4480',
      'pictures.localhost',
    ]) {
      expect([name, await statusOf(request('/', { headers: { host: name } }))]).toEqual([name, 200])
    }
    for (const name of [
      'evil.example',
      'pictures.example.evil.example',
      'xpictures.example',
      'notlocalhost',
      '',
      'a b',
    ]) {
      for (const path of ['/', '/v1/config', '/assets/x.js', '/v1/screensaver']) {
        const refused = await request(path, { headers: { host: name } })
        expect([name, refused.status]).toEqual([name, 421])
        expect(await refused.json()).toEqual({
          code: 'misdirected',
          error: `This server is not called '${name}'. If it should be, add that name to its setting 'hosts'.`,
          pattern: "This server is not called '{0}'. If it should be, add that name to its setting 'hosts'.",
          values: [name],
        })
      }
    }
  })

  test.each([
    [settings, 'wss://pictures.example:8443/v1/realtime'],
    [{ KEEPSAKE_BASE_URL: 'http://pictures.lan/below/' }, 'ws://pictures.lan/below/v1/realtime'],
    [{}, ''],
  ])('the page gets the websocket address of base_url: %o', async (environment, websocket) => {
    const response = await testServer(environment).request('/config/runtime.json', { headers: { host: 'localhost' } })
    expect(await response.json()).toMatchObject({ websocket })
  })

  test('are all accepted while base_url is empty', async () => {
    const { request } = testServer()
    expect(await statusOf(request('/', { headers: { host: 'anything.example' } }))).toBe(200)
  })

  test('accept a login only from a page of the same server', async () => {
    const { request, user } = testServer(settings)
    await user('ines')
    const statusFor = (host: string, page: string) =>
      login(request, { headers: { host, origin: page } }).then(r => r.status)
    expect(await statusFor('pictures.example:8443', 'https://pictures.example:8443')).toBe(200)
    expect(await statusFor('pictures.lan', 'https://pictures.lan')).toBe(200)
    expect(await statusFor('192.168.1.5', 'https://192.168.1.5')).toBe(200)
    // A proxy may send its own host name.
    expect(await statusFor('127.0.0.1:4480', 'https://pictures.example:8443')).toBe(200)
    expect(await statusFor('192.168.1.5', 'https://pictures.lan')).toBe(403)
    expect(await statusFor('pictures.lan', 'https://evil.example')).toBe(403)
  })

  test('accept a websocket only from a page of the same server', async () => {
    const { library } = testServer(settings)
    const realtime = createRealtime(library)
    const server = Bun.serve({ port: 0, websocket: realtime.websocket, fetch: () => new Response() })
    const statusFor = async (host: string, page: string) => {
      const request = new Request(`http://${host}/v1/realtime`, { headers: { host, origin: page, ...secure } })
      return (await realtime.upgrade(request, { address: '10.0.0.1', server })).status
    }
    // 426 means that the page is allowed: only the upgrade itself is missing here.
    expect(await statusFor('pictures.lan', 'https://pictures.lan')).toBe(426)
    expect(await statusFor('192.168.1.5', 'https://192.168.1.5')).toBe(426)
    expect(await statusFor('192.168.1.5', 'https://evil.example')).toBe(403)
    expect(await statusFor('evil.example', 'https://evil.example')).toBe(421)
    realtime.close()
    await server.stop(true)
  })
})

test('no other site can frame anything under /v1', async () => {
  const { request, user } = testServer()
  await user('ines')
  const policies = await Promise.all(
    ['/v1/capabilities', '/v1/openapi.json', '/v1/docs', '/v1/nothing', '/v1/item/1/large', '/v1/files'].map(
      async path => (await request(path)).headers.get('content-security-policy'),
    ),
  )
  for (const policy of policies) expect(policy).toMatch(/frame-ancestors '(none|self)'/)
  expect((await login(request)).headers.get('content-security-policy')).toBe(
    "default-src 'none'; frame-ancestors 'none'",
  )
})
