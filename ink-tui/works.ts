/** Work of this program that does not survive it, such as exports: the footer shows it, and leaving asks. */
import { Failure } from '../schema/errors.ts'

/** Least time between updates of its line. Milliseconds. */
const reportMs = 250

export interface Work {
  id: number
  /** 'Writing /home/ines/family.csv'. */
  words: string
  /** Progress: '12 MB'. */
  progress: string
  /** Ends it and removes incomplete files. */
  stop(): void
  /** True: completed; false: failed or stopped. */
  ended: Promise<boolean>
}

/** `onChange` gets all running work, oldest first, whenever that changes. */
export function createWorks(onChange: (works: readonly Work[]) => void) {
  let works: readonly Work[] = []
  let next = 1

  function change(now: readonly Work[]) {
    works = now
    onChange(works)
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
    change([...works, { id, words, progress: '', stop, ended }])
    let reportedAt = Number.NEGATIVE_INFINITY
    const report = (progress: string) => {
      if (performance.now() - reportedAt < reportMs) return
      reportedAt = performance.now()
      change(works.map(one => (one.id === id ? { ...one, progress } : one)))
    }
    let isDone = false
    try {
      const result = await work({ signal: stopper.signal, report })
      isDone = true
      return result
    } finally {
      change(works.filter(one => one.id !== id))
      resolve(isDone)
    }
  }
}
