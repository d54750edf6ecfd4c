/** Limits how much work that keeps a disk busy runs at once, such as archives and dry runs: each takes a slot. */
import type { Viewer } from '../core/accounts/access.ts'
import { Failure } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'

/** Takes one of a user's slots and returns the function that releases it. Throws 429 if no slot is free. */
export type TakeSlot = ReturnType<typeof createSlots>

/** Slots for one kind of work. `refusal`: the message if none is free. */
export function createSlots(refusal: string) {
  const running = new Set<{ userId: number | null }>()
  return ({ userId }: Viewer) => {
    const ofUser = [...running].filter(slot => slot.userId === userId)
    if (ofUser.length >= limits.downloadsOfOne || running.size >= limits.downloadsOfAll) {
      throw new Failure('tooMany', refusal, { retryAfter: 30 })
    }
    const slot = { userId }
    running.add(slot)
    return () => void running.delete(slot)
  }
}

/** An archive as a body that always calls `end`, which releases the slot, with the number of bytes sent. */
export function bodyWithSlot(
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
