/** The websocket: one connection that reconnects and catches up. Modules subscribe to channels here. */
import { computed, signal } from '@preact/signals-react'
import {
  authenticated,
  closeCodes,
  type PluginReply,
  type RealtimeMessage,
  realtimePath,
  type ServerFrame,
  serverFrame,
  sessionChannel,
  subscribed,
} from '../schema/realtime.ts'
import { base, token } from './api.ts'

type State = 'off' | 'connecting' | 'on'

const state = signal<State>('off')
/** True while the server sends changes. While false, the page has to poll. */
export const live = computed(() => state.value === 'on')

type Handler = (message: RealtimeMessage, channel: string) => void

const handlers = new Map<string, Set<Handler>>()
const pending = new Map<number, PromiseWithResolvers<unknown>>()
/** Channels that this connection has subscribed to, even if the server has not confirmed them yet. */
let joined = new Set<string>()
let socket: WebSocket | null = null
let nextId = 0
let lastEvent: number | undefined
/** The user whose events were followed last. Another user starts from the newest event. */
let followed: string | null = null
let failures = 0
let retry: ReturnType<typeof setTimeout> | undefined
let pulse: ReturnType<typeof setTimeout> | undefined

/** Milliseconds between connection attempts. */
const waits = [500, 1_000, 2_000, 5_000, 10_000, 20_000]
/** Milliseconds without a message before a ping, and maximum wait for its response. */
const silence = 45_000
const patience = 15_000

interface Acts {
  /** Called when too many events were missed or the user has changed: everything has to be loaded again. */
  reload: () => void
  /** Called when the session may have ended; returns true if there is a token worth trying. */
  refresh: () => Promise<boolean>
  /** The current user's id; '' for a visitor. */
  who: () => string
  /** Called with the user's present role, as the server knows it. */
  role: (globaladmin: boolean) => void
  /** Address of the websocket from the server; '' for the page's own origin. */
  address: () => string
  /** Id of the newest event when the page began to load, to catch up from. */
  since: () => number | undefined
}
let acts: Acts | null = null

