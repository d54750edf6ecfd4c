/** A websocket client like that of a page: sends requests, and waits for messages. */
import { z } from 'zod'
import { type ServerFrame, serverFrame } from '../../schema/realtime.ts'

type Push = Extract<ServerFrame, { channel: string }>

/** The error of a frame that was refused. */
class FrameRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field: string | undefined,
  ) {
    super(message)
  }
}

export interface RealtimeClient {
  /** Sends a request and waits for the response; throws FrameRefused. */
  ask(method: string, params?: unknown): Promise<Record<string, unknown>>
  /** Sends the text unchanged. */
  send(text: string | Uint8Array): void
  /** Removes the first message that fits from `left` and returns it; waits until one arrives. */
  next(fits: (push: Push) => boolean): Promise<Push>
  /** The next error frame that belongs to no request; waits for it. */
  refusal(): Promise<{ code: string; message: string }>
  /** Messages that `next` has not yet returned. */
  readonly left: Push[]
  closed: Promise<{ code: number; reason: string }>
  close(): void
}

const patienceMs = 20_000
const responseResult = z.record(z.string(), z.unknown())

/** Opens a websocket to a server. If `origin` is null, it sends no Origin header. */
export async function openRealtime(address: string, origin: string | null = address): Promise<RealtimeClient> {
  const headers = origin === null ? {} : { Origin: origin }
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/v1/realtime`, { headers })
  const requests = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  const left: Push[] = []
  const waiting = new Set<() => void>()
  const refusals: { code: string; message: string }[] = []
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  let nextId = 0

  socket.addEventListener('message', ({ data }) => {
    const frame = serverFrame.parse(JSON.parse(String(data)))
    if ('channel' in frame) left.push(frame)
    else {
      const request = typeof frame.id === 'number' ? requests.get(frame.id) : undefined
      if ('error' in frame) {
        if (request === undefined) refusals.push(frame.error)
        else request.reject(new FrameRefused(frame.error.code, frame.error.message, frame.error.field))
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
    const timer = setTimeout(() => done(() => reject(new Error(`${what} did not come`))), patienceMs)
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
    left,
    closed: closed.promise,
    async ask(method, params) {
      const id = ++nextId
      const request = Promise.withResolvers<Record<string, unknown>>()
      requests.set(id, request)
      socket.send(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }))
      return request.promise
    },
    send: text => socket.send(text),
    next: fits =>
      waitFor(() => {
        const at = left.findIndex(fits)
        return at < 0 ? null : (left.splice(at, 1)[0] ?? null)
      }, 'a message'),
    refusal: () => waitFor(() => refusals.shift() ?? null, 'a refusal'),
    close: () => socket.close(),
  }
}
