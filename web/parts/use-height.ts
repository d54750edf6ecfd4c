/** The height of an element, followed, as a variable of the stylesheets: what floats keeps above it. */
import { type RefObject, useEffect, useRef } from 'react'

export function useHeight<Kind extends HTMLElement>(variable: `--${string}`): RefObject<Kind | null> {
  const ref = useRef<Kind>(null)
  useEffect(() => {
    const { current } = ref
    if (current === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(variable, `${current.offsetHeight}px`))
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty(variable)
    }
  }, [variable])
  return ref
}
