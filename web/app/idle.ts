/** Calls back after a time without input. */

export interface Idle {
  start(ms: number): void
  stop(): void
}

/**
 * The page's `events` count as input. Input calls `notify`, at most once in `notifyEveryMs`. If there is none for the
 * time that was given to `start`, `end` is called.
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
  let [length, seen, notified] = [0, 0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined

  const onInput = () => {
    const now = Date.now()
    // When a computer wakes after hours, the time has expired, though the timer has not fired yet.
    if (now - seen >= length) return
    seen = now
    if (now - notified < notifyEveryMs) return
    notified = now
    notify()
  }
  const endIfIdle = () => {
    const left = seen + length - Date.now()
    if (left > 0) {
      timer = setTimeout(endIfIdle, left)
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
      length = ms
      seen = Date.now()
      notified = seen
      timer = setTimeout(endIfIdle, ms)
      for (const event of events) addEventListener(event, onInput, { capture: true, passive: true })
    },
    stop,
  }
}
