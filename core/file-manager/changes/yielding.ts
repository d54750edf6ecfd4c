/** Yields to other work while a long list is processed. */

const turnMs = 10

/** Returns a function to call between small pieces of work. It yields only if enough time has passed since it last did. */
export function createYielder(signal?: AbortSignal): () => Promise<void> {
  let last = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - last <= turnMs) return
    await new Promise(resolve => setImmediate(resolve))
    signal?.throwIfAborted()
    last = performance.now()
  }
}
