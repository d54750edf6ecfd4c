/** Handles keys one by one: each acts on the result of the previous one, even if many arrive at once. */

import type { AwaitedWork } from '../patience.ts'
import type { Press } from './key-reader.ts'

/** While keys wait for work, these keys cancel it and drop the waiting keys. */
const givesUp = new Set(['esc', 'ctrl-c'])

/** Time for an action to continue after its first promises, because it may open a prompt only then. */
function twoTurns(): Promise<void> {
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

export function createPressQueue({ act, onlyMoves, awaitedWork: held, rendered }: QueueParts): (press: Press) => void {
  const waiting: Press[] = []
  let isBusy = false

  async function untilRendered() {
    await twoTurns()
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
        for (let awaited = held(); awaited !== null; awaited = held()) {
          await awaited.ended
          await untilRendered()
        }
      }
    } finally {
      isBusy = false
    }
  }

  return press => {
    const awaited = held()
    if (awaited !== null && givesUp.has(press.key)) {
      waiting.length = 0
      return awaited.giveUp()
    }
    waiting.push(press)
    if (!isBusy) void drain()
  }
}
