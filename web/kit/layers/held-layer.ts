/** A layer of a part that knows no page: Back closes it as its own button does, all other keys are its own affair. */
import { useCallback, useEffect, useRef } from 'react'
import { enterLayer, leaveLayer, newLayerId } from './use-layer.ts'

/** Returns whom to tell how the layer is closed, and null when there is none. */
export function useHeldLayer(): (close: (() => void) | null) => void {
  const held = useRef<number | null>(null)
  const report = useCallback((close: (() => void) | null) => {
    if (held.current !== null) leaveLayer(held.current)
    held.current = null
    if (close === null) return
    held.current = newLayerId()
    enterLayer({ id: held.current, modal: false, steps: 1, keeps: true, close })
  }, [])
  useEffect(() => () => report(null), [report])
  return report
}
