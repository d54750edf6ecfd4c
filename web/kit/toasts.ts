/** Toasts: short messages that close automatically after a while, or stay until the user closes them. */
import { signal } from '@preact/signals-react'

/** `lifetime`: milliseconds until a toast closes; null: it stays. */
export function createToasts<T extends object>(lifetime: (toast: T) => number | null) {
  const list = signal<readonly (T & { id: number })[]>([])
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  let lastId = 0

  function close(id: number): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
    list.value = list.peek().filter(toast => toast.id !== id)
  }

  /** Pauses a toast's time while the pointer or the focus is on the toast. Afterwards the time restarts. */
  function hold(id: number, isHeld: boolean): void {
    clearTimeout(timers.get(id))
    const toast = list.peek().find(one => one.id === id)
    const ms = toast === undefined ? null : lifetime(toast)
    if (ms !== null && !isHeld) timers.set(id, setTimeout(close, ms, id))
  }

  /** Shows a toast; if the same toast is shown already, replaces it in place and restarts its time. */
  function show(toast: T, isSame: (shown: T) => boolean = () => false): void {
    const known = list.peek().find(isSame)
    const next = { ...toast, id: known?.id ?? ++lastId }
    list.value = known === undefined ? [...list.peek(), next] : list.peek().map(one => (one === known ? next : one))
    hold(next.id, false)
  }

  /** Closes all toasts, or those that match. */
  function closeAll(matches: (toast: T) => boolean = () => true): void {
    for (const toast of list.peek()) if (matches(toast)) close(toast.id)
  }

  return { list, show, hold, close, closeAll }
}
