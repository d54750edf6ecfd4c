/** One run at a time: starting another aborts the one before it, whose late results are then dropped. */

export interface Runs {
  /** Aborts the run before; the returned signal is aborted when this one is superseded or cancelled. */
  start: () => AbortSignal
  cancel: () => void
}

export function createRuns(): Runs {
  let current = new AbortController()
  return {
    start() {
      current.abort()
      current = new AbortController()
      return current.signal
    },
    cancel: () => current.abort(),
  }
}
