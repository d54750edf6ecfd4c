/** The state of a film: not requested, being converted, ready, without pictures, or impossible to show. */

import type { Preparing } from '../api.ts'
import { createRuns } from '../kit/time/runs.ts'

export type FilmState =
  | { phase: 'idle' }
  /** `waited`: the film was converted first. */
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

/** Seconds until the next attempt if there was no response. */
const againAfterOutage = 2

/** Follows a film before it plays and after a failure, polling during its conversion, until `stop`. */
export function createFilm({ requestStream, pause, notify: report }: FilmParts) {
  const runs = createRuns()

  async function wait(known: Preparing, signal: AbortSignal): Promise<void> {
    for (let state: Preparing | null = known; state !== null; ) {
      const { job, again }: Preparing = state
      report({ phase: 'preparing', job })
      await pause(again, signal)
      state = await requestStream(true, signal).catch(() => ({ job, again: againAfterOutage }))
      signal.throwIfAborted()
    }
    report({ phase: 'ready', waited: true })
  }

  /** Reports the state `otherwise` unless the film is being converted. */
  async function checkConversion(otherwise: FilmState): Promise<void> {
    const signal = runs.start()
    try {
      // Ignore a failed request: the browser's own error says more.
      const state = await requestStream(false, signal).catch(() => null)
      signal.throwIfAborted()
      if (state === null) report(otherwise)
      else await wait(state, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  return {
    begin: () => checkConversion({ phase: 'ready', waited: false }),
    /** Called when the browser could not play the film. */
    failed: (code: number | undefined) => checkConversion({ phase: 'fault', code }),
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
