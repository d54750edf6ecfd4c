/** The height of an element, followed, as a variable of the stylesheets: what floats keeps above it. */
import { type RefCallback, useCallback } from 'react'

export function useHeight(variable: `--${string}`): RefCallback<HTMLElement> {
  return useCallback(
    element => {
      if (element === null) return
      const { style } = document.documentElement
      const observer = new ResizeObserver(() => style.setProperty(variable, `${element.offsetHeight}px`))
      observer.observe(element)
      return () => {
        observer.disconnect()
        style.removeProperty(variable)
      }
    },
    [variable],
  )
}
