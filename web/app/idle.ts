/** Ends something after a time without input. */

export interface Idle {
  start(ms: number): void
  stop(): void
}

/** The page's `events` count as input. `tell` is called every `tellEveryMs`, `end` once after a time without. */
export function createIdle({
  events,
  tellEveryMs,
  tell: report,
  end,
}: {
  events: readonly string[]
  tellEveryMs: number
  tell: () => void
  end: () => void
}): Idle {
  let [length, seen, told] = [0, 0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined

  const onSign = () => {
    const now = Date.now()
    // Awake after hours: it has expired, though the timer has not fired yet.
    if (now - seen >= length) return
    seen = now
    if (now - told < tellEveryMs) return
    told = now
    report()
  }
  const look = () => {
    const left = seen + length - Date.now()
    if (left > 0) {
      timer = setTimeout(look, left)
      return
    }
    stop()
    end()
  }
  function stop(): void {
    clearTimeout(timer)
    for (const event of events) removeEventListener(event, onSign, true)
  }
  return {
    start(ms) {
      stop()
      length = ms
      seen = Date.now()
      told = seen
      timer = setTimeout(look, ms)
      for (const event of events) addEventListener(event, onSign, { capture: true, passive: true })
    },
    stop,
  }
}
