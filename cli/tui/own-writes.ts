/** What this program itself writes: steps of the history that `z` takes back, and whether a write waits for another process. */
import type { WritesListener } from '../../core/kernel/database/database.ts'
import { createListeners } from '../../ink-tui/listeners.ts'
import type { OwnStep, TuiSession } from '../../ink-tui/session.ts'

const most = 200

export interface OwnWrites {
  /** Given to the library when it is opened. */
  listener: WritesListener
  writes: TuiSession['writes']
}

export function createOwnWrites(): OwnWrites {
  const steps: OwnStep[] = []
  const listeners = createListeners<[]>()
  let isWaiting = false
  return {
    listener: {
      waiting(is) {
        isWaiting = is
        listeners.tell()
      },
      step(step, job) {
        if (steps.some(one => one.step === step)) return
        steps.unshift({ step, job: job ?? null })
        if (steps.length > most) steps.pop()
      },
    },
    writes: {
      waiting: () => isWaiting,
      follow: listeners.add,
      steps: () => steps,
    },
  }
}
