/** Checks whether the server can be reached, and notifies failed resources when it is back. */
const listeners = new Set<() => unknown>()
let checkNow: () => void = () => {}

/** Adds a listener. Returns the function that removes it. */
export function onRecovery(listener: () => unknown): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceRecovery(): void {
  for (const listener of [...listeners]) listener()
}

/** Sets the function that asks the server which jobs run, and so finds out whether it can be reached. */
export function setRecoveryCheck(check: () => void): void {
  checkNow = check
}

/** Checks now, because a job was started here or a picture could not be loaded. */
export function checkServer(): void {
  checkNow()
}
