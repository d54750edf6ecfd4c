/** One websocket: who is at its other end, what he listens to, and what waits to be sent to him. */
import type { Identity } from '../../core/realtime/live-viewers.ts'
import { limits } from '../../schema/limits.ts'
import { closeCodes } from '../../schema/realtime.ts'

/** Frames that are handed to the socket at once: about what the system takes in one call. */
const framesAtOnce = 128
const charactersAtOnce = 32 * 1024
/** More frames than this never wait, however short they are. */
const mostWaiting = 100_000

/** What is done with a socket, whatever it carries. */
interface ConnectionSocket {
  cork(work: () => void): unknown
  send(text: string): number
  getBufferedAmount(): number
  terminate(): void
  close(code: number, reason: string): void
}

export interface Connection {
  readonly socket: ConnectionSocket
  /** Null until it has said who it is. */
  identity: Identity | null
  /** Which of the connections hear the same: see `hearingOf`. */
  hearing: string
  readonly channels: Set<string>
  /** It was here before and has what came up to this event; null: it wants nothing from before. */
  resumeAfter: number | null
  closed: boolean
  /** An answer, in its place among the messages. */
  answer(text: string): void
  /** A message of a channel. It is one object for all who get the same: a million of them wait in a burst. */
  push(message: Waiting): void
  /** Forgets what waits of channels that it may not hear any more. */
  forget(channels: ReadonlySet<string>): void
  /** Hands some of what waits to the socket. True while there is more that the socket would take. */
  send(): boolean
  drained(): void
  /** Counts a frame of the client; false when there were too many in this second, 'flood' when far too many. */
  admit(now: number): boolean | 'flood'
  close(code: number, reason: string): void
  /** What the client asked is done in its order; calls of plugins excepted. */
  inOrder(work: () => Promise<void>): void
  calls: number
}

/** A frame that waits to be sent; those of a channel are forgotten when it may not be heard any more. */
export interface Waiting {
  channel: string | null
  text: string
}

/** `wake` is told when something waits that can be sent. */
export function createConnection(socket: ConnectionSocket, wake: (connection: Connection) => void): Connection {
  let queue: Waiting[] = []
  let first = 0
  let characters = 0
  /** The socket has not got rid of what it was given: more would only fill memory. */
  let blocked = false
  let second = 0
  let frames = 0
  let last: Promise<void> = Promise.resolve()

  function add(message: Waiting) {
    if (connection.closed) return
    queue.push(message)
    characters += message.text.length
    if ((blocked && characters > limits.realtime.waitingBytes) || queue.length - first > mostWaiting) {
      connection.close(closeCodes.tooSlow, 'too slow')
    } else if (!blocked) wake(connection)
  }

  function clear() {
    queue = []
    first = 0
    characters = 0
  }

  const connection: Connection = {
    socket,
    identity: null,
    hearing: '',
    channels: new Set(),
    resumeAfter: null,
    closed: false,
    calls: 0,
    answer: text => add({ channel: null, text }),
    push: add,

    forget(gone) {
      queue = queue.slice(first).filter(({ channel }) => channel === null || !gone.has(channel))
      first = 0
      characters = queue.reduce((sum, { text }) => sum + text.length, 0)
    },

    send() {
      if (blocked || connection.closed || first >= queue.length) return false
      socket.cork(() => {
        let sent = 0
        for (let n = 0; n < framesAtOnce && sent < charactersAtOnce && first < queue.length; n++) {
          const text = queue[first++]?.text ?? ''
          characters -= text.length
          sent += text.length
          if (socket.send(text) < 0) break
        }
      })
      blocked = socket.getBufferedAmount() > 0
      if (first >= queue.length) clear()
      else if (first > 4096) {
        queue = queue.slice(first)
        first = 0
      }
      return !blocked && first < queue.length
    },

    drained() {
      blocked = socket.getBufferedAmount() > 0
      if (!blocked && first < queue.length) wake(connection)
    },

    admit(now) {
      const current = Math.floor(now / 1000)
      if (current !== second) {
        second = current
        frames = 0
      }
      frames++
      if (frames > limits.realtime.messagesASecond * 10) return 'flood'
      return frames <= limits.realtime.messagesASecond
    },

    close(code, reason) {
      if (connection.closed) return
      connection.closed = true
      clear()
      // A word of farewell would lie behind what he does not read, and keep all of it in memory until he does.
      if (blocked) socket.terminate()
      else socket.close(code, reason)
    },

    inOrder(work) {
      last = last.then(work)
    },
  }
  return connection
}
