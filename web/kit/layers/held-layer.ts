/** A layer of a component that does not know the page: Back closes it, all other keys are its own. */
import { useCallback, useEffect, useRef } from 'react'
import { enterLayer, leaveLayer, newLayerId } from './use-layer.ts'

/** Returns a function that sets how to close the layer, null when there is none. */
export function useHeldLayer(): (close: (() => void) | null) => void {
  const held = useRef<number | null>(null)
  const report = useCallback((close: (() => void) | null) => {
    if (held.current !== null) leaveLayer(held.current)
    held.current = null
    if (close === null) return
    held.current = newLayerId()
    enterLayer({ id: held.current, steps: 1, keeps: true, close })
  }, [])
  useEffect(() => () => report(null), [report])
  return report
}
