/** Drags a sheet down by its head; dragging far or fast enough closes it. */
import { type PointerEvent, type RefObject, useRef } from 'react'

export function useDragDown(sheet: RefObject<HTMLElement | null>, onClose: () => void) {
  const start = useRef<{ y: number; at: number } | null>(null)
  const move = (distance: number, settle: boolean) => {
    const { current } = sheet
    if (current === null) return
    current.style.transition = settle ? 'transform 160ms var(--ease-out)' : 'none'
    current.style.transform = distance === 0 ? '' : `translateY(${distance}px)`
  }
  const end = (event: PointerEvent) => {
    const { current } = start
    start.current = null
    if (current === null) return
    const distance = event.clientY - current.y
    const speed = distance / Math.max(1, event.timeStamp - current.at)
    if (distance > 120 || (distance > 24 && speed > 0.5)) onClose()
    else move(0, true)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.target instanceof Element && event.target.closest('button') !== null) return
      start.current = { y: event.clientY, at: event.timeStamp }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent) => {
      if (start.current !== null) move(Math.max(0, event.clientY - start.current.y), false)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
