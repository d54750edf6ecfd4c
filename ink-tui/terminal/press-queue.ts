/** Handles keys one by one: each acts on the result of the one before, also when many arrive at once. */

import type { Hold } from '../patience.ts'
import type { Press } from './key-reader.ts'

/** React's update was scheduled after our task: it is done when ours runs a second time. */
function reactsTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(() => setImmediate(resolve)))
}

/** While keys wait for something, these cancel it and drop what was typed after it. */
const givesUp = new Set(['esc', 'ctrl-c'])

/** `onlyMoves`: waiting presses of this key are merged, so that it never lags. `act` runs for each; no throws. */
export function createPressQueue(
  act: (press: Press) => void,
  onlyMoves: (press: Press) => boolean = () => false,
  held: () => Hold | null = () => null,
): (press: Press) => void {
  const waiting: Press[] = []
  let isBusy = false

  async function drain() {
    isBusy = true
    try {
      for (let press = waiting.shift(); press !== undefined; press = waiting.shift()) {
        let times = 1
        if (waiting[0]?.key === press.key && onlyMoves(press))
          for (; waiting[0]?.key === press.key && waiting[0].pasted !== true; times++) waiting.shift()
        act(times === 1 ? press : { ...press, times })
        await reactsTurn()
        for (let hold = held(); hold !== null; hold = held()) {
          await hold.over
          await reactsTurn()
        }
      }
    } finally {
      isBusy = false
    }
  }

  return press => {
    const hold = held()
    if (hold !== null && givesUp.has(press.key)) {
      waiting.length = 0
      return hold.giveUp()
    }
    waiting.push(press)
    if (!isBusy) void drain()
  }
}
