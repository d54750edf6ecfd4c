/** All authenticated connections: distributes events to those that may receive them, and cancels other subscriptions. */
import type { Viewer } from '../../core/accounts/access.ts'
import type { LibraryEvent } from '../../core/kernel/events.ts'
import type { Library } from '../../core/library.ts'
import { audienceKey, channelOfAll, isPersonal } from '../../core/realtime/channels.ts'
import type { Identity } from '../../core/realtime/live-viewers.ts'
import { closeCodes, contextOf, type RealtimeMessage, sessionChannel } from '../../schema/realtime.ts'
import type { Connection, QueuedFrame } from './connection.ts'

/** The frame of a message. `event`: the event's id; absent if the message is only for one connection. */
function frameOf(channel: string, message: RealtimeMessage, event?: number): string {
  return JSON.stringify({ channel, message: { ...message, context: contextOf(channel, message) }, event })
}

/** Drops messages that are repeated later, because a scan reports its collection at every batch. */
function withoutRepeats(events: readonly LibraryEvent[]): LibraryEvent[] {
  const last = new Map<string, LibraryEvent>()
  for (const event of events) {
    const key = `${event.channel} ${JSON.stringify(event.message)}`
    last.delete(key)
    last.set(key, event)
  }
  return [...last.values()]
}

interface AudienceState extends Pick<Library, 'channels' | 'liveViewers'> {
  connections: Set<Connection>
  subscribers: Map<string, Set<Connection>>
}

/** Queues events for all their subscribers, or only for `only`; each gets what its viewer may receive. */
function broadcast(
  { channels, subscribers }: AudienceState,
  events: readonly LibraryEvent[],
  only: Connection | null = null,
) {
  const messagesFor = channels.messagesOf(events)
  const messagesByKey = new Map<string, ReturnType<typeof messagesFor>>()

  function frameFor(event: LibraryEvent, channel: string, viewer: Viewer, onAll: boolean): QueuedFrame | null {
    const key = audienceKey(viewer)
    const messageFor = (!isPersonal(channel) && messagesByKey.get(key)) || messagesFor(viewer)
    if (!isPersonal(channel)) messagesByKey.set(key, messageFor)
    const message = messageFor(event, onAll)
    return message === null ? null : { channel, text: frameOf(channel, message, event.id) }
  }

  /** Queues an event for the subscribers of `channel`. Except on personal channels, equal rights share one frame. */
  function deliver(event: LibraryEvent, channel: string, onAll: boolean) {
    const frames = new Map<string, QueuedFrame | null>()
    const targets = only === null ? (subscribers.get(channel) ?? []) : [only]
    for (const connection of targets) {
      const { viewer, audienceKey: key } = connection
      if (viewer === null || (onAll && connection.channels.has(event.channel))) continue
      const known = isPersonal(channel) ? undefined : frames.get(key)
      const frame = known === undefined ? frameFor(event, channel, viewer, onAll) : known
      frames.set(key, frame)
      if (frame !== null) connection.push(frame)
    }
  }

  const hasSubscriber = (channel: string) => (only === null ? subscribers.has(channel) : only.channels.has(channel))
  for (const event of events) {
    if (hasSubscriber(event.channel)) deliver(event, event.channel, false)
    const ofAll = channelOfAll(event.channel)
    if (ofAll !== null && hasSubscriber(ofAll)) deliver(event, ofAll, true)
  }
}

function unsubscribe({ subscribers }: AudienceState, connection: Connection, channel: string) {
  connection.channels.delete(channel)
  const others = subscribers.get(channel)
  others?.delete(connection)
  if (others?.size === 0) subscribers.delete(channel)
}

function removeConnection(state: AudienceState, connection: Connection) {
  state.connections.delete(connection)
  for (const channel of [...connection.channels]) unsubscribe(state, connection, channel)
}

function send(connection: Connection, message: RealtimeMessage) {
  connection.push({ channel: null, text: frameOf(sessionChannel, message) })
}

