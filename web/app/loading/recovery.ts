/** Checks whether the server can be reached, and tells what has failed when it can again. */
const listeners = new Set<() => void>()
let checkNow: () => void = () => {}

/** Returns the function that ends it. */
export function onRecovery(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceRecovery(): void {
  for (const listener of [...listeners]) listener()
}

/** `check` asks the server whether it can be reached, and what work is going on. */
export function onCheck(check: () => void): void {
  checkNow = check
}

/** Asks the server now: a job was started here, or something could not be loaded and nobody knows why. */
export function checkServer(): void {
  checkNow()
}
