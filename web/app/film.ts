/** A film on its way to the screen: whether it may play now, is still being converted, or cannot be shown. */

import type { Preparing } from '../api.ts'

export type FilmState =
  | { phase: 'idle' }
  /** Converted on the way, so that somebody `waited` for it, or as it is. */
  | { phase: 'ready'; waited: boolean }
  | { phase: 'preparing'; job: number | null }
  /** `code` of HTMLMediaElement.error. */
  | { phase: 'fault'; code: number | undefined }
  /** It plays, but there is no picture in it. */
  | { phase: 'sound' }

export interface FilmParts {
  /** Null when nothing is being prepared. `patient`: the answer may take as long as the server likes. */
  ask: (patient: boolean, signal: AbortSignal) => Promise<Preparing | null>
  /** Rejects when the signal is aborted. */
  pause: (seconds: number, signal: AbortSignal) => Promise<void>
  tell: (state: FilmState) => void
}

/** After a question that got no answer at all. Seconds. */
const againAfterOutage = 5

/**
 * Follows one film. It asks before a film is played and after one failed; while the film is being converted it goes on
 * asking as often as the server allows, until `stop`.
 */
export function createFilm({ ask, pause, tell: report }: FilmParts) {
  let running: AbortController | null = null

  function stop(): void {
    running?.abort()
    running = null
  }

  async function wait(known: Preparing, signal: AbortSignal): Promise<void> {
    for (let answer: Preparing | null = known; answer !== null; ) {
      const { job, again }: Preparing = answer
      report({ phase: 'preparing', job })
      await pause(again, signal)
      answer = await ask(true, signal).catch(() => ({ job, again: againAfterOutage }))
      signal.throwIfAborted()
    }
    report({ phase: 'ready', waited: true })
  }

  /** Tells `otherwise` unless the film is being prepared. */
  async function look(otherwise: FilmState): Promise<void> {
    stop()
    const own = new AbortController()
    running = own
    try {
      // Without an answer the browser's own words for what is wrong are better than ours.
      const answer = await ask(false, own.signal).catch(() => null)
      own.signal.throwIfAborted()
      if (answer === null) report(otherwise)
      else await wait(answer, own.signal)
    } catch (error) {
      if (!own.signal.aborted) throw error
    }
  }

  return {
    begin: () => look({ phase: 'ready', waited: false }),
    /** The browser could not play it. */
    failed: (code: number | undefined) => look({ phase: 'fault', code }),
    stop,
  }
}

/** Share of a job in percent, for people: 100 is never told of what is not there yet. Null while nothing is known. */
export function percentOf(job: { done: number; total: number | null } | undefined): number | null {
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
