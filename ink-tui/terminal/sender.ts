/** Writes to the terminal without blocking the process, which must handle signals and keys. `writeNow` may block. */
import { closeSync, constants, openSync, writeSync } from 'node:fs'

/** Milliseconds until the next attempt if the terminal accepted nothing. */
const retryMs = 10
/** Maximum wait for a stalled terminal when it is taken over or restored. */
const maxStallMs = 1000
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * The terminal, opened again in non-blocking mode, so that writes never block this process. The shell's own descriptor
 * is not changed. Null if that is impossible; then writes block.
 */
function openNonBlocking(): number | null {
  const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY
  for (const path of process.platform === 'linux' ? ['/proc/self/fd/1', '/dev/tty'] : ['/dev/tty']) {
    try {
      return openSync(path, flags)
    } catch {
      // The terminal belongs to another user (su, sudo), or is not our controlling terminal.
    }
  }
  return null
}

/** `onDrained`: called when the terminal has accepted all waiting output. */
export function createSender(onDrained: () => void) {
  let fd: number | null = null
  /** Output that the terminal has not accepted yet. It stays small, because callers drop frames while it waits. */
  let queue: Buffer = Buffer.alloc(0)
  let retry: ReturnType<typeof setTimeout> | null = null

  /** Sends as much as the terminal accepts; returns whether that was everything. */
  function flush(): boolean {
    while (queue.length > 0) {
      try {
        const taken = writeSync(fd ?? 1, queue)
        if (taken === 0) return false
        queue = queue.subarray(taken)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
        // Ignore a closed terminal.
        queue = Buffer.alloc(0)
      }
    }
    return true
  }

  function retryFlush() {
    retry = flush() ? null : setTimeout(retryFlush, retryMs)
    if (retry === null) onDrained()
  }

  return {
    open() {
      fd ??= openNonBlocking()
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
      if (!flush() && retry === null) retry = setTimeout(retryFlush, retryMs)
    },
    /** Writes at once, replacing waiting output, and may block briefly, because the process may be about to end. */
    writeNow(text: string) {
      // The interrupted output may end inside an escape sequence; CAN ends that.
      queue = Buffer.from(queue.length > 0 ? `\u0018${text}` : text)
      for (let waited = 0; waited < maxStallMs && !flush(); waited += retryMs) Atomics.wait(pause, 0, 0, retryMs)
      if (retry !== null) clearTimeout(retry)
      retry = null
    },
  }
}
