/**
 * Listeners in a separate process: websockets over plain sockets with as little work as possible, so that they do not
 * slow down the server on two cores. Takes its task as JSON in its one argument; reports when all are listening, then
 * prints the result.
 */
import { z } from 'zod'

const task = z.object({
  port: z.int(),
  tokens: z.array(z.string()).min(1),
  connections: z.int().min(1).max(5000),
  channel: z.string(),
  /** Messages that each listener should receive. */
  messages: z.int().min(1),
  seconds: z.number(),
})
export type ListenTask = z.output<typeof task>

export const listening = z.object({ type: z.literal('listening') })
export const listenResult = z.object({
  type: z.literal('heard'),
  /** For each message: when it reached the first listener, and when the last, in milliseconds since 1970. */
  first: z.array(z.number()),
  last: z.array(z.number()),
  /** Milliseconds since the time that the message states, ascending; a sample of about 1,000. */
  delays: z.array(z.number()),
  heard: z.int(),
  closed: z.int(),
})

interface Listener {
  token: string
  rest: Buffer
  isOpen: boolean
  heard: number
}

const headEnd = Buffer.from('\r\n\r\n')

function frame(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value))
  const isShort = text.length < 126
  const head = Buffer.from([0x81, 0x80 | (isShort ? text.length : 126)])
  const length = isShort ? Buffer.of() : Buffer.from([text.length >> 8, text.length & 255])
  // A mask of zeros leaves the text unchanged.
  return Buffer.concat([head, length, Buffer.alloc(4), text])
}

async function listen({ port, tokens, connections, channel, messages, seconds }: ListenTask) {
  const first = new Float64Array(messages)
  const last = new Float64Array(messages)
  /** Number of delays by millisecond; the last entry counts all that are longer. */
  const delays = new Uint32Array(120_000)
  const ready = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  let open = 0
  let heard = 0
  let closed = 0

  /** Handles a frame of the server. All listeners get messages in the same order, so a count identifies a message. */
  function handleFrame(listener: Listener, text: Buffer) {
    const isPush = text[2] === 0x63
    if (!isPush) {
      if (text.includes('"refused":[]')) {
        if (++open === connections) ready.resolve()
      } else if (text.includes('"error"')) ready.reject(new Error(text.toString()))
      return
    }
    const n = listener.heard++
    if (n >= messages) return
    const now = Date.now()
    if (first[n] === 0) first[n] = now
    last[n] = now
    const at = text.indexOf('"sent ')
    const sent = at < 0 ? 0 : Number(text.toString('latin1', at + 6, at + 19))
    const delay = Math.min(delays.length - 1, Math.max(0, now - sent))
    delays[delay] = (delays[delay] ?? 0) + 1
    if (++heard === connections * messages) done.resolve()
  }

  function receivePiece(socket: Bun.Socket<Listener>, piece: Buffer) {
    const listener = socket.data
    let bytes = listener.rest.length === 0 ? piece : Buffer.concat([listener.rest, piece])
    if (!listener.isOpen) {
      const end = bytes.indexOf(headEnd)
      if (end < 0) {
        listener.rest = Buffer.from(bytes)
        return
      }
      if (!bytes.toString('latin1', 0, end).startsWith('HTTP/1.1 101'))
        ready.reject(new Error(bytes.toString('latin1', 0, end)))
      listener.isOpen = true
      bytes = bytes.subarray(end + headEnd.length)
      socket.write(frame({ id: 1, method: 'authenticate', params: { token: listener.token } }))
      socket.write(frame({ id: 2, method: 'subscribe', params: { channels: [channel] } }))
    }
    let from = 0
    while (bytes.length - from >= 2) {
      let length = (bytes[from + 1] ?? 0) & 127
      let head = 2
      if (length === 126) {
        if (bytes.length - from < 4) break
        length = bytes.readUInt16BE(from + 2)
        head = 4
      } else if (length === 127) throw new Error('a frame that is too long')
      if (bytes.length - from < head + length) break
      if (((bytes[from] ?? 0) & 15) === 1) handleFrame(listener, bytes.subarray(from + head, from + head + length))
      from += head + length
    }
    listener.rest = from === bytes.length ? Buffer.of() : Buffer.from(bytes.subarray(from))
  }

  for (let n = 0; n < connections; n++) {
    const token = tokens[n % tokens.length] ?? ''
    const socket = await Bun.connect<Listener>({
      hostname: '127.0.0.1',
      port,
      data: { token, rest: Buffer.of(), isOpen: false, heard: 0 },
      socket: {
        data: receivePiece,
        close: () => {
          closed++
        },
        error: (_socket, error) => ready.reject(error),
      },
    })
    socket.write(
      `GET /v1/realtime HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        // With a session, as the server limits the visitors from one address.
        `Cookie: keepsake_session=${token}\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    )
  }
  await ready.promise
  console.log(JSON.stringify({ type: 'listening' }))
  await Promise.race([done.promise, Bun.sleep(seconds * 1000)])
  const each: number[] = []
  const step = Math.max(1, Math.floor(heard / 1000))
  let passed = 0
  for (const [delay, n] of delays.entries()) {
    for (let next = Math.ceil(passed / step) * step; next < passed + n; next += step) each.push(delay)
    passed += n
  }
  console.log(JSON.stringify({ type: 'heard', first: [...first], last: [...last], delays: each, heard, closed }))
}

if (import.meta.main) {
  await listen(task.parse(JSON.parse(process.argv[2] ?? '')))
  process.exit(0)
}
