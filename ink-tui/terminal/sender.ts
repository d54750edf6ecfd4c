/** Writes to the terminal without ever blocking the process, which must handle signals and keys. */
import { closeSync, constants, openSync, writeSync } from 'node:fs'

/** Retry time for a terminal that accepted nothing. */
const retryMs = 10
/** Longest wait for a stalled terminal when it is taken over or restored. */
const patienceMs = 1000
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * The terminal, opened again non-blocking, so that writes never block this process. The shell's own descriptor stays as
 * it is. Null where that is impossible: then writes block.
 */
function openAnew(): number | null {
  const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY
  for (const path of process.platform === 'linux' ? ['/proc/self/fd/1', '/dev/tty'] : ['/dev/tty']) {
    try {
      return openSync(path, flags)
    } catch {
      // Owned by another user (su, sudo), or not our controlling terminal.
    }
  }
  return null
}

/** `onTaken`: it has accepted everything that waited. */
export function createSender(onTaken: () => void) {
  let fd: number | null = null
  /** Output that the terminal has not accepted yet. A slow line drops frames; it never fills memory. */
  let queue: Buffer = Buffer.alloc(0)
  let retry: ReturnType<typeof setTimeout> | null = null

  /** Sends as much as it accepts; returns whether that was all. Directly: nothing may follow the restoration. */
  function flush(): boolean {
    while (queue.length > 0) {
      try {
        const taken = writeSync(fd ?? 1, queue)
        if (taken === 0) return false
        queue = queue.subarray(taken)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
        // A closed terminal: ignored.
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
    /** Whether output is still waiting. */
    isWaiting: () => retry !== null,
    write(text: string) {
      queue = queue.length === 0 ? Buffer.from(text) : Buffer.concat([queue, Buffer.from(text)])
      if (!flush() && retry === null) retry = setTimeout(again, retryMs)
    },
    /** Writes at once, in place of what waits, blocking a moment if necessary: the process may be about to end. */
    writeNow(text: string) {
      // The interrupted output may end within a sequence: CAN ends that.
      queue = Buffer.from(queue.length > 0 ? `\u0018${text}` : text)
      for (let waited = 0; waited < patienceMs && !flush(); waited += retryMs) Atomics.wait(pause, 0, 0, retryMs)
      if (retry !== null) clearTimeout(retry)
      retry = null
    },
  }
}
