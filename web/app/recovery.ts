/** Tells what has failed that the server is reachable again. */
const listeners = new Set<() => void>()
let suspect: () => void = () => {}

/** Returns the function that ends it. */
export function onRecovery(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceRecovery(): void {
  for (const listener of [...listeners]) listener()
}

/** `check` finds out whether the server can be reached. */
export function onSuspicion(check: () => void): void {
  suspect = check
}

/** Something could not be loaded, and nobody knows why. */
export function suspectOutage(): void {
  suspect()
}
