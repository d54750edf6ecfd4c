/** What this program does itself and nobody goes on with after it, as exports: the footer tells of it, and who leaves is asked. */
import { Failure } from '../schema/errors.ts'

/** A line that grows with every piece would be drawn all the time. Milliseconds. */
const toldMs = 250

export interface Work {
  id: number
  /** 'Writing /home/ines/family.csv'. */
  words: string
  /** How far it is: '12 MB'. */
  far: string
  /** Ends it; it leaves nothing that is half written. */
  stop(): void
  /** True: it was done; false: it failed or was stopped. */
  ended: Promise<boolean>
}

/** `onChange` gets all that is under way, oldest first, whenever that changes. */
export function createWorks(onChange: (works: readonly Work[]) => void) {
  let works: readonly Work[] = []
  let next = 1

  function change(now: readonly Work[]) {
    works = now
    onChange(works)
  }

  /**
   * Does the work, which can be ended and reports its progress, and returns its result; throws what it throws, and
   * `interrupted` where it was stopped.
   */
  return async function during<T>(
    words: string,
    work: (place: { signal: AbortSignal; tell: (far: string) => void }) => Promise<T>,
  ): Promise<T> {
    const id = next++
    const stopper = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<boolean>()
    const stop = () => stopper.abort(new Failure('interrupted', `${words}: stopped.`))
    change([...works, { id, words, far: '', stop, ended }])
    let toldAt = Number.NEGATIVE_INFINITY
    const report = (far: string) => {
      if (performance.now() - toldAt < toldMs) return
      toldAt = performance.now()
      change(works.map(one => (one.id === id ? { ...one, far } : one)))
    }
    let isDone = false
    try {
      const answer = await work({ signal: stopper.signal, tell: report })
      isDone = true
      return answer
    } finally {
      change(works.filter(one => one.id !== id))
      resolve(isDone)
    }
  }
}
