/** Handles keys one by one: each acts on the result of the previous one, even if many arrive at once. */

import type { AwaitedWork } from '../awaited-work.ts'
import type { Press } from './key-reader.ts'

/** While keys wait for work, these keys cancel it and drop the waiting keys. */
const cancelKeys = new Set(['esc', 'ctrl-c'])

/** Waits for two turns of the event loop, because an action may open a prompt only after its first promises. */
function waitTwoTurns(): Promise<void> {
  return new Promise(resolve => setImmediate(() => setImmediate(resolve)))
}

interface QueueParts {
  /** Called for each press; must not throw. */
  act: (press: Press) => void
  /** Whether waiting presses of this key may be merged, so that handling never lags behind. */
  onlyMoves: (press: Press) => boolean
  awaitedWork: () => AwaitedWork | null
  /** Resolves when React has rendered the press's changes and run their effects. */
  rendered: () => Promise<void>
}

export function createPressQueue({ act, onlyMoves, awaitedWork, rendered }: QueueParts): (press: Press) => void {
  const waiting: Press[] = []
  let isBusy = false

  async function untilRendered() {
    await waitTwoTurns()
    await rendered()
  }

  async function drain() {
    isBusy = true
    try {
      for (let press = waiting.shift(); press !== undefined; press = waiting.shift()) {
        let times = 1
        if (waiting[0]?.key === press.key && onlyMoves(press))
          for (; waiting[0]?.key === press.key && waiting[0].pasted !== true; times++) waiting.shift()
        act(times === 1 ? press : { ...press, times })
        await untilRendered()
        for (let awaited = awaitedWork(); awaited !== null; awaited = awaitedWork()) {
          await awaited.ended
          await untilRendered()
        }
      }
    } finally {
      isBusy = false
    }
  }

  return press => {
    const awaited = awaitedWork()
    if (awaited !== null && cancelKeys.has(press.key)) {
      waiting.length = 0
      return awaited.cancel()
    }
    waiting.push(press)
    if (!isBusy) void drain()
  }
}
