/** A touch of 500 ms opens the context menu. */
import { type PointerEvent, useEffect, useRef } from 'react'
import { fileWidget } from '../../../schema/limits.ts'

/** Maximum distance in pixels that a finger may move. */
const maxMovePx = 10

export function useLongPress(act: (at: { x: number; y: number }, target: Element) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  /** Whether the press was long, so that the click at its end is ignored. */
  const wasLong = useRef(false)
  /** Whether a finger pressed, so that the browser's own contextmenu event must not open the menu again. */
  const isFinger = useRef(false)
  const end = () => {
    if (press.current !== null) clearTimeout(press.current.timer)
    press.current = null
  }
  useEffect(
    () => () => {
      if (press.current !== null) clearTimeout(press.current.timer)
    },
    [],
  )
  return {
    wasLong,
    isFinger,
    end,
    onPointerDown(event: PointerEvent<HTMLElement>) {
      end()
      wasLong.current = false
      isFinger.current = event.pointerType !== 'mouse'
      const { target, clientX: x, clientY: y } = event
      if (event.pointerType === 'mouse' || !(target instanceof Element)) return
      const timer = setTimeout(() => {
        press.current = null
        wasLong.current = true
        act({ x, y }, target)
      }, fileWidget.longPressMs)
      press.current = { timer, x, y }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { current } = press
      if (current !== null && Math.hypot(event.clientX - current.x, event.clientY - current.y) > maxMovePx) end()
    },
  }
}
