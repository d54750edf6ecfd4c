/** All connections: distributes events to those who may receive them, and cancels forbidden subscriptions. */
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

interface Listening extends Pick<Library, 'channels' | 'liveViewers'> {
  connections: Set<Connection>
  listeners: Map<string, Set<Connection>>
}

/** Queues events for all their listeners, or only for `only`; each gets what its viewer may receive. */
function broadcast(
  { channels, listeners }: Listening,
  events: readonly LibraryEvent[],
  only: Connection | null = null,
) {
  const hear = channels.hearing(events)
  const byHearing = new Map<string, ReturnType<typeof hear>>()

  function frameFor(event: LibraryEvent, channel: string, viewer: Viewer, onAll: boolean): QueuedFrame | null {
    const hearing = audienceKey(viewer)
    const messageFor = (!isPersonal(channel) && byHearing.get(hearing)) || hear(viewer)
    if (!isPersonal(channel)) byHearing.set(hearing, messageFor)
    const message = messageFor(event, onAll)
    return message === null ? null : { channel, text: frameOf(channel, message, event.id) }
  }

  /** Queues an event for the listeners of `channel`. Except on personal channels, equal rights share one frame. */
  function deliver(event: LibraryEvent, channel: string, onAll: boolean) {
    const frames = new Map<string, QueuedFrame | null>()
    const targets = only === null ? (listeners.get(channel) ?? []) : [only]
    for (const connection of targets) {
      const { viewer, hearing } = connection
      if (viewer === null || (onAll && connection.channels.has(event.channel))) continue
      const known = isPersonal(channel) ? undefined : frames.get(hearing)
      const frame = known === undefined ? frameFor(event, channel, viewer, onAll) : known
      frames.set(hearing, frame)
      if (frame !== null) connection.push(frame)
    }
  }

  const heard = (channel: string) => (only === null ? listeners.has(channel) : only.channels.has(channel))
  for (const event of events) {
    if (heard(event.channel)) deliver(event, event.channel, false)
    const ofAll = channelOfAll(event.channel)
    if (ofAll !== null && heard(ofAll)) deliver(event, ofAll, true)
  }
}

function unlisten({ listeners }: Listening, connection: Connection, channel: string) {
  connection.channels.delete(channel)
  const others = listeners.get(channel)
  others?.delete(connection)
  if (others?.size === 0) listeners.delete(channel)
}

function removeConnection(listening: Listening, connection: Connection) {
  listening.connections.delete(connection)
  for (const channel of [...connection.channels]) unlisten(listening, connection, channel)
}

function send(connection: Connection, message: RealtimeMessage) {
  connection.push({ channel: null, text: frameOf(sessionChannel, message) })
}

function end(listening: Listening, connection: Connection) {
  send(connection, { action: 'delete', level: 'notice', message: 'Your session has ended.' })
  // Drops the queued frames of all channels; this message remains.
  connection.forget(connection.channels)
  while (connection.send());
  removeConnection(listening, connection)
  connection.close(closeCodes.sessionEnded, 'the session has ended')
}

/** Applies a viewer's new rights: unsubscribes them from channels they may no longer receive, and notifies them. */
function adopt(listening: Listening, connection: Connection, viewer: Viewer) {
  connection.viewer = viewer
  const hearing = audienceKey(viewer)
  if (connection.hearing === hearing) return
  const isFirst = connection.hearing === ''
  connection.hearing = hearing
  const gone = new Set([...connection.channels].filter(channel => !listening.channels.mayHear(viewer, channel)))
  for (const channel of gone) unlisten(listening, connection, channel)
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

function checkViewers(listening: Listening) {
  const connections = [...listening.connections]
  const now = listening.liveViewers.of(connections.map(({ identity }) => identity ?? { kind: 'visitor' }))
  for (const [n, connection] of connections.entries()) {
    const viewer = now[n] ?? null
    if (viewer === null) end(listening, connection)
    else adopt(listening, connection, viewer)
  }
}

export function createAudience({ channels, liveViewers, log }: Pick<Library, 'channels' | 'liveViewers' | 'log'>) {
  const listening: Listening = { channels, liveViewers, connections: new Set(), listeners: new Map() }
  const { connections, listeners } = listening

  return {
    size: () => connections.size,
    leave: (connection: Connection) => removeConnection(listening, connection),
    checkViewers: () => checkViewers(listening),

    /** Adds a connection that has authenticated; returns its viewer, or null if its session is no longer valid. */
    join(connection: Connection, identity: Identity): Viewer | null {
      const [viewer = null] = liveViewers.of([identity])
      if (viewer === null) return null
      connection.identity = identity
      connections.add(connection)
      adopt(listening, connection, viewer)
      return viewer
    },

    /** Closes connections whose token was revoked; sessions are checked separately. */
    async checkTokens() {
      for (const connection of [...connections]) {
        if (connection.identity?.kind !== 'token') continue
        if (!(await liveViewers.isGood(connection.identity)) && connections.has(connection)) end(listening, connection)
      }
    },

    /** The current viewer of the connection. */
    viewerOf(connection: Connection): Viewer | null {
      const { identity } = connection
      if (identity === null) return null
      const [viewer = null] = liveViewers.of([identity])
      if (viewer === null) end(listening, connection)
      else adopt(listening, connection, viewer)
      return viewer
    },

    /** False if the viewer may not receive the channel, or if it does not exist. */
    listen(connection: Connection, viewer: Viewer, channel: string): boolean {
      if (!channels.mayHear(viewer, channel)) return false
      connection.channels.add(channel)
      const others = listeners.get(channel)
      if (others === undefined) listeners.set(channel, new Set([connection]))
      else others.add(connection)
      return true
    },
    unlisten: (connection: Connection, channel: string) => unlisten(listening, connection, channel),

    /** Sends events to all their listeners. */
    hand(events: readonly LibraryEvent[]) {
      checkViewers(listening)
      const heard = events.filter(({ channel }) => {
        const ofAll = channelOfAll(channel)
        return listeners.has(channel) || (ofAll !== null && listeners.has(ofAll))
      })
      if (heard.length === 0) return
      try {
        broadcast(listening, withoutRepeats(heard))
      } catch (error) {
        log.error('events could not be sent', { error })
      }
    },

    /** Sends a connection the events that it missed. */
    handTo: (connection: Connection, events: readonly LibraryEvent[]) =>
      broadcast(listening, withoutRepeats(events), connection),
  }
}

export type Audience = ReturnType<typeof createAudience>
