/**
 * A load generator in a separate process: HTTP/1.1 over plain sockets with as little work as possible, so that it does
 * not slow down the server on two cores. Takes its task as JSON in its one argument; prints the result as JSON.
 */
import { z } from 'zod'
import { quantile } from './measure.ts'

const task = z.object({
  port: z.int(),
  /** Requested in turn. */
  paths: z.array(z.string()).min(1),
  headers: z.record(z.string(), z.string()),
  connections: z.int().min(1).max(256),
  seconds: z.number().max(600),
  /** Requests per second, evenly spaced; 0: each as soon as the previous response has arrived. */
  rate: z.number().min(0).max(1000),
})
export type LoadTask = z.output<typeof task>

export const loadResult = z.object({
  requests: z.int(),
  perSecond: z.number(),
  /** Milliseconds until the whole response had arrived. */
  p50: z.number(),
  p99: z.number(),
  most: z.number(),
  bytesEach: z.number(),
  /** Responses with another status than 200. */
  refused: z.int(),
})
export type LoadResult = z.output<typeof loadResult>

/** The response that a connection is receiving. */
interface PendingResponse {
  dueAt: number
  /** Header bytes received so far, if the header arrives in pieces. */
  head: Buffer
  /** Bytes of the body that are missing; -1 while the header is incomplete. */
  left: number
  /** Whether the generator has closed the connection. */
  ended: boolean
}

const headerEnd = Buffer.from('\r\n\r\n')

async function generateLoad({ port, paths, headers, connections, seconds, rate }: LoadTask): Promise<LoadResult> {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const requests = paths.map(path => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`))
  const latencies: number[] = []
  let bytes = 0
  let refused = 0
  let sent = 0
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  const idle: Bun.Socket<PendingResponse>[] = []
  /** Requests that wait for a free connection: the time when each was due. */
  const waiting: number[] = []
  const done = Promise.withResolvers<void>()
  let open = connections
  let hasSentAll = false

  function send(socket: Bun.Socket<PendingResponse>, dueAt: number) {
    socket.data = { dueAt, head: Buffer.alloc(0), left: -1, ended: false }
    socket.write(requests[sent++ % requests.length] ?? '')
  }

  function completeResponse(socket: Bun.Socket<PendingResponse>) {
    const now = performance.now()
    latencies.push(now - socket.data.dueAt)
    const due = rate > 0 ? waiting.shift() : now < until ? now : undefined
    if (due !== undefined) send(socket, due)
    else if (rate === 0 || hasSentAll) close(socket)
    else idle.push(socket)
  }

  function close(socket: Bun.Socket<PendingResponse>) {
    socket.data.ended = true
    socket.end()
    if (--open === 0) done.resolve()
  }

  function receivePiece(socket: Bun.Socket<PendingResponse>, piece: Buffer) {
    const response = socket.data
    bytes += piece.length
    if (response.left < 0) {
      const all = response.head.length === 0 ? piece : Buffer.concat([response.head, piece])
      const end = all.indexOf(headerEnd)
      if (end < 0) {
        response.head = Buffer.from(all)
        return
      }
      const head = all.toString('latin1', 0, end)
      if (!head.startsWith('HTTP/1.1 200')) refused++
      const length = /^content-length: *(\d+)/im.exec(head)?.[1]
      if (length === undefined) throw new Error(`a response without Content-Length: ${head}`)
      response.left = Number(length) - (all.length - end - headerEnd.length)
    } else response.left -= piece.length
    if (response.left === 0) completeResponse(socket)
  }

  for (let n = 0; n < connections; n++) {
    const socket = await Bun.connect<PendingResponse>({
      hostname: '127.0.0.1',
      port,
      data: { dueAt: 0, head: Buffer.alloc(0), left: -1, ended: false },
      socket: {
        data: receivePiece,
        error: (_socket, error) => done.reject(error),
        close: closed => {
          if (!closed.data.ended) done.reject(new Error('the server closed a connection'))
        },
      },
    })
    if (rate === 0) send(socket, performance.now())
    else idle.push(socket)
  }
  if (rate > 0) await sendDueRequests()
  await Promise.race([done.promise, Bun.sleep(seconds * 1000 + 30_000)])

  /** Sends each request when it is due, or as soon as a connection is free. */
  async function sendDueRequests() {
    for (let n = 0; ; n++) {
      const due = startedAt + (n * 1000) / rate
      if (due >= until) break
      const wait = due - performance.now()
      if (wait > 0) await Bun.sleep(wait)
      // The connections take turns, because servers close idle ones.
      const socket = idle.shift()
      if (socket === undefined) waiting.push(due)
      else send(socket, performance.now())
    }
    hasSentAll = true
    for (const socket of idle.splice(0)) close(socket)
  }

  const spent = (performance.now() - startedAt) / 1000
  return {
    requests: latencies.length,
    perSecond: latencies.length / spent,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    most: latencies.reduce((most, one) => Math.max(most, one), 0),
    bytesEach: bytes / Math.max(1, latencies.length),
    refused,
  }
}

/** Runs a task in its own process. */
export async function load(options: LoadTask): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(options)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (code !== 0) throw new Error(`the load generator ended with ${code}`)
  return loadResult.parse(JSON.parse(text))
}

if (import.meta.main) {
  console.log(JSON.stringify(await generateLoad(task.parse(JSON.parse(process.argv[2] ?? '')))))
  process.exit(0)
}
