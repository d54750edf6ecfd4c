import { afterAll, beforeAll, expect, jest, test } from 'bun:test'
import { token } from '../../web/api.ts'
import { reconnect, renewConnection, startSocket } from '../../web/socket.ts'

/** Connections that the page has started. They never get a response. */
const started: SilentSocket[] = []

const sent: unknown[] = []

class SilentSocket extends EventTarget {
  constructor(readonly url: string) {
    super()
    started.push(this)
  }
  send(frame: string) {
    sent.push(JSON.parse(frame))
  }
  /** Ends the connection as an interruption does. */
  close() {
    this.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }))
  }
}

const world = {
  WebSocket: SilentSocket,
  document: { visibilityState: 'visible', addEventListener() {} },
  location: { origin: 'http://keepsake.example' },
}
const before = Object.keys(world).map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
let refreshed = 0
let serverAddress = ''

beforeAll(() => {
  for (const [name, value] of Object.entries(world)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  jest.useFakeTimers()
  startSocket({
    reload() {},
    async refresh() {
      refreshed++
      renewConnection()
      return true
    },
    who: () => '',
    role() {},
    address: () => serverAddress,
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

/** Runs pending promises, then advances the clock. */
async function pass(ms: number): Promise<void> {
  for (let n = 0; n < 5; n++) await Promise.resolve()
  jest.advanceTimersByTime(ms)
}

test('the first connection requests the events since the page was loaded', async () => {
  started.at(-1)?.dispatchEvent(new Event('open'))
  await pass(0)
  expect(sent).toEqual([{ id: 1, method: 'authenticate', params: { lastEvent: 41 } }])
})

test('does not reconnect after an error when nobody is signed in', async () => {
  expect(started.map(({ url }) => url)).toEqual(['ws://keepsake.example/v1/realtime'])
  started.at(-1)?.close()
  await pass(600_000)
  expect(started).toHaveLength(1)
  expect(refreshed).toBe(0)
})

test('refreshes the token and reconnects after an error when a user is signed in', async () => {
  token.value = 'of Inés'
  reconnect()
  const connections = started.length
  started.at(-1)?.close()
  await pass(1_000)
  expect(refreshed).toBe(1)
  expect(started).toHaveLength(connections + 1)
  // If no connection succeeds, the token is not refreshed again, and the waits grow.
  for (let second = 0; second < 120; second++) {
    started.at(-1)?.close()
    await pass(1_000)
  }
  expect(refreshed).toBe(1)
  expect(started.length - connections).toBeLessThan(20)
  token.value = ''
})

test('uses the address that the server sends, or else the address of the page', async () => {
  serverAddress = 'wss://pictures.example/v1/realtime'
  reconnect()
  expect(started.at(-1)?.url).toBe(serverAddress)
  started.at(-1)?.dispatchEvent(new Event('open'))
  reconnect()
  expect(started.at(-1)?.url).toBe(serverAddress)
  // The connection closes before it is open, so the page goes back to its own address.
  started.at(-1)?.close()
  expect(started.at(-1)?.url).toBe('ws://keepsake.example/v1/realtime')
  const connections = started.length
  started.at(-1)?.close()
  await pass(600_000)
  expect(started).toHaveLength(connections)
})
