/** Work that a key waits for before it can ask anything: what is typed meanwhile goes to that question, not to the list below. */
import { Failure } from '../schema/errors.ts'

/** What is over sooner is not told of. Milliseconds. */
const toldMs = 150

/** Keys wait for this. */
export interface Hold {
  /** Resolves when it is over, whatever became of it. */
  over: Promise<unknown>
  giveUp(): void
}

/** `onTold` gets the words of what is waited for once that lasts, and null when it is over. */
export function createPatience(onTold: (words: string | null) => void) {
  let hold: Hold | null = null
  return {
    /** What keys wait for now. */
    keysWaitFor: (): Hold | null => hold,
    /** Returns what `work` returns; throws what it throws, and `interrupted` where it was given up. One at a time. */
    async patiently<T>(words: string, work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const own: Hold = {
        over: promise.catch(() => {}),
        giveUp: () => reject(new Failure('interrupted', 'Nothing was done.')),
      }
      hold = own
      const timer = setTimeout(() => onTold(words), toldMs)
      try {
        work().then(resolve, reject)
        return await promise
      } finally {
        clearTimeout(timer)
        if (hold === own) {
          hold = null
          onTold(null)
        }
      }
    },
  }
}
