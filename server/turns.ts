/** Limits work that keeps a disk busy for long: archives, dry runs. */
import type { Viewer } from '../core/accounts/access.ts'
import { Failure } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'

/** Takes one of a user's turns (429 if there is none left) and returns the function that releases it. */
export type TakeTurn = ReturnType<typeof createTurns>

/** Turns of one kind; `refusal`: the message if none is left. */
export function createTurns(refusal: string) {
  const running = new Set<{ userId: number | null }>()
  return ({ userId }: Viewer) => {
    const ofUser = [...running].filter(turn => turn.userId === userId)
    if (ofUser.length >= limits.downloadsOfOne || running.size >= limits.downloadsOfAll) {
      throw new Failure('tooMany', refusal, { retryAfter: 30 })
    }
    const turn = { userId }
    running.add(turn)
    return () => void running.delete(turn)
  }
}

/** An archive as a body that always calls `end`, which releases the turn, with the number of bytes sent. */
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
