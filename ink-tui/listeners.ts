/** Who wants to hear of something. */
export function createListeners<A extends unknown[]>() {
  const listeners = new Set<(...told: A) => void>()
  return {
    /** The listener is called until what this returns is called. */
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
