/** Checks whether the server can be reached, and tells failed resources when it can again. */
const listeners = new Set<() => void>()
let checkNow: () => void = () => {}

/** Returns the function that removes the listener. */
export function onRecovery(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceRecovery(): void {
  for (const listener of [...listeners]) listener()
}

/** `check` asks the server whether it can be reached, and which jobs run. */
export function onCheck(check: () => void): void {
  checkNow = check
}

/** Checks now: a job was started here, or a picture could not be loaded. */
export function checkServer(): void {
  checkNow()
}
