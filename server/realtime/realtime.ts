/** The websocket: sends events of the library to those who may receive them, shortly after the commit. */
import { Hono } from 'hono'
import { addressKey } from '../../core/accounts/client-address.ts'
import { followEvents, type LibraryEvent } from '../../core/kernel/events.ts'
import type { Library } from '../../core/library.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels, closeCodes, realtimePath } from '../../schema/realtime.ts'
import { respondToFailure } from '../failures.ts'
import { isOwnOrigin, requireKnownHost, setStrictTransport } from '../requests/transport.ts'
import { identifyRequester } from '../requests/viewer.ts'
import { createAudience } from './audience.ts'
import { Connection } from './connection.ts'
import { receive } from './methods.ts'

/** Milliseconds during which events are collected: a commit often publishes several, and a burst hundreds. */
const gatherMs = 10
/** Maximum number of events distributed at once, which limits memory during a burst. */
const eventsAtOnce = 200
/** Frames are sent in slices of this many milliseconds, so that requests are handled in between. */
const sliceMs = 8
/** Milliseconds between checks for sessions that have expired. */
const pollMs = 1_000
/** A connection is closed after this many seconds without a message or pong. Pings are sent automatically. */
const idleSeconds = 60

/** State of a socket: the key of the client's address, and the connection once the socket is open. */
interface SocketData {
  addressKey: string
  isVisitor: boolean
  connection: Connection | null
}
type Socket = Bun.ServerWebSocket<SocketData>

/** The client's address, and the server that can upgrade the request. */
export interface UpgradeContext {
  address: string
  server: Bun.Server<SocketData>
}

interface ConnectionLimits {
  connections: number
  /** Connections reserved for signed-in users. */
  reserve: number
  /** Maximum for visitors at one address. */
  visitorsOfAddress: number
}

/** Sends queued frames of connections in slices; calls `onIdle` when everything is sent. */
function createSending(log: Library['log'], onIdle: () => void) {
  const ready = new Set<Connection>()
  let sending = false

  /** Sends part of the queue of each connection in turn. */
  function sendSome() {
    const until = performance.now() + sliceMs
    for (const connection of ready) {
      ready.delete(connection)
      try {
        // Move it to the end of the queue; a set iterates in insertion order.
        if (connection.send()) ready.add(connection)
      } catch (error) {
        log.warn('a connection failed', { error })
        connection.close(closeCodes.goingAway, 'failed')
      }
      if (performance.now() >= until) break
    }
    sending = ready.size > 0
    if (sending) setImmediate(sendSome)
    else onIdle()
  }

  function wake(connection: Connection) {
    ready.add(connection)
    if (sending) return
    sending = true
    setImmediate(sendSome)
  }

  return { wake, isSending: () => sending, leave: (connection: Connection) => ready.delete(connection) }
}

/** Handles requests for a websocket. `requireCapacity` refuses excess connections. */
function createUpgradeApp(library: Library, requireCapacity: (addressKey: string, isVisitor: boolean) => void) {
  const upgradeApp = new Hono()
  upgradeApp.onError((error, context) => respondToFailure(context, error, library.log))
  upgradeApp.use('*', async (context, next) => {
    await next()
    setStrictTransport(context, library, context.res.headers)
  })
  upgradeApp.all('*', async context => {
    requireKnownHost(context, library)
    const origin = context.req.header('origin')
    // Browsers always send the origin. Programs need not, because they have no cookies that another page could use.
    if (origin !== undefined && !isOwnOrigin(context, library, origin)) {
      throw new Failure('denied', 'The request did not come from a page of this server.')
    }
    if (context.req.method !== 'GET' || context.req.header('upgrade')?.toLowerCase() !== 'websocket') {
      context.header('Upgrade', 'websocket')
      return context.json({ error: 'This address is for websockets.', code: 'invalid' }, 426)
    }
    // A page sends the session's cookie, so signed-in users can connect however many visitors there are.
    const { viewer } = await identifyRequester(context, library)
    const isVisitor = viewer.kind !== 'user'
    const key = addressKey(viewer.address ?? '')
    requireCapacity(key, isVisitor)
    const { server } = context.env as UpgradeContext
    if (server.upgrade(context.req.raw, { data: { addressKey: key, isVisitor, connection: null } }))
      return new Response(null)
    throw new Failure('invalid', 'The request is not a websocket upgrade.')
  })
  return upgradeApp
}

