/** One websocket: its viewer, its channels, and its queue. */
import type { Viewer } from '../../core/accounts/access.ts'
import type { Identity } from '../../core/realtime/live-viewers.ts'
import { limits } from '../../schema/limits.ts'
import { closeCodes } from '../../schema/realtime.ts'

/** Maximum frames and characters passed to the socket at once: about what the system accepts in one call. */
const framesAtOnce = 128
const charactersAtOnce = 32 * 1024
/** Maximum number of waiting frames, however short they are. */
const maxWaiting = 100_000

interface ConnectionSocket {
  cork(work: () => void): unknown
  send(text: string): number
  getBufferedAmount(): number
  terminate(): void
  close(code: number, reason: string): void
}

/** A frame of a channel, or of none (a response). All recipients share it, because a burst may queue a million. */
export interface QueuedFrame {
  channel: string | null
  text: string
}

export class Connection {
  /** Null until authenticated. */
  identity: Identity | null = null
  /** The viewer at the last check. */
  viewer: Viewer | null = null
  /** Key of connections that get the same messages: see `audienceKey`. */
  audienceKey = ''
  readonly channels = new Set<string>()
  /** Id of the last event that the client received before it reconnected; null if it is new or has to reload. */
  resumeAfter: number | null = null
  closed = false
  runningCalls = 0

  private queue: QueuedFrame[] = []
  private first = 0
  private characters = 0
  /** Whether the socket's buffer is full, so that more would only take memory. */
  private blocked = false
  /** The current second, in which `frames` of the client have arrived. */
  private currentSecond = 0
  private frames = 0
  private lastRequest: Promise<void> = Promise.resolve()

  /** `addressKey`: key of the client's address. `isVisitor`: by its cookie, later by its token. `wake`: called to send. */
  constructor(
    private readonly socket: ConnectionSocket,
    private readonly wake: (connection: Connection) => void,
    readonly addressKey: string,
    public isVisitor: boolean,
  ) {}

  push(message: QueuedFrame): void {
    if (this.closed) return
    this.queue.push(message)
    this.characters += message.text.length
    const isTooMuch = this.blocked && this.characters > limits.realtime.waitingBytes
    if (isTooMuch || this.queue.length - this.first > maxWaiting) this.close(closeCodes.tooSlow, 'too slow')
    else if (!this.blocked) this.wake(this)
  }

  /** Drops queued frames of these channels. */
  forget(dropped: ReadonlySet<string>): void {
    this.keep(this.queue.slice(this.first).filter(({ channel }) => channel === null || !dropped.has(channel)))
  }

  private keep(queue: QueuedFrame[]): void {
    this.queue = queue
    this.first = 0
    this.characters = queue.reduce((sum, { text }) => sum + text.length, 0)
  }

  /** Passes part of the queue to the socket. Returns true while there is more that the socket would accept. */
  send(): boolean {
    if (this.blocked || this.closed || this.first >= this.queue.length) return false
    this.socket.cork(() => {
      let sent = 0
      for (let n = 0; n < framesAtOnce && sent < charactersAtOnce && this.first < this.queue.length; n++) {
        const text = this.queue[this.first++]?.text ?? ''
        this.characters -= text.length
        sent += text.length
        if (this.socket.send(text) < 0) break
      }
    })
    this.blocked = this.socket.getBufferedAmount() > 0
    if (this.first > 4096 || this.first >= this.queue.length) this.keep(this.queue.slice(this.first))
    return !this.blocked && this.first < this.queue.length
  }

  drained(): void {
    this.blocked = this.socket.getBufferedAmount() > 0
    if (!this.blocked && this.first < this.queue.length) this.wake(this)
  }

  /** Counts a frame of the client; false if there were too many in this second, 'flood' if far too many. */
  admit(now: number): boolean | 'flood' {
    const current = Math.floor(now / 1000)
    if (current !== this.currentSecond) this.frames = 0
    this.currentSecond = current
    this.frames++
    if (this.frames > limits.realtime.messagesASecond * 10) return 'flood'
    return this.frames <= limits.realtime.messagesASecond
  }

  close(code: number, reason: string): void {
    if (this.closed) return
    this.closed = true
    this.keep([])
    // A close frame would be queued behind the unread ones, and keep them in memory.
    if (this.blocked) this.socket.terminate()
    else this.socket.close(code, reason)
  }

  /** A client's requests run in order, except calls of plugins. */
  inOrder(work: () => Promise<void>): void {
    this.lastRequest = this.lastRequest.then(work)
  }
}
