/** A websocket client like that of a page: sends requests, and waits for messages. */
import { z } from 'zod'
import { type ServerFrame, serverFrame } from '../../schema/realtime.ts'

type Push = Extract<ServerFrame, { channel: string }>

/** The server's error response to a request. */
class RequestRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field: string | undefined,
  ) {
    super(message)
  }
}

export interface RealtimeClient {
  /** Sends a request and waits for the response; throws RequestRefused. */
  request(method: string, params?: unknown): Promise<Record<string, unknown>>
  /** Sends the text unchanged. */
  send(text: string | Uint8Array): void
  /** Removes the first message for which `fits` is true from `unread` and returns it; waits until one arrives. */
  nextMessage(fits: (push: Push) => boolean): Promise<Push>
  /** The next error frame that belongs to no request; waits for it. */
  nextError(): Promise<{ code: string; message: string }>
  /** Messages that `nextMessage` has not yet returned. */
  readonly unread: Push[]
  closed: Promise<{ code: number; reason: string }>
  close(): void
}

const timeoutMs = 20_000
const responseResult = z.record(z.string(), z.unknown())

/** Opens a websocket to a server. If `origin` is null, it sends no Origin header. */
export async function openRealtime(address: string, origin: string | null = address): Promise<RealtimeClient> {
  const headers = origin === null ? {} : { Origin: origin }
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/v1/realtime`, { headers })
  const requests = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  const unread: Push[] = []
  const waiting = new Set<() => void>()
  const refusals: { code: string; message: string }[] = []
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  let nextId = 0

  socket.addEventListener('message', ({ data }) => {
    const frame = serverFrame.parse(JSON.parse(String(data)))
    if ('channel' in frame) unread.push(frame)
    else {
      const request = typeof frame.id === 'number' ? requests.get(frame.id) : undefined
      if ('error' in frame) {
        if (request === undefined) refusals.push(frame.error)
        else request.reject(new RequestRefused(frame.error.code, frame.error.message, frame.error.field))
      } else request?.resolve(responseResult.parse(frame.result))
    }
    for (const check of waiting) check()
  })
  socket.addEventListener('close', ({ code, reason }) => {
    closed.resolve({ code, reason })
    for (const { reject } of requests.values()) reject(new Error('the connection was closed'))
  })

  function waitFor<T>(find: () => T | null, what: string): Promise<T> {
    const found = find()
    if (found !== null) return Promise.resolve(found)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const timer = setTimeout(() => done(() => reject(new Error(`${what} did not come`))), timeoutMs)
    function done(finish: () => void) {
      clearTimeout(timer)
      waiting.delete(check)
      finish()
    }
    function check() {
      const value = find()
      if (value !== null) done(() => resolve(value))
    }
    waiting.add(check)
    return promise
  }

  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('the websocket was refused')))
  })
  return {
    unread,
    closed: closed.promise,
    async request(method, params) {
      const id = ++nextId
      const request = Promise.withResolvers<Record<string, unknown>>()
      requests.set(id, request)
      socket.send(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }))
      return request.promise
    },
    send: text => socket.send(text),
    nextMessage: fits =>
      waitFor(() => {
        const at = unread.findIndex(fits)
        return at < 0 ? null : (unread.splice(at, 1)[0] ?? null)
      }, 'a message'),
    nextError: () => waitFor(() => refusals.shift() ?? null, 'a refusal'),
    close: () => socket.close(),
  }
}
