/** Tracks the size of an element. */
import { type RefObject, useLayoutEffect, useState } from 'react'

export function useElementSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [room, setRoom] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    const measure = () => setRoom({ width: current.clientWidth, height: current.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [ref])
  return room
}
