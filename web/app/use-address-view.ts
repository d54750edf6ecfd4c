/** The view in a screen's address; while the viewer is open over the screen, the view before that. */
import { useRef } from 'react'
import { address, go } from './address.ts'

/** `write`: returns the parameters of a view; default values are omitted (''). Reads signals. */
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