/** The server refused a frame. */
class FrameRefused extends Error {
  override readonly name = 'FrameRefused'
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

function send(frame: object): void {
  socket?.send(JSON.stringify(frame))
}

function call(method: string, params: object): Promise<unknown> {
  const id = ++nextId
  const waiting = Promise.withResolvers<unknown>()
  pending.set(id, waiting)
  send({ id, method, params })
  return waiting.promise
}

function beat(): void {
  clearTimeout(pulse)
  pulse = setTimeout(() => {
    const here = socket
    const dead = setTimeout(() => here === socket && here?.close(), patience)
    call('ping', {}).then(
      () => clearTimeout(dead),
      () => clearTimeout(dead),
    )
  }, silence)
}

function hear(frame: ServerFrame): void {
  beat()
  if ('channel' in frame) {
    if (frame.event !== undefined) lastEvent = frame.event
    for (const handler of [...(handlers.get(frame.channel) ?? [])]) handler(frame.message, frame.channel)
    return
  }
  const waiting = typeof frame.id === 'number' ? pending.get(frame.id) : undefined
  if (waiting === undefined) return
  pending.delete(Number(frame.id))
  if ('error' in frame) waiting.reject(new FrameRefused(frame.error.code, frame.error.message))
  else waiting.resolve(frame.result)
}

/** Whether a channel is internal to the page and not sent to the server. */
const isOurs = (channel: string) => channel === sessionChannel

async function join(channels: readonly string[]): Promise<void> {
  const wanted = channels.filter(channel => !isOurs(channel) && !joined.has(channel))
  if (wanted.length === 0 || state.peek() !== 'on') return
  for (const channel of wanted) joined.add(channel)
  try {
    const response = subscribed.parse(await call('subscribe', { channels: wanted }))
    if (response.reload) acts?.reload()
  } catch {
    // The connection was lost, and the next one subscribes again.
  }
}

async function introduce(): Promise<void> {
  const here = socket
  const who = acts?.who() ?? ''
  const sent = token.peek()
  if (followed === null) lastEvent ??= acts?.since()
  try {
    const response = authenticated.parse(
      await call('authenticate', {
        ...(sent === '' ? {} : { token: sent }),
        ...(lastEvent === undefined || (followed !== null && followed !== who) ? {} : { lastEvent }),
      }),
    )
    if (here !== socket) return
    const again = followed !== null
    const other = again && followed !== who
    followed = who
    if (response.user !== null) acts?.role(response.user.globaladmin)
    lastEvent ??= response.event
    failures = 0
    state.value = 'on'
    await join([...handlers.keys()])
    if (response.reload || other) {
      lastEvent = response.event
      acts?.reload()
    }
  } catch (error) {
    if (here === socket && error instanceof FrameRefused) here?.close(1000, 'not let in')
  }
}

/** Whether the configured address could not be reached: its host name may not resolve here. */
let isAddressUnreachable = false

/** Where to connect: to the server's address or, if that fails, to the page's own origin. */
function addressNow(): { address: string; isOwn: boolean } {
  const origin = base.peek() === '' ? location.origin : base.peek()
  const own = origin.replace(/^http/, 'ws') + realtimePath
  const given = isAddressUnreachable ? '' : (acts?.address() ?? '')
  return given === '' || given === own ? { address: own, isOwn: true } : { address: given, isOwn: false }
}

/** Opens a connection; null if the browser refuses. */
function openSocket(address: string): WebSocket | null {
  try {
    return new WebSocket(address)
  } catch {
    return null
  }
}

function connect(): void {
  clearTimeout(retry)
  retry = undefined
  if (socket !== null || acts === null) return
  const { address, isOwn } = addressNow()
  const made = openSocket(address)
  let wasOpen = false
  const tryOwn = () => {
    isAddressUnreachable = true
    forget()
    connect()
  }
  if (made === null) {
    if (!isOwn) tryOwn()
    return
  }
  state.value = 'connecting'
  joined = new Set()
  socket = made
  made.addEventListener('open', () => {
    wasOpen = true
    void introduce()
  })
  made.addEventListener('message', ({ data }) => {
    if (made !== socket) return
    const frame = serverFrame.safeParse(JSON.parse(String(data)))
    if (frame.success) hear(frame.data)
  })
  made.addEventListener('close', ({ code }) => {
    if (made !== socket) return
    if (!isOwn && !wasOpen) tryOwn()
    else void lost(code)
  })
}

function forget(): void {
  socket = null
  state.value = 'off'
  clearTimeout(pulse)
  for (const waiting of pending.values()) waiting.reject(new FrameRefused('unavailable', 'The connection was lost.'))
  pending.clear()
}

/**
 * Reconnects a signed-in user, with a refreshed token if necessary. A visitor reconnects only if the server was
 * stopping or the page too slow; otherwise when the page is visible, or the browser online, again.
 */
async function lost(code: number): Promise<void> {
  forget()
  const wait = waits[Math.min(failures, waits.length - 1)] ?? 0
  failures++
  if (token.peek() === '') {
    if (code !== closeCodes.tooSlow && code !== closeCodes.goingAway) return
  } else if (failures === 1 || code === closeCodes.sessionEnded) {
    if (!(await acts?.refresh())) return
    if (socket !== null) return
  }
  // Random delay, so that not all pages reconnect at once when the server is back.
  retry = setTimeout(connect, wait * (0.5 + Math.random()))
}

/** Closes this connection and opens another one, because the user has changed. */
export function reconnect(): void {
  const old = socket
  forget()
  old?.close(1000, 'again')
  failures = 0
  connect()
}

/** The server is reachable again: connects without waiting for the next attempt. */
export function reconnectNow(): void {
  if (retry === undefined) return
  failures = 0
  connect()
}

/** Sends the renewed token, on the same connection. Without one, connects, but failed attempts still count. */
export function renewConnection(): void {
  if (state.peek() === 'on') void call('authenticate', { token: token.peek() }).catch(() => reconnect())
  else connect()
}

export function startSocket(what: Acts): void {
  acts = what
  const wake = () => {
    if (document.visibilityState !== 'visible' || socket !== null) return
    failures = 0
    connect()
  }
  document.addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
  // A page in the back/forward cache must not keep a connection open.
  addEventListener('pagehide', () => {
    const old = socket
    forget()
    old?.close(1000, 'left')
  })
  addEventListener('pageshow', event => event.persisted && wake())
  connect()
}

/** Subscribes to a channel. Returns the function that unsubscribes. */
export function subscribe(channel: string, handler: Handler): () => void {
  const known = handlers.get(channel)
  if (known === undefined) handlers.set(channel, new Set([handler]))
  else known.add(handler)
  void join([channel])
  return () => {
    const rest = handlers.get(channel)
    rest?.delete(handler)
    if (rest === undefined || rest.size > 0) return
    handlers.delete(channel)
    if (!joined.delete(channel) || state.peek() !== 'on') return
    void call('unsubscribe', { channels: [channel] }).catch(() => {})
  }
}

/** Calls a plugin's method on the server. Throws FrameRefused. */
export async function rpc(module: string, method: string, data?: unknown): Promise<PluginReply> {
  const response = await call('rpc', { method: 'plugin', params: { module, method, data } })
  if (typeof response === 'object' && response !== null && 'job' in response && typeof response.job === 'number') {
    return { job: response.job }
  }
  return { result: typeof response === 'object' && response !== null && 'result' in response ? response.result : null }
}
