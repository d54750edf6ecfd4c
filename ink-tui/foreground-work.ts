/** Work that cannot outlive this program, such as exports: shown in the footer, and leaving asks about it. */
import { Failure } from '../schema/errors.ts'

/** Minimum milliseconds between updates of a work's line. */
const reportMs = 250

export interface ForegroundWork {
  id: number
  /** For example 'Writing /home/ines/family.csv'. */
  words: string
  /** Progress, such as '12 MB'. */
  progress: string
  /** Ends the work and removes incomplete files. */
  stop(): void
  /** Resolves to true if completed, false if failed or stopped. */
  ended: Promise<boolean>
}

/** `onChange` receives all running work, oldest first, whenever it changes. */
export function createForegroundWork(onChange: (running: readonly ForegroundWork[]) => void) {
  let running: readonly ForegroundWork[] = []
  let next = 1

  function change(now: readonly ForegroundWork[]) {
    running = now
    onChange(running)
  }

  /** Runs stoppable work with progress; returns its result or throws its error, `interrupted` if stopped. */
  return async function during<T>(
    words: string,
    work: (place: { signal: AbortSignal; report: (progress: string) => void }) => Promise<T>,
  ): Promise<T> {
    const id = next++
    const stopper = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<boolean>()
    const stop = () => stopper.abort(new Failure('interrupted', `${words}: stopped.`))
    change([...running, { id, words, progress: '', stop, ended }])
    let reportedAt = Number.NEGATIVE_INFINITY
    const report = (progress: string) => {
      if (performance.now() - reportedAt < reportMs) return
      reportedAt = performance.now()
      change(running.map(one => (one.id === id ? { ...one, progress } : one)))
    }
    let isDone = false
    try {
      const result = await work({ signal: stopper.signal, report })
      isDone = true
      return result
    } finally {
      change(running.filter(one => one.id !== id))
      resolve(isDone)
    }
  }
}
