/** Keys one after the other: the next one acts on what the one before it has made, also when many come in one piece. */

import type { Hold } from '../patience.ts'
import type { Press } from './key-reader.ts'

/** React's turn was requested after ours: it is over when ours comes a second time. */
function reactsTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(() => setImmediate(resolve)))
}

/** While keys wait for something these give it up, and what was typed behind it. */
const givesUp = new Set(['esc', 'ctrl-c'])

/**
 * `onlyMoves`: presses of this key that wait are taken as one, so that a held key never runs behind the hand. `act` must not
 * throw; it runs for each, and what it has changed is there when the next one comes.
 */
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
