/** How much that keeps a disk busy for a long time is done at once: archives, dry runs. */
import { Failure } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'

export interface Turns {
  /** Takes a turn (429 where there is none) and answers how to give it back. */
  begin(userId: number): () => void
}

/** Turns of one kind; `refusal`: what is said where there is none. */
export function createTurns(refusal: string): Turns {
  const running = new Map<number, number>()
  return {
    begin(userId) {
      const own = running.get(userId) ?? 0
      const all = [...running.values()].reduce((sum, n) => sum + n, 0)
      if (own >= limits.downloadsOfOne || all >= limits.downloadsOfAll) {
        throw new Failure('tooMany', refusal, { retryAfter: 30 })
      }
      running.set(userId, own + 1)
      let done = false
      return () => {
        if (done) return
        done = true
        running.set(userId, (running.get(userId) ?? 1) - 1)
      }
    },
  }
}

/** An archive as a body that gives the turn back when it ends, however it ends: `end` is told how many bytes were sent. */
export function bodyWithTurn(
  archive: ReadableStream<Uint8Array>,
  end: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = archive.getReader()
  let bytes = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read()
        if (done) {
          end(bytes)
          controller.close()
        } else {
          bytes += value.length
          controller.enqueue(value)
        }
      } catch (error) {
        end(bytes)
        throw error
      }
    },
    async cancel(reason) {
      end(bytes)
      await reader.cancel(reason)
    },
  })
}
