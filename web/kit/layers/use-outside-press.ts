/** Calls back for each press outside an element, before anything else handles the press. */
import { type RefObject, useEffect, useRef } from 'react'

export function useOutsidePress(ref: RefObject<HTMLElement | null>, onPress: (target: Element) => void): void {
  const latest = useRef(onPress)
  latest.current = onPress
  useEffect(() => {
    const onDown = ({ target }: PointerEvent) => {
      if (target instanceof Element && ref.current?.contains(target) !== true) latest.current(target)
    }
    addEventListener('pointerdown', onDown, true)
    return () => removeEventListener('pointerdown', onDown, true)
  }, [ref])
}
