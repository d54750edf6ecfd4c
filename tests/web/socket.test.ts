import { afterAll, beforeAll, expect, jest, test } from 'bun:test'
import { token } from '../../web/api.ts'
import { reconnect, startSocket } from '../../web/socket.ts'

/** Connections that were started; none of them is ever answered. */
const begun: Silent[] = []

/** What was said on them. */
const sent: unknown[] = []

class Silent extends EventTarget {
  constructor(readonly url: string) {
    super()
    begun.push(this)
  }
  send(frame: string) {
    sent.push(JSON.parse(frame))
  }
  /** The connection breaks, or is closed. */
  close() {
    this.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }))
  }
}

const world = {
  WebSocket: Silent,
  document: { visibilityState: 'visible', addEventListener() {} },
  location: { origin: 'http://keepsake.example' },
}
const before = Object.keys(world).map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
let refreshed = 0
let given = ''

beforeAll(() => {
  for (const [name, value] of Object.entries(world)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  jest.useFakeTimers()
  startSocket({
    reload() {},
    async refresh() {
      refreshed++
      return true
    },
    who: () => '',
    role() {},
    address: () => given,
    since: () => 41,
  })
})
afterAll(() => {
  jest.useRealTimers()
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, descriptor)
  }
})

/** Runs what waits for responses, then the clock. */
async function pass(ms: number): Promise<void> {
  for (let n = 0; n < 5; n++) await Promise.resolve()
  jest.advanceTimersByTime(ms)
}

test('the first connection asks for what happened while the page was loading', async () => {
  begun.at(-1)?.dispatchEvent(new Event('open'))
  await pass(0)
  expect(sent).toEqual([{ id: 1, method: 'authenticate', params: { lastEvent: 41 } }])
})

test('an error disconnects whoever is logged out: nothing is tried any more', async () => {
  expect(begun.map(({ url }) => url)).toEqual(['ws://keepsake.example/v1/realtime'])
  begun.at(-1)?.close()
  await pass(600_000)
  expect(begun).toHaveLength(1)
  expect(refreshed).toBe(0)
})

test('an error refreshes the token of whoever is logged in, and the connection comes back', async () => {
  token.value = 'of Inés'
  reconnect()
  const connections = begun.length
  begun.at(-1)?.close()
  await pass(1_000)
  expect(refreshed).toBe(1)
  expect(begun).toHaveLength(connections + 1)
  token.value = ''
})

test('the address that the server gives is used, and else the one that the page came from', async () => {
  given = 'wss://pictures.example/v1/realtime'
  reconnect()
  expect(begun.at(-1)?.url).toBe(given)
  begun.at(-1)?.dispatchEvent(new Event('open'))
  reconnect()
  expect(begun.at(-1)?.url).toBe(given)
  // Before it is open: it has a name or an origin that this page cannot use.
  begun.at(-1)?.close()
  expect(begun.at(-1)?.url).toBe('ws://keepsake.example/v1/realtime')
  const connections = begun.length
  begun.at(-1)?.close()
  await pass(600_000)
  expect(begun).toHaveLength(connections)
})
