/** Spreads the requests of visitors over turns of the event loop. */

/** Waiting requests, first come, first served. */
const waiting: (() => void)[] = []

function startNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startNext)
}

/**
 * Resolves when a visitor's request may start: one in each turn of the event loop, so that a signed-in user's request
 * waits for at most one of them, however many come at once. Without a flood this takes microseconds.
 */
export function visitorTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(startNext)
  })
}
