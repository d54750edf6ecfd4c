/** A set of listeners. */
export function createListeners<A extends unknown[]>() {
  const listeners = new Set<(...values: A) => void>()
  return {
    /** Adds a listener; returns the function that removes it. */
    add(listener: (...values: A) => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    notify(...values: A) {
      for (const listener of [...listeners]) listener(...values)
    },
    clear: () => listeners.clear(),
  }
}