function end(state: AudienceState, connection: Connection) {
  send(connection, { action: 'delete', level: 'notice', message: 'Your session has ended.' })
  // Drops the queued frames of all channels; this message remains.
  connection.forget(connection.channels)
  while (connection.send());
  removeConnection(state, connection)
  connection.close(closeCodes.sessionEnded, 'the session has ended')
}

/** Applies a viewer's new rights: unsubscribes them from channels they may no longer receive, and notifies them. */
function updateViewer(state: AudienceState, connection: Connection, viewer: Viewer) {
  connection.viewer = viewer
  const key = audienceKey(viewer)
  if (connection.audienceKey === key) return
  const isFirst = connection.audienceKey === ''
  connection.audienceKey = key
  const gone = new Set([...connection.channels].filter(channel => !state.channels.maySubscribe(viewer, channel)))
  for (const channel of gone) unsubscribe(state, connection, channel)
  // Decisions made for the old rights are no longer valid.
  connection.forget(new Set([...gone, ...connection.channels]))
  if (isFirst) return
  send(connection, {
    action: 'update',
    session: {
      unlocked: viewer.unlockValue !== null,
      globaladmin: viewer.globalAdmin,
      channels: [...connection.channels],
    },
  })
}

function checkViewers(state: AudienceState) {
  const connections = [...state.connections]
  const now = state.liveViewers.of(connections.map(({ identity }) => identity ?? { kind: 'visitor' }))
  for (const [n, connection] of connections.entries()) {
    const viewer = now[n] ?? null
    if (viewer === null) end(state, connection)
    else updateViewer(state, connection, viewer)
  }
}

export function createAudience({ channels, liveViewers, log }: Pick<Library, 'channels' | 'liveViewers' | 'log'>) {
  const state: AudienceState = { channels, liveViewers, connections: new Set(), subscribers: new Map() }
  const { connections, subscribers } = state

  return {
    size: () => connections.size,
    leave: (connection: Connection) => removeConnection(state, connection),
    checkViewers: () => checkViewers(state),

    /** Adds a connection that has authenticated; returns its viewer, or null if its session is no longer valid. */
    join(connection: Connection, identity: Identity): Viewer | null {
      const [viewer = null] = liveViewers.of([identity])
      if (viewer === null) return null
      connection.identity = identity
      connections.add(connection)
      updateViewer(state, connection, viewer)
      return viewer
    },

    /** Closes connections whose token was revoked; sessions are checked separately. */
    async checkTokens() {
      for (const connection of [...connections]) {
        if (connection.identity?.kind !== 'token') continue
        if (!(await liveViewers.isValid(connection.identity)) && connections.has(connection)) end(state, connection)
      }
    },

    /** The current viewer of the connection. */
    viewerOf(connection: Connection): Viewer | null {
      const { identity } = connection
      if (identity === null) return null
      const [viewer = null] = liveViewers.of([identity])
      if (viewer === null) end(state, connection)
      else updateViewer(state, connection, viewer)
      return viewer
    },

    /** Returns false if the channel does not exist, or if the viewer may not receive it. */
    subscribe(connection: Connection, viewer: Viewer, channel: string): boolean {
      if (!channels.maySubscribe(viewer, channel)) return false
      connection.channels.add(channel)
      const others = subscribers.get(channel)
      if (others === undefined) subscribers.set(channel, new Set([connection]))
      else others.add(connection)
      return true
    },
    unsubscribe: (connection: Connection, channel: string) => unsubscribe(state, connection, channel),

    /** Sends events to all their subscribers. */
    distribute(events: readonly LibraryEvent[]) {
      checkViewers(state)
      const relevant = events.filter(({ channel }) => {
        const ofAll = channelOfAll(channel)
        return subscribers.has(channel) || (ofAll !== null && subscribers.has(ofAll))
      })
      if (relevant.length === 0) return
      try {
        broadcast(state, withoutRepeats(relevant))
      } catch (error) {
        log.error('events could not be sent', { error })
      }
    },

    /** Sends a connection the events that it missed. */
    sendMissed: (connection: Connection, events: readonly LibraryEvent[]) =>
      broadcast(state, withoutRepeats(events), connection),
  }
}

export type Audience = ReturnType<typeof createAudience>