/** Counts connections, and closes those that do not authenticate. */
function createOpenConnections(maximum: ConnectionLimits) {
  /** All connections, with the timers of those that have not authenticated yet. */
  const open = new Map<Connection, Timer>()

  return {
    all: (): Iterable<Connection> => open.keys(),

    /** `isVisitor`: the request does not identify a user. The first message still may. */
    requireCapacity(key: string, isVisitor: boolean) {
      const visitors = isVisitor ? [...open.keys()].filter(connection => connection.isVisitor) : []
      if (open.size >= maximum.connections || (isVisitor && visitors.length >= maximum.connections - maximum.reserve)) {
        throw new Failure('unavailable', 'Too many connections. Try again in a moment.', { retryAfter: 10 })
      }
      if (isVisitor && visitors.filter(visitor => visitor.addressKey === key).length >= maximum.visitorsOfAddress) {
        throw new Failure('tooMany', 'Too many connections from this address. Close some, or sign in there.', {
          retryAfter: 10,
        })
      }
    },

    enter(connection: Connection) {
      const end = () => connection.close(closeCodes.policy, 'not authenticated in time')
      open.set(connection, setTimeout(end, limits.realtime.authenticateMs))
    },

    markAuthenticated(connection: Connection) {
      clearTimeout(open.get(connection))
      connection.isVisitor = connection.identity?.kind === 'visitor'
    },

    leave(connection: Connection) {
      clearTimeout(open.get(connection))
      open.delete(connection)
    },
  }
}

export function createRealtime(library: Library, maximum: ConnectionLimits = limits.realtime) {
  const audience = createAudience(library)
  const openConnections = createOpenConnections(maximum)
  const sending = createSending(library.log, () => {
    if (waiting.length > 0) gather(0)
  })

  let waiting: LibraryEvent[] = []
  let gathering: Timer | null = null
  let lastDistributed = 0

  function gather(ms: number) {
    gathering ??= setTimeout(distribute, ms)
  }

  function distribute() {
    gathering = null
    const events = audience.size() > 0 ? waiting.splice(0, eventsAtOnce) : waiting.splice(0)
    lastDistributed = events.at(-1)?.id ?? lastDistributed
    if (audience.size() > 0) audience.distribute(events)
    // While frames are being sent, `onIdle` takes care of the waiting events.
    if (!sending.isSending() && waiting.length > 0) gather(0)
  }

  /** Closes connections whose session or token has ended, and cancels channels that they may no longer receive. */
  function poll() {
    if (audience.size() === 0) return
    audience.checkViewers()
    audience.checkTokens().catch((error: unknown) => library.log.warn('tokens could not be checked', { error }))
  }

  const follower = followEvents(
    library.db,
    events => {
      waiting = waiting.concat(events)
      if (!sending.isSending()) gather(gatherMs)
      if (events.some(({ channel }) => channel === channels.sessions || channel === channels.rights)) setTimeout(poll)
      if (events.some(({ channel }) => channel === channels.plugins)) void library.plugins.refresh()
    },
    { log: library.log },
  )
  lastDistributed = follower.lastId()
  const dependencies = {
    ...library,
    audience,
    lastDistributed: () => lastDistributed,
    markAuthenticated: openConnections.markAuthenticated,
  }

  const polling = setInterval(poll, pollMs)
  polling.unref()

  const upgradeApp = createUpgradeApp(library, openConnections.requireCapacity)

  const websocket: Bun.WebSocketHandler<SocketData> = {
    maxPayloadLength: limits.realtime.frameBytes,
    idleTimeout: idleSeconds,
    sendPings: true,
    perMessageDeflate: false,
    // A safety limit beyond `waitingBytes`; the connection's own count normally closes it long before.
    backpressureLimit: 4 * limits.realtime.waitingBytes,
    closeOnBackpressureLimit: true,

    open(socket) {
      const connection = new Connection(socket, sending.wake, socket.data.addressKey, socket.data.isVisitor)
      socket.data.connection = connection
      openConnections.enter(connection)
    },

    message({ data: { connection } }: Socket, message) {
      if (connection !== null && !connection.closed) receive(dependencies, connection, message)
    },

    drain: ({ data: { connection } }) => connection?.drained(),

    close({ data: { connection } }) {
      if (connection === null) return
      connection.closed = true
      openConnections.leave(connection)
      sending.leave(connection)
      audience.leave(connection)
    },
  }

  return {
    websocket,

    /** True for requests that `upgrade` handles. */
    isRealtimeRequest: (url: string): boolean => url.includes(realtimePath) && new URL(url).pathname === realtimePath,

    upgrade: (request: Request, upgradeContext: UpgradeContext) => upgradeApp.fetch(request, upgradeContext),

    close() {
      follower.close()
      clearInterval(polling)
      clearTimeout(gathering ?? undefined)
      for (const connection of openConnections.all()) connection.close(closeCodes.goingAway, 'the server is stopping')
    },
  }
}

export type Realtime = ReturnType<typeof createRealtime>
