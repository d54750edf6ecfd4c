/** Work before a key's question: keys typed meanwhile go to that question, not to the list below. */
import { Failure } from '../schema/errors.ts'

/** Shorter work is not announced. Milliseconds. */
const noticeMs = 150

/** Keys wait for this. */
export interface Hold {
  /** Resolves when it is over, whatever became of it. */
  over: Promise<unknown>
  giveUp(): void
}

/** `onTold` gets the description of the work when it takes long, and null when it is over. */
export function createPatience(onNotice: (words: string | null) => void) {
  let hold: Hold | null = null
  return {
    /** The work that keys wait for. */
    keysWaitFor: (): Hold | null => hold,
    /** Returns the result of `work`; throws its error, and `interrupted` where it was given up. One at a time. */
    async patiently<T>(words: string, work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const own: Hold = {
        over: promise.catch(() => {}),
        giveUp: () => reject(new Failure('interrupted', 'Nothing was changed.')),
      }
      hold = own
      const timer = setTimeout(() => onNotice(words), noticeMs)
      try {
        work().then(resolve, reject)
        return await promise
      } finally {
        clearTimeout(timer)
        if (hold === own) {
          hold = null
          onNotice(null)
        }
      }
    },
  }
}
