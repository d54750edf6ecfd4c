/** Writes to the terminal without ever blocking the process, in which signals and keys wait. */
import { closeSync, constants, openSync, writeSync } from 'node:fs'

/** How soon a terminal that took nothing is asked again. */
const retryMs = 10
/** As long is waited for a terminal that takes nothing while it is taken or given back. */
const patienceMs = 1000
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * The terminal opened again, so that a write to it never blocks this process, in which signals and keys wait. The
 * shell's own description of it stays as it is. Null where that cannot be had: then writes wait.
 */
function openAnew(): number | null {
  const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY
  for (const path of process.platform === 'linux' ? ['/proc/self/fd/1', '/dev/tty'] : ['/dev/tty']) {
    try {
      return openSync(path, flags)
    } catch {
      // Of another user (su, sudo), or none that controls us.
    }
  }
  return null
}

/** `onTaken`: it has taken what it did not take at once. */
export function createSender(onTaken: () => void) {
  let fd: number | null = null
  /** What the terminal has not taken yet. A slow line drops frames; it never fills memory. */
  let queue: Buffer = Buffer.alloc(0)
  let retry: ReturnType<typeof setTimeout> | null = null

  /** Sends what it takes; returns whether that was all. Straight to the system: nothing may come after it was given back. */
  function flush(): boolean {
    while (queue.length > 0) {
      try {
        const taken = writeSync(fd ?? 1, queue)
        if (taken === 0) return false
        queue = queue.subarray(taken)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
        // A terminal that was closed: there is nobody to tell.
        queue = Buffer.alloc(0)
      }
    }
    return true
  }

  function again() {
    retry = flush() ? null : setTimeout(again, retryMs)
    if (retry === null) onTaken()
  }

  return {
    open() {
      fd ??= openAnew()
    },
    close() {
      queue = Buffer.alloc(0)
      if (fd !== null) closeSync(fd)
      fd = null
    },
    /** Has it not taken everything yet? */
    isWaiting: () => retry !== null,
    write(text: string) {
      queue = queue.length === 0 ? Buffer.from(text) : Buffer.concat([queue, Buffer.from(text)])
      if (!flush() && retry === null) retry = setTimeout(again, retryMs)
    },
    /** At once and in place of what waits, waiting for the terminal a moment if need be: the process may be about to end. */
    writeNow(text: string) {
      // What was being sent may end within a sequence: CAN ends that.
      queue = Buffer.from(queue.length > 0 ? `\u0018${text}` : text)
      for (let waited = 0; waited < patienceMs && !flush(); waited += retryMs) Atomics.wait(pause, 0, 0, retryMs)
      if (retry !== null) clearTimeout(retry)
      retry = null
    },
  }
}
