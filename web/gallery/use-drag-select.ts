/** Selects by touch: a long press on a card selects it, and dragging on selects more. */
import { type RefObject, useEffect } from 'react'
import { itemAt } from '../items/items.ts'
import { openItemMenu } from '../items/selection/item-menu-state.ts'
import { isSelected, selecting, selectRange, toggle } from '../items/selection/selection.ts'

/** Milliseconds of a long press. */
const restFor = 450
/** Pixels that the finger may move during a long press. */
const maxStray = 10
/** Height in pixels of the areas at the top and bottom in which dragging scrolls. */
const edge = 80
/** Maximum number of pixels that dragging scrolls per frame. */
const fastest = 18

interface Drag {
  index: number
  x: number
  y: number
  /** Whether a card was long-pressed, so that cards under the finger are selected. */
  selects: boolean
  last: number
}

function indexAt(x: number, y: number): number | null {
  const card = document.elementFromPoint(x, y)?.closest('.card-pic')?.querySelector<HTMLElement>('[data-index]')
  return card === null || card === undefined ? null : Number(card.dataset.index)
}

function createDrag(root: HTMLElement) {
  let drag: Drag | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  /** Whether the press was long, so that its click is ignored. */
  let acted = false

  function reach(): void {
    if (drag === null) return
    const index = indexAt(drag.x, drag.y)
    if (index === null || index === drag.last) return
    drag.last = index
    void selectRange(index)
  }

  function glide(): void {
    frame = 0
    if (drag?.selects !== true) return
    const { top, bottom } = root.getBoundingClientRect()
    const beyond = drag.y < top + edge ? drag.y - top - edge : drag.y > bottom - edge ? drag.y - bottom + edge : 0
    if (beyond !== 0) {
      root.scrollBy(0, Math.max(-fastest, Math.min(fastest, (beyond / edge) * fastest)))
      reach()
    }
    frame = requestAnimationFrame(glide)
  }

  function rested(): void {
    if (drag === null) return
    const item = itemAt(drag.index)
    if (item === undefined) return
    acted = true
    navigator.vibrate?.(12)
    // A long press on a selected card opens its menu.
    if (selecting.peek() && isSelected(item.id)) {
      openItemMenu(item, { x: drag.x, y: drag.y, width: 0, height: 0 })
      drag = null
      return
    }
    toggle(item, drag.index)
    drag.selects = true
    drag.last = drag.index
    frame = requestAnimationFrame(glide)
  }

  function end(event: Event): void {
    const { target } = event
    target?.removeEventListener('touchmove', move)
    target?.removeEventListener('touchend', end)
    target?.removeEventListener('touchcancel', end)
    stop()
    // Suppress the following click, which would undo the selection.
    if (acted && event.type === 'touchend') event.preventDefault()
  }

  function move(event: Event): void {
    if (!(event instanceof TouchEvent)) return
    const [touch] = event.touches
    if (drag === null || touch === undefined) return
    if (drag.selects) {
      event.preventDefault()
      drag.x = touch.clientX
      drag.y = touch.clientY
      reach()
    } else if (Math.hypot(touch.clientX - drag.x, touch.clientY - drag.y) > maxStray) stop()
  }

  function stop(): void {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    drag = null
  }

  return {
    start(event: TouchEvent) {
      stop()
      acted = false
      const [touch] = event.touches
      if (touch === undefined || event.touches.length > 1) return
      const index = indexAt(touch.clientX, touch.clientY)
      if (index === null) return
      drag = { index, x: touch.clientX, y: touch.clientY, selects: false, last: index }
      timer = setTimeout(rested, restFor)
      // The touched card may be scrolled out of the page meanwhile, but its own listeners still get the events.
      event.target?.addEventListener('touchmove', move, { passive: false })
      event.target?.addEventListener('touchend', end)
      event.target?.addEventListener('touchcancel', end)
    },
    stop,
  }
}

/** An empty listener: `move`, which is added during a touch, can prevent scrolling only if one was there before. */
const allowPreventing = () => {}

export function useDragSelect(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current: root } = scroller
    if (root === null) return
    const drag = createDrag(root)
    root.addEventListener('touchstart', drag.start, { passive: true })
    root.addEventListener('touchmove', allowPreventing, { passive: false })
    return () => {
      drag.stop()
      root.removeEventListener('touchstart', drag.start)
      root.removeEventListener('touchmove', allowPreventing)
    }
  }, [scroller])
}
