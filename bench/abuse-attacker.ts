/**
 * Clients that abuse a server on this machine, in a separate process. Takes its task as JSON in its one argument, stops
 * by itself after the given seconds, and prints the result as one JSON object.
 */
import { z } from 'zod'

export const attackKinds = ['renditions', 'sockets', 'savers', 'logins', 'slow', 'requests'] as const
export type AttackKind = (typeof attackKinds)[number]

const task = z.object({
  kind: z.enum(attackKinds),
  port: z.int(),
  /** Items that every visitor sees. */
  ids: z.array(z.int()).min(1),
  seconds: z.number().max(300),
})
type Task = z.output<typeof task>

export const attackResult = z.object({
  tried: z.int(),
  /** How often each HTTP status came back; also 'opened' for websockets, and 'failed' without a response. */
  statuses: z.record(z.string(), z.int()),
})

/** Number of clients that send requests at the same time. */
const usualClients = 32

async function attack({ kind, port, ids, seconds }: Task): Promise<z.output<typeof attackResult>> {
  const base = `http://127.0.0.1:${port}`
  const until = performance.now() + seconds * 1000
  const statuses: Record<string, number> = {}
  let tried = 0
  const count = (status: string | number) => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const address = (n: number) => `203.0.${Math.floor(n / 250) % 250}.${(n % 250) + 1}`

  async function request(path: string, n: number, options: RequestInit = {}) {
    tried++
    try {
      const response = await fetch(base + path, {
        ...options,
        signal: AbortSignal.timeout(Math.max(1_000, until - performance.now())),
        headers: { 'X-Forwarded-For': address(n), 'Sec-Fetch-Site': 'same-origin', ...options.headers },
      })
      await response.arrayBuffer()
      count(response.status)
    } catch {
      count('failed')
    }
  }
  const post = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

  const formats = ['&pFormat=webp', '&pFormat=jpeg', '', '&pFormat=avif', '&pFormat=png']
  const cheapPaths = [
    '/v1/item/list/0?limit=10',
    '/config/runtime.json',
    '/v1/collection',
    '/v1/nothing',
    '/v1/item/list/0?q=a',
  ]

  async function openSocket(n: number) {
    tried++
    await new Promise<void>(done => {
      const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/realtime`, {
        headers: { 'X-Forwarded-For': address(n % 400) },
      })
      socket.onopen = () => {
        count('opened')
        socket.send(JSON.stringify({ id: 1, method: 'authenticate', params: {} }))
        done()
      }
      socket.onerror = () => {
        count('failed')
        done()
      }
      setTimeout(() => socket.close(), until - performance.now())
    })
  }

  /** Sends a body of one byte a second. */
  async function sendSlowly(n: number) {
    const body = new ReadableStream({
      async pull(controller) {
        if (performance.now() > until) return controller.close()
        controller.enqueue(new TextEncoder().encode('{'))
        await Bun.sleep(1_000)
      },
    })
    await request('/v1/users/login', n, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  }

  const attacks: Record<AttackKind, (n: number) => Promise<void>> = {
    renditions: n =>
      request(`/v1/item/${ids[n % ids.length]}/image?pThumbnail=variant${formats[n % formats.length]}`, n % 8),
    sockets: openSocket,
    savers: n => request(`/v1/screensaver/create?name=S${n}&random=true&seconds=5`, n, post({})),
    logins: n =>
      request('/v1/users/login', n, post({ username: n % 2 ? 'bench' : `name${n}`, password: `guess-${n}` })),
    slow: sendSlowly,
    requests: n => request(cheapPaths[n % cheapPaths.length] ?? '/', n),
  }
  let next = 0
  async function runClient() {
    while (performance.now() < until) await attacks[kind](next++)
  }
  const clients = kind === 'slow' ? 300 : usualClients
  await Promise.all(Array.from({ length: clients }, runClient))
  return { tried, statuses }
}

if (import.meta.main) {
  console.log(JSON.stringify(await attack(task.parse(JSON.parse(process.argv[2] ?? '')))))
  process.exit(0)
}
