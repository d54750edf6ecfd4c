/** This program's own writes: history steps for `z`, and whether a write waits for another process. */
import type { WritesListener } from '../../core/kernel/database/database.ts'
import { createListeners } from '../listeners.ts'

const maxSteps = 200

export type OwnWrites = ReturnType<typeof createOwnWrites>

export function createOwnWrites() {
  /** `job`: the job that makes the step; null if the step was made without one, at once. */
  const steps: { step: string; job: number | null }[] = []
  const listeners = createListeners<[]>()
  let isWaiting = false
  const listener: WritesListener = {
    waiting(is) {
      isWaiting = is
      listeners.notify()
    },
    step(step, job) {
      if (steps.some(one => one.step === step)) return
      steps.unshift({ step, job: job ?? null })
      if (steps.length > maxSteps) steps.pop()
    },
  }
  return {
    listener,
    writes: {
      waiting: () => isWaiting,
      /** Subscribes to changes of `waiting()`. */
      follow: listeners.add,
      /** Steps, newest first. */
      steps: () => steps,
    },
  }
}
