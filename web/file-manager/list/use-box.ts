/** Draws a selection box with the mouse; near an edge, the list scrolls on. */
import { type PointerEvent, type RefObject, useRef, useState } from 'react'
import type { EntryChoice } from './choosing.ts'
import { noChoice, withBox } from './choosing.ts'
import { type Layout, type SelectionBox, touchedBy } from './rows-in-view.ts'

/** Pixels that the mouse must move before a press becomes a box. */
const dragPx = 4
/** The list scrolls while the mouse is within these pixels of its upper or lower edge, or beyond. */
const edgePx = 32
/** Pixels that the list scrolls per frame. */
const scrollPx = 14

interface Point {
  x: number
  y: number
}

/** Position of the pointer in the scrolled content, from its inline start. */
function pointIn(scroller: HTMLElement, at: Point, rtl: boolean): Point {
  const { left, right, top } = scroller.getBoundingClientRect()
  return { x: rtl ? right - at.x : at.x - left, y: at.y - top + scroller.scrollTop }
}

const boxOf = (a: Point, b: Point): SelectionBox => ({
  left: Math.min(a.x, b.x),
  right: Math.max(a.x, b.x),
  top: Math.min(a.y, b.y),
  bottom: Math.max(a.y, b.y),
})

export function useSelectionBox(
  scroller: RefObject<HTMLElement | null>,
  rtl: boolean,
  { layout, read, write }: { layout: () => Layout; read: () => EntryChoice; write: (choice: EntryChoice) => void },
) {
  const [box, setBox] = useState<SelectionBox | null>(null)
  const wasDrawn = useRef(false)

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    wasDrawn.current = false
    const root = scroller.current
    const { target } = event
    if (root === null || event.button !== 0 || event.pointerType !== 'mouse' || !(target instanceof Element)) return
    // No box starts on a name or picture, which are draggable, or on the scrollbar.
    if (target.closest('[data-grab]') !== null || event.clientX > root.getBoundingClientRect().left + root.clientWidth)
      return
    const start = pointIn(root, { x: event.clientX, y: event.clientY }, rtl)
    const ctrl = event.ctrlKey || event.metaKey
    const before = ctrl ? read() : noChoice
    let last: Point = { x: event.clientX, y: event.clientY }
    let frame = 0

    const draw = () => {
      const next = boxOf(start, pointIn(root, last, rtl))
      if (!wasDrawn.current && next.right - next.left < dragPx && next.bottom - next.top < dragPx) return
      wasDrawn.current = true
      setBox(next)
      write(withBox(before, touchedBy(layout(), next), { ctrl }))
    }
    const step = () => {
      const { top, bottom } = root.getBoundingClientRect()
      const by = last.y < top + edgePx ? -scrollPx : last.y > bottom - edgePx ? scrollPx : 0
      if (wasDrawn.current && by !== 0) {
        root.scrollTop += by
        draw()
      }
      frame = requestAnimationFrame(step)
    }
    const onMove = (moved: globalThis.PointerEvent) => {
      last = { x: moved.clientX, y: moved.clientY }
      draw()
    }
    const stop = new AbortController()
    const onEnd = () => {
      stop.abort()
      cancelAnimationFrame(frame)
      setBox(null)
    }
    const { signal } = stop
    addEventListener('pointermove', onMove, { signal })
    addEventListener('pointerup', onEnd, { signal })
    addEventListener('pointercancel', onEnd, { signal })
    addEventListener('dragstart', onEnd, { signal })
    frame = requestAnimationFrame(step)
  }

  return { box, onPointerDown, wasDrawn }
}
