/** Data of the signed-in user, dropped when they leave, so that the next user does not see them. */
import { type Signal, signal } from '@preact/signals-react'

const resets = new Set<() => void>()
let version = 0

/** Changes when a user leaves; responses to earlier requests belong to that user. */
export const userVersion = () => version

/** Calls `reset` when the user has signed out, or another one has signed in. */
export function onUserLeft(reset: () => void): void {
  resets.add(reset)
}

/** A signal that returns to its initial value when the user leaves. */
export function userSignal<T>(initial: T): Signal<T> {
  const value = signal(initial)
  onUserLeft(() => {
    value.value = initial
  })
  return value
}

/** Called by the session when the user leaves. */
export function dropUserData(): void {
  version++
  for (const reset of resets) reset()
}
