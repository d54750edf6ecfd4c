/** One run at a time: starting a run aborts the previous one, whose late results are dropped. */

export interface Runs {
  /** Aborts the previous run; the returned signal is aborted when this run is superseded or cancelled. */
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
