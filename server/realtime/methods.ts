/** Requests that clients send over the websocket: authentication, subscriptions, calls of plugins. */
import { eventsAfter, eventsOn } from '../../core/kernel/events.ts'
import type { Library } from '../../core/library.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import {
  type Authenticated,
  type ClientFrame,
  channels,
  clientFrame,
  closeCodes,
  type PluginReply,
  type RequestId,
  requestId,
  type Subscribed,
} from '../../schema/realtime.ts'
import { decodeInput } from '../mount.ts'
import type { Audience } from './audience.ts'
import type { Connection } from './connection.ts'

type Params<Method extends ClientFrame['method']> = Extract<ClientFrame, { method: Method; params: unknown }>['params']

interface Dependencies extends Pick<Library, 'db' | 'liveViewers' | 'plugins' | 'log' | 'clock'> {
  audience: Audience
  /** Id of the last event that was distributed. */
  lastDistributed(): number
  markAuthenticated(connection: Connection): void
}

async function authenticate(
  { db, liveViewers, audience, lastDistributed, markAuthenticated }: Dependencies,
  connection: Connection,
  params: Params<'authenticate'>,
): Promise<Authenticated> {
  const identity = params.token === undefined ? { kind: 'visitor' as const } : await liveViewers.identify(params.token)
  const viewer = identity === null || connection.closed ? null : audience.join(connection, identity)
  if (viewer === null) throw new Failure('unauthenticated', 'The token is no longer valid. Sign in again.')
  markAuthenticated(connection)
  const { lastEvent } = params
  const reload = lastEvent !== undefined && eventsAfter(db, lastEvent) === null
  connection.resumeAfter = lastEvent === undefined || reload ? null : lastEvent
  const { userId, username, globalAdmin } = viewer
  const user = userId === null ? null : { id: userId, username: username ?? '', globaladmin: globalAdmin }
  return { user, event: lastDistributed(), reload }
}

function requireViewer({ audience }: Dependencies, connection: Connection) {
  const viewer = audience.viewerOf(connection)
  if (viewer === null) throw new Failure('unauthenticated', 'Authenticate first.')
  return viewer
}

function subscribe(
  dependencies: Dependencies,
  connection: Connection,
  params: Params<'subscribe'>,
): Subscribed & { after(): void } {
  const { db, audience, lastDistributed } = dependencies
  const viewer = requireViewer(dependencies, connection)
  const accepted: string[] = []
  const refused: string[] = []
  const fresh: string[] = []
  for (const channel of new Set(params.channels)) {
    const had = connection.channels.has(channel)
    if (!had && connection.channels.size >= limits.realtime.subscriptions) {
      throw new Failure('tooMany', sentence`A connection has at most ${limits.realtime.subscriptions} subscriptions.`, {
        field: 'params.channels',
      })
    }
    if (!audience.subscribe(connection, viewer, channel)) refused.push(channel)
    else {
      accepted.push(channel)
      if (!had) fresh.push(channel)
    }
  }
  const after = connection.resumeAfter
  const most = limits.realtime.missedEvents
  const missed =
    after === null || fresh.length === 0 ? [] : eventsOn(db, fresh, { after, upTo: lastDistributed(), max: most + 1 })
  const reload = missed.length > most
  return {
    channels: accepted,
    refused,
    reload,
    after() {
      if (!reload && missed.length > 0) audience.sendMissed(connection, missed)
    },
  }
}

/** Subscribes the caller to the progress of the job, and to the channel of its result. */
function follow({ audience }: Dependencies, connection: Connection, job: number) {
  const viewer = audience.viewerOf(connection)
  if (viewer === null) return
  for (const channel of [channels.task(job), channels.rpc(String(viewer.userId))]) {
    if (connection.channels.size < limits.realtime.subscriptions) audience.subscribe(connection, viewer, channel)
  }
}

async function call(dependencies: Dependencies, connection: Connection, params: Params<'rpc'>): Promise<PluginReply> {
  const viewer = requireViewer(dependencies, connection)
  if (connection.runningCalls >= limits.realtime.calls)
    throw new Failure('tooMany', sentence`At most ${limits.realtime.calls} calls run at once.`, { retryAfter: 1 })
  connection.runningCalls++
  try {
    const reply = await dependencies.plugins.call(viewer, params.params)
    if ('job' in reply && !connection.closed) follow(dependencies, connection, reply.job)
    return reply
  } finally {
    connection.runningCalls--
  }
}

function refuse({ log }: Dependencies, connection: Connection, id: RequestId | null, error: unknown) {
  if (!(error instanceof Failure)) log.error('a request over the websocket failed', { error })
  const refusal =
    error instanceof Failure
      ? { code: error.code, message: error.message, field: error.field, retryAfter: error.retryAfter }
      : { code: 'unexpected', message: 'Unknown server error' }
  connection.push({ channel: null, text: JSON.stringify({ id, error: refusal }) })
}

function reply(connection: Connection, id: RequestId, result: unknown) {
  connection.push({ channel: null, text: JSON.stringify({ id, result }) })
}

async function perform(dependencies: Dependencies, connection: Connection, frame: ClientFrame): Promise<void> {
  try {
    switch (frame.method) {
      case 'authenticate':
        return reply(connection, frame.id, await authenticate(dependencies, connection, frame.params))
      case 'subscribe': {
        const { after, ...result } = subscribe(dependencies, connection, frame.params)
        reply(connection, frame.id, result)
        return after()
      }
      case 'unsubscribe':
        requireViewer(dependencies, connection)
        for (const channel of frame.params.channels) dependencies.audience.unsubscribe(connection, channel)
        return reply(connection, frame.id, { channels: [...connection.channels] })
      case 'ping':
        return reply(connection, frame.id, {})
      case 'rpc':
        // Other requests do not wait for this one.
        call(dependencies, connection, frame.params).then(
          result => reply(connection, frame.id, result),
          error => refuse(dependencies, connection, frame.id, error),
        )
    }
  } catch (error) {
    refuse(dependencies, connection, frame.id, error)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('invalid', 'The frame is not JSON.')
  }
}

/** The id of a frame, even if the frame is invalid: the sender finds the failed request by it. */
function idOf(value: unknown): RequestId | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  const parsed = requestId.safeParse(id)
  return parsed.success ? parsed.data : null
}

export function receive(dependencies: Dependencies, connection: Connection, message: string | Buffer) {
  const admitted = connection.admit(dependencies.clock.now())
  if (admitted === 'flood') return connection.close(closeCodes.policy, 'too many messages')
  let id: RequestId | null = null
  try {
    if (typeof message !== 'string') throw new Failure('invalid', 'Frames must be text.')
    const value = parse(message)
    id = idOf(value)
    if (!admitted) {
      const most = limits.realtime.messagesASecond
      throw new Failure('tooMany', sentence`At most ${most} messages a second.`, { retryAfter: 1 })
    }
    const frame = decodeInput(clientFrame, value)
    connection.inOrder(() => perform(dependencies, connection, frame))
  } catch (error) {
    refuse(dependencies, connection, id, error)
  }
}
