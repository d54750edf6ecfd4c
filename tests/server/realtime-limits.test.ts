import { afterEach, expect, test } from 'bun:test'
import { createRealtime } from '../../server/realtime/realtime.ts'
import { openTestServer } from '../support/test-server.ts'

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A server with low limits, behind a proxy on this machine that forwards the addresses of visitors. */
function testServer(limits: { connections: number; reserve: number; visitorsOfAddress: number }) {
  const testServer = openTestServer({ KEEPSAKE_TRUSTED_PROXIES: '127.0.0.1' })
  closing.push(() => testServer.close())
  const realtime = createRealtime(testServer.library, limits)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    websocket: realtime.websocket,
    fetch: (request, server) =>
      realtime.upgrade(request, { address: server.requestIP(request)?.address ?? '', server }),
  })
  closing.push(
    () => server.stop(true),
    () => realtime.close(),
  )
  const at = `127.0.0.1:${server.port}`

  /** Returns the socket, or the status with which the connection is refused. */
  async function connect(address: string, token: string | null = null): Promise<WebSocket | number> {
    const headers = {
      Origin: `http://${at}`,
      'X-Forwarded-For': address,
      ...(token === null ? {} : { Cookie: `keepsake_session=${token}` }),
    }
    const socket = new WebSocket(`ws://${at}/v1/realtime`, { headers })
    const opened = await new Promise<boolean>(resolve => {
      socket.onopen = () => resolve(true)
      socket.onerror = () => resolve(false)
    })
    if (opened) return socket
    const refused = await fetch(`http://${at}/v1/realtime`, { headers: { ...headers, Upgrade: 'websocket' } })
    expect(refused.headers.get('retry-after')).toBe('10')
    return refused.status
  }

  /** Authenticates, and waits for the response. */
  async function authenticate(socket: WebSocket | number, token: string | null) {
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
    const response = new Promise<string>(resolve => {
      socket.onmessage = ({ data }) => {
        if (String(data).includes('"id":1')) resolve(String(data))
      }
    })
    socket.send(JSON.stringify({ id: 1, method: 'authenticate', params: token === null ? {} : { token } }))
    expect(await response).toContain('"result"')
  }

  /** Closes the connection and waits until it is closed. */
  async function close(socket: WebSocket | number) {
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
    const closed = new Promise(resolve => {
      socket.onclose = resolve
    })
    socket.close()
    await closed
  }

  return { ...testServer, connect, authenticate, close }
}

const isOpen = (connection: WebSocket | number) => typeof connection !== 'number'

test('visitors have a limited number of connections per address or IPv6 network; closing one makes room', async () => {
  const { connect, close } = testServer({ connections: 100, reserve: 10, visitorsOfAddress: 5 })
  const burst = await Promise.all(Array.from({ length: 12 }, () => connect('192.0.2.1')))
  expect(burst.filter(isOpen)).toHaveLength(5)
  expect(burst.filter(connection => connection === 429)).toHaveLength(7)
  expect(isOpen(await connect('192.0.2.2'))).toBe(true)
  for (let n = 1; n <= 5; n++) expect(isOpen(await connect(`2001:db8::${n}`))).toBe(true)
  expect(await connect('2001:db8::99')).toBe(429)
  const [first = 0] = burst.filter(isOpen)
  await close(first)
  expect(isOpen(await connect('192.0.2.1'))).toBe(true)
})

test('a connection does not count as a visitor’s while it is signed in', async () => {
  const { connect, authenticate, user } = testServer({ connections: 100, reserve: 10, visitorsOfAddress: 2 })
  const { token } = await user('ines')
  const [first, second] = [await connect('192.0.2.1'), await connect('192.0.2.1')]
  expect(await connect('192.0.2.1')).toBe(429)
  await authenticate(first, token)
  await authenticate(second, null)
  expect(isOpen(await connect('192.0.2.1'))).toBe(true)
  expect(await connect('192.0.2.1')).toBe(429)
  // Three connections of visitors are open, one above the limit: there is room again when two are closed.
  await authenticate(first, null)
  expect(await connect('192.0.2.1')).toBe(429)
})

test('signed-in users can connect when visitors have used up their share', async () => {
  const { connect, authenticate, user } = testServer({ connections: 6, reserve: 2, visitorsOfAddress: 3 })
  const { token } = await user('ines')
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) {
    expect(isOpen(await connect(address))).toBe(true)
  }
  expect(await connect('192.0.2.5')).toBe(503)
  const mine = await connect('192.0.2.5', token)
  await authenticate(mine, token)
  expect(await connect('192.0.2.5', 'no token')).toBe(503)
  expect(isOpen(await connect('192.0.2.5', token))).toBe(true)
  // All connections are in use now.
  expect(await connect('192.0.2.5', token)).toBe(503)
})
