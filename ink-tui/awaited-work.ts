/** Work before a key's question. Keys that are pressed meanwhile wait for the question and do not act on the list. */
import { Failure } from '../schema/errors.ts'

/** Milliseconds before work is announced. */
const noticeMs = 150

/** Work that keys wait for. */
export interface AwaitedWork {
  /** Resolves when the work has ended, with any result, or was cancelled. */
  ended: Promise<unknown>
  cancel(): void
}

/** `onNotice` receives the description of the work if it takes long, and null when it has ended. */
export function createAwaitedWork(onNotice: (words: string | null) => void) {
  let awaited: AwaitedWork | null = null
  return {
    /** The work that keys wait for. */
    awaitedWork: (): AwaitedWork | null => awaited,
    /** Returns the result of `work`; throws its error, or `interrupted` if the user cancelled. One at a time. */
    async runAwaited<T>(words: string, work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const current: AwaitedWork = {
        ended: promise.catch(() => {}),
        cancel: () => reject(new Failure('interrupted', 'Nothing was changed.')),
      }
      awaited = current
      const timer = setTimeout(() => onNotice(words), noticeMs)
      try {
        work().then(resolve, reject)
        return await promise
      } finally {
        clearTimeout(timer)
        if (awaited === current) {
          awaited = null
          onNotice(null)
        }
      }
    },
  }
}
