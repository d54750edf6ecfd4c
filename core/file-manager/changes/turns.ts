/** Yields to other work while a long list is processed. */

const turnMs = 10

/** Returns a function to call between small pieces of work; it yields only after enough time has passed. */
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
