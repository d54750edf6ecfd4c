/** Toasts: short messages that close by themselves after a while, or stay until they are closed. */
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

  /** Held while the pointer or the focus is on it; released, its time starts again. */
  function hold(id: number, isHeld: boolean): void {
    clearTimeout(timers.get(id))
    const toast = list.peek().find(one => one.id === id)
    const ms = toast === undefined ? null : lifetime(toast)
    if (ms !== null && !isHeld) timers.set(id, setTimeout(close, ms, id))
  }

  /** Shows a toast; one that is the same is replaced where it is, and its time starts again. */
  function show(toast: T, isSame: (shown: T) => boolean = () => false): void {
    const known = list.peek().find(isSame)
    const next = { ...toast, id: known?.id ?? ++lastId }
    list.value = known === undefined ? [...list.peek(), next] : list.peek().map(one => (one === known ? next : one))
    hold(next.id, false)
  }

  /** Closes all, or those that match. */
  function closeAll(matches: (toast: T) => boolean = () => true): void {
    for (const toast of list.peek()) if (matches(toast)) close(toast.id)
  }

  return { list, show, hold, close, closeAll }
}
