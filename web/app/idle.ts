/** Notices when the user has been idle for some time. */

export interface Idle {
  start(ms: number): void
  stop(): void
}

/**
 * Listens for `events`, which count as input. Calls `notify` on input, at most once in `notifyEveryMs`, and `end` when
 * there was no input for the milliseconds that were given to `start`.
 */
export function createIdle({
  events,
  notifyEveryMs,
  notify,
  end,
}: {
  events: readonly string[]
  notifyEveryMs: number
  notify: () => void
  end: () => void
}): Idle {
  let [maxIdleMs, lastInput, lastNotified] = [0, 0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined

  const onInput = () => {
    const now = Date.now()
    // When a computer wakes after hours, input may come before the timer fires; it must not extend the time.
    if (now - lastInput >= maxIdleMs) return
    lastInput = now
    if (now - lastNotified < notifyEveryMs) return
    lastNotified = now
    notify()
  }
  const endIfIdle = () => {
    const remaining = lastInput + maxIdleMs - Date.now()
    if (remaining > 0) {
      timer = setTimeout(endIfIdle, remaining)
      return
    }
    stop()
    end()
  }
  function stop(): void {
    clearTimeout(timer)
    for (const event of events) removeEventListener(event, onInput, true)
  }
  return {
    start(ms) {
      stop()
      maxIdleMs = ms
      lastInput = Date.now()
      lastNotified = lastInput
      timer = setTimeout(endIfIdle, ms)
      for (const event of events) addEventListener(event, onInput, { capture: true, passive: true })
    },
    stop,
  }
}
