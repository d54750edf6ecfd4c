/** Work that ends with this program, such as exports. The footer shows it, and quitting asks about it. */
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

  function setRunning(now: readonly ForegroundWork[]) {
    running = now
    onChange(running)
  }

  /** Runs work that can be stopped and reports progress; throws `interrupted` if it was stopped. */
  return async function runInForeground<T>(
    words: string,
    work: (control: { signal: AbortSignal; report: (progress: string) => void }) => Promise<T>,
  ): Promise<T> {
    const id = next++
    const stopper = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<boolean>()
    const stop = () => stopper.abort(new Failure('interrupted', `${words}: stopped.`))
    setRunning([...running, { id, words, progress: '', stop, ended }])
    let reportedAt = Number.NEGATIVE_INFINITY
    const report = (progress: string) => {
      if (performance.now() - reportedAt < reportMs) return
      reportedAt = performance.now()
      setRunning(running.map(one => (one.id === id ? { ...one, progress } : one)))
    }
    let isDone = false
    try {
      const result = await work({ signal: stopper.signal, report })
      isDone = true
      return result
    } finally {
      setRunning(running.filter(one => one.id !== id))
      resolve(isDone)
    }
  }
}
