/** Keys one after the other: the next one acts on what the one before it has made, also when many come in one piece. */
import type { Press } from './key-reader.ts'

/** `act` must not throw; it runs for each, and what it has changed is there when the next one comes. */
export function createPressQueue(act: (press: Press) => void): (press: Press) => void {
  const waiting: Press[] = []
  let isBusy = false

  async function drain() {
    isBusy = true
    try {
      for (let press = waiting.shift(); press !== undefined; press = waiting.shift()) {
        act(press)
        // React's turn was asked for after ours: it is over when ours comes a second time.
        await new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)))
      }
    } finally {
      isBusy = false
    }
  }

  return press => {
    waiting.push(press)
    if (!isBusy) void drain()
  }
}
