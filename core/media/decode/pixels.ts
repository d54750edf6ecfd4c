/** Pixels of existing renditions, for callers that draw them. A worker process decodes them, and ends when idle. */
import { Failure } from '../../../schema/errors.ts'
import { isPixelsResponse, type PixelsRequest } from './pixels-messages.ts'

export interface Pixels {
  width: number
  height: number
  /** Three bytes per pixel, row by row, or a PNG, as requested. */
  data: Uint8Array
}

const idleMs = 20_000

/** `command` starts the worker: this program with `worker pixels`. */
export function createPixelMaker({ command }: { command: readonly string[] }) {
  let child: Bun.Subprocess | null = null
  let nextId = 1
  let idle: Timer | undefined
  let current: { id: number; resolve: (pixels: Pixels | null) => void; reject: (error: Error) => void } | null = null
  let queued: { begin: () => void; skip: () => void } | null = null

  function end() {
    clearTimeout(idle)
    child?.kill()
    child = null
  }

  function finishCurrent(act: (one: NonNullable<typeof current>) => void) {
    const one = current
    current = null
    if (one !== null) act(one)
    clearTimeout(idle)
    const next = queued
    queued = null
    if (next !== null) next.begin()
    else {
      idle = setTimeout(end, idleMs)
      idle.unref()
    }
  }

  function received(message: unknown) {
    if (!isPixelsResponse(message) || message.id !== current?.id) return
    finishCurrent(one => {
      if ('failed' in message) one.reject(new Failure('unavailable', message.failed))
      else one.resolve({ width: message.width, height: message.height, data: message.data })
    })
  }

  function running(): Bun.Subprocess {
    if (child !== null) return child
    const started = Bun.spawn([...command], {
      stdio: ['ignore', 'ignore', 'ignore'],
      serialization: 'advanced',
      env: { ...process.env, MALLOC_ARENA_MAX: '2', VIPS_WARNING: '0' },
      ipc: received,
      onExit: gone => {
        if (child?.pid !== gone.pid) return
        child = null
        if (current !== null)
          finishCurrent(one => one.reject(new Failure('unavailable', 'The picture could not be decoded')))
      },
    })
    started.unref()
    child = started
    return started
  }

  return {
    /** Throws `unavailable` for an unreadable picture. Resolves to null if a newer request replaced this one. */
    load(wanted: Omit<PixelsRequest, 'id'>): Promise<Pixels | null> {
      const { promise, resolve, reject } = Promise.withResolvers<Pixels | null>()
      const request = { ...wanted, id: nextId++ }
      const begin = () => {
        clearTimeout(idle)
        current = { id: request.id, resolve, reject }
        running().send(request)
      }
      if (current === null) begin()
      else {
        // The queued request is dropped: while scrolling past many pictures, those in between are skipped.
        queued?.skip()
        queued = { begin, skip: () => resolve(null) }
      }
      return promise
    },
    close: end,
  }
}

export type PixelMaker = ReturnType<typeof createPixelMaker>
