/**
 * What a screen shows, such as its page and order, is in its address. While the viewer, which has an address of its own,
 * is open over the screen, the screen keeps its last view.
 */
import { useRef } from 'react'
import { address, go } from './address.ts'

/** Returns the view, and a function that changes it. `write` returns a view's parameters; '' omits one. Reads signals. */
export function useAddressView<View extends { page: number }>(
  path: string,
  read: (query: URLSearchParams) => View,
  write: (view: View) => Record<string, string>,
): [View, (change: Partial<View>) => void] {
  const { path: now, search } = address.value
  const last = useRef(search)
  if (now === path) last.current = search
  const view = read(new URLSearchParams(last.current))
  const setView = (change: Partial<View>) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(write({ ...view, page: 1, ...change })))
      if (value !== '') parameters.set(name, value)
    const text = parameters.toString()
    go(`${path}${text === '' ? '' : `?${text}`}`, { replace: true })
  }
  return [view, setView]
}
