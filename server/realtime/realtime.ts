/** The websocket: events of the library reach those who may receive them, shortly after the commit. */
import { Hono } from 'hono'
import { addressKey } from '../../core/accounts/client-address.ts'
import { followEvents, type LibraryEvent } from '../../core/kernel/events.ts'
import type { Library } from '../../core/library.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels, closeCodes, realtimePath } from '../../schema/realtime.ts'
import { respondToFailure } from '../failures.ts'
import { isOwnOrigin, requireKnownHost, setStrictTransport } from '../requests/transport.ts'
import { askerOf } from '../requests/viewer.ts'
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
/** Seconds without a sign of life; the server sends pings automatically. */
const idleSeconds = 60

/** State of a socket: the key of the client's address, and the connection once the socket is open. */
interface Carried {
  place: string
  isVisitor: boolean
  connection: Connection | null
}
type Socket = Bun.ServerWebSocket<Carried>

/** The client's address, and the server that can upgrade the request. */
export interface Upgrading {
  address: string
  server: Bun.Server<Carried>
}

interface Room {
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

/** Handles requests for a websocket. `requireRoom` refuses excess connections. */
function createGate(library: Library, requireRoom: (place: string, isVisitor: boolean) => void) {
  const gate = new Hono()
  gate.onError((error, context) => respondToFailure(context, error, library.log))
  gate.use('*', async (context, next) => {
    await next()
    setStrictTransport(context, library, context.res.headers)
  })
  gate.all('*', async context => {
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
    const { viewer } = await askerOf(context, library)
    const isVisitor = viewer.kind !== 'user'
    const place = addressKey(viewer.address ?? '')
    requireRoom(place, isVisitor)
    const { server } = context.env as Upgrading
    if (server.upgrade(context.req.raw, { data: { place, isVisitor, connection: null } })) return new Response(null)
    throw new Failure('invalid', 'The request is not a websocket upgrade.')
  })
  return gate
}

/** Counts connections, and closes those that do not authenticate. */
function createEntrance(room: Room) {
  /** All connections, with the timers of those that have not authenticated yet. */
  const open = new Map<Connection, Timer>()

  return {
    all: (): Iterable<Connection> => open.keys(),

    /** `isVisitor`: the request does not identify a user, though the first message may. */
    requireRoom(place: string, isVisitor: boolean) {
      const visitors = isVisitor ? [...open.keys()].filter(connection => connection.isVisitor) : []
      if (open.size >= room.connections || (isVisitor && visitors.length >= room.connections - room.reserve)) {
        throw new Failure('unavailable', 'Too many connections. Try again in a moment.', { retryAfter: 10 })
      }
      if (isVisitor && visitors.filter(visitor => visitor.place === place).length >= room.visitorsOfAddress) {
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

export function createRealtime(library: Library, room: Room = limits.realtime) {
  const audience = createAudience(library)
  const entrance = createEntrance(room)
  const sending = createSending(library.log, () => {
    if (waiting.length > 0) gather(0)
  })

  let waiting: LibraryEvent[] = []
  let gathering: Timer | null = null
  let handed = 0

  function gather(ms: number) {
    gathering ??= setTimeout(hand, ms)
  }

  function hand() {
    gathering = null
    const events = audience.size() > 0 ? waiting.splice(0, eventsAtOnce) : waiting.splice(0)
    handed = events.at(-1)?.id ?? handed
    if (audience.size() > 0) audience.hand(events)
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
  handed = follower.lastId()
  const dependencies = { ...library, audience, handedOn: () => handed, markAuthenticated: entrance.markAuthenticated }

  const looking = setInterval(poll, pollMs)
  looking.unref()

  const gate = createGate(library, entrance.requireRoom)

  const websocket: Bun.WebSocketHandler<Carried> = {
    maxPayloadLength: limits.realtime.frameBytes,
    idleTimeout: idleSeconds,
    sendPings: true,
    perMessageDeflate: false,
    // A safety limit beyond `waitingBytes`; the connection's own count normally closes it long before.
    backpressureLimit: 4 * limits.realtime.waitingBytes,
    closeOnBackpressureLimit: true,

    open(socket) {
      const connection = new Connection(socket, sending.wake, socket.data.place, socket.data.isVisitor)
      socket.data.connection = connection
      entrance.enter(connection)
    },

    message({ data: { connection } }: Socket, message) {
      if (connection !== null && !connection.closed) receive(dependencies, connection, message)
    },

    drain: ({ data: { connection } }) => connection?.drained(),

    close({ data: { connection } }) {
      if (connection === null) return
      connection.closed = true
      entrance.leave(connection)
      sending.leave(connection)
      audience.leave(connection)
    },
  }

  return {
    websocket,

    /** True for requests that `upgrade` handles. */
    isAsked: (url: string): boolean => url.includes(realtimePath) && new URL(url).pathname === realtimePath,

    upgrade: (request: Request, upgrading: Upgrading) => gate.fetch(request, upgrading),

    close() {
      follower.close()
      clearInterval(looking)
      clearTimeout(gathering ?? undefined)
      for (const connection of entrance.all()) connection.close(closeCodes.goingAway, 'the server is stopping')
    },
  }
}

export type Realtime = ReturnType<typeof createRealtime>
