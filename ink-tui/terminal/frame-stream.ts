/** The stream to which Ink writes whole frames; only changed lines are sent to the terminal. */
import { EventEmitter } from 'node:events'
import { withLines } from '../pictures/placeholders.ts'
import type { Terminal } from './terminal.ts'

/** Minimum milliseconds between frames; after a longer pause, a frame is shown at once. */
const frameMs = 33

export class FrameStream extends EventEmitter {
  readonly isTTY = true
  readonly writable = true
  readonly destroyed = false
  readonly writableEnded = false
  #latest: string | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #lastAt = Number.NEGATIVE_INFINITY
  constructor(readonly terminal: Terminal) {
    super()
    this.setMaxListeners(0)
  }
  get columns(): number {
    return this.terminal.size().columns
  }
  get rows(): number {
    return this.terminal.size().rows
  }
  write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    // Ink's last write is empty.
    if (text === '') return true
    // Replace placeholders at once, because they may be reused before the frame is shown.
    this.#latest = withLines(text)
    // Several renderings at one moment (a screen, then its footer) become one frame.
    const left = Math.max(0, this.#lastAt + frameMs - performance.now())
    this.#timer ??= setTimeout(() => this.show(), left)
    return true
  }
  show(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#lastAt = performance.now()
    if (this.#latest !== null) this.terminal.draw(this.#latest)
  }
}
