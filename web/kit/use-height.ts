/** Writes the height of an element to a CSS variable, so that floating elements stay above it. */
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
