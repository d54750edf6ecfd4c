/** Lets others have their turn while a long list is made. */

const turnMs = 10

/** A function to call between two small pieces of work: it waits only when others have waited long enough. */
export function createTurns(signal?: AbortSignal): () => Promise<void> {
  let last = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - last <= turnMs) return
    await new Promise(resolve => setImmediate(resolve))
    signal?.throwIfAborted()
    last = performance.now()
  }
}
