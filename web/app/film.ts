/** The state of a video in the viewer: not requested, being converted, ready, without pictures, or impossible to show. */

import type { Preparing } from '../api.ts'
import { createRuns } from '../kit/time/runs.ts'

export type FilmState =
  | { phase: 'idle' }
  /** `waited`: whether it had to be converted first. */
  | { phase: 'ready'; waited: boolean }
  | { phase: 'preparing'; job: number | null }
  /** `code` of HTMLMediaElement.error. */
  | { phase: 'fault'; code: number | undefined }
  /** It plays, but the browser shows no video track. Set by `useFilm`. */
  | { phase: 'sound' }

export interface FilmParts {
  /** Returns null if nothing is being converted. `patient`: the response may take as long as the server likes. */
  requestStream: (patient: boolean, signal: AbortSignal) => Promise<Preparing | null>
  /** Rejects when the signal is aborted. */
  pause: (seconds: number, signal: AbortSignal) => Promise<void>
  notify: (state: FilmState) => void
}

const retryAfterOutageSeconds = 2

/** Finds out whether a film is being converted, before it plays and after a failure. If so, polls until it is ready. */
export function createFilm({ requestStream, pause, notify: report }: FilmParts) {
  const runs = createRuns()

  async function pollUntilReady(first: Preparing, signal: AbortSignal): Promise<void> {
    for (let conversion: Preparing | null = first; conversion !== null; ) {
      const { job, again }: Preparing = conversion
      report({ phase: 'preparing', job })
      await pause(again, signal)
      conversion = await requestStream(true, signal).catch(() => ({ job, again: retryAfterOutageSeconds }))
      signal.throwIfAborted()
    }
    report({ phase: 'ready', waited: true })
  }

  /** If the film is being converted, waits for that; otherwise reports `state`. */
  async function reportUnlessConverting(state: FilmState): Promise<void> {
    const signal = runs.start()
    try {
      // Ignore a failed request: the browser's own error says more.
      const conversion = await requestStream(false, signal).catch(() => null)
      signal.throwIfAborted()
      if (conversion === null) report(state)
      else await pollUntilReady(conversion, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  return {
    begin: () => reportUnlessConverting({ phase: 'ready', waited: false }),
    /** Called when the browser could not play the film. */
    failed: (code: number | undefined) => reportUnlessConverting({ phase: 'fault', code }),
    stop: runs.cancel,
  }
}

/** Progress of a running job in percent, at most 99. Null while unknown. */
export function jobPercent(job: { done: number; total: number | null } | undefined): number | null {
  if (job === undefined || job.total === null || job.total <= 0 || job.done <= 0) return null
  return Math.min(99, Math.floor((job.done / job.total) * 100))
}

/** Waits; rejects at once when the signal is aborted. */
export function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const end = () => {
      clearTimeout(timer)
      fail(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      done()
    }, seconds * 1000)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
