/** How much that keeps a disk busy for a long time is done at once: archives, dry runs. */
import type { Viewer } from '../core/accounts/access.ts'
import { Failure } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'

/** Takes a turn of a user (429 where there is none) and returns how to give it back. */
export type TakeTurn = ReturnType<typeof createTurns>

/** Turns of one kind; `refusal`: what is said where there is none. */
export function createTurns(refusal: string) {
  const running = new Set<{ userId: number | null }>()
  return ({ userId }: Viewer) => {
    const own = [...running].filter(turn => turn.userId === userId)
    if (own.length >= limits.downloadsOfOne || running.size >= limits.downloadsOfAll) {
      throw new Failure('tooMany', refusal, { retryAfter: 30 })
    }
    const turn = { userId }
    running.add(turn)
    return () => void running.delete(turn)
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
