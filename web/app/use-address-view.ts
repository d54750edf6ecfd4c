/** The view in a screen's address. While the viewer is open and has the address, the screen keeps its last view. */
import { useRef } from 'react'
import { address, go } from './address.ts'

/** `write` returns the parameters of a view; '' leaves one out, as for default values. Reads signals. */
export function useAddressView<View extends { page: number }>(
  path: string,
  read: (query: URLSearchParams) => View,
  write: (view: View) => Record<string, string>,
): [View, (change: Partial<View>) => void] {
  const { path: now, search } = address.value
  const last = useRef(search)
  if (now === path) last.current = search
  const view = read(new URLSearchParams(last.current))
  const show = (change: Partial<View>) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(write({ ...view, page: 1, ...change })))
      if (value !== '') parameters.set(name, value)
    const text = parameters.toString()
    go(`${path}${text === '' ? '' : `?${text}`}`, { replace: true })
  }
  return [view, show]
}
