/** A set of listeners. */
export function createListeners<A extends unknown[]>() {
  const listeners = new Set<(...told: A) => void>()
  return {
    /** Adds a listener; returns the function that removes it. */
    add(listener: (...told: A) => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    tell(...told: A) {
      for (const listener of [...listeners]) listener(...told)
    },
    clear: () => listeners.clear(),
  }
}
