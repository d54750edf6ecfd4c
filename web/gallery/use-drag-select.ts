/** Selects by touch: a long press on a card selects it, and dragging from there selects a range. */
import { type RefObject, useEffect } from 'react'
import { itemAt } from '../items/items.ts'
import { openItemMenu } from '../items/selection/item-menu-state.ts'
import { isSelected, selecting, selectRange, toggle } from '../items/selection/selection.ts'

/** Milliseconds after which a press is long. */
const longPressMs = 450
/** Pixels that the finger may move during a long press. */
const maxMove = 10
/** Height in pixels of the areas at the top and bottom in which a drag scrolls the gallery. */
const edge = 80
/** Maximum number of pixels that a drag scrolls per frame. */
const maxScroll = 18

/** A press, and the drag that may follow. */
interface Drag {
  /** Index of the pressed card. */
  index: number
  /** Position of the finger in the window. */
  x: number
  y: number
  /** Whether the press was long, so that dragging selects. */
  selects: boolean
  /** Index of the card up to which cards are selected. */
  lastIndex: number
}

/** Index of the card at a point of the window; null if there is none. */
function indexAt(x: number, y: number): number | null {
  const card = document.elementFromPoint(x, y)?.closest('.card-pic')?.querySelector<HTMLElement>('[data-index]')
  return card === null || card === undefined ? null : Number(card.dataset.index)
}

function createDrag(root: HTMLElement) {
  let drag: Drag | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  /** Whether the last press was long, so that its click is ignored. */
  let wasLongPress = false

  function selectUpToFinger(): void {
    if (drag === null) return
    const index = indexAt(drag.x, drag.y)
    if (index === null || index === drag.lastIndex) return
    drag.lastIndex = index
    void selectRange(index)
  }

  function scrollAtEdges(): void {
    frame = 0
    if (drag?.selects !== true) return
    const { top, bottom } = root.getBoundingClientRect()
    const intoEdge = drag.y < top + edge ? drag.y - top - edge : drag.y > bottom - edge ? drag.y - bottom + edge : 0
    if (intoEdge !== 0) {
      root.scrollBy(0, Math.max(-maxScroll, Math.min(maxScroll, (intoEdge / edge) * maxScroll)))
      selectUpToFinger()
    }
    frame = requestAnimationFrame(scrollAtEdges)
  }

  function onLongPress(): void {
    if (drag === null) return
    const item = itemAt(drag.index)
    if (item === undefined) return
    wasLongPress = true
    navigator.vibrate?.(12)
    // A long press on a selected card opens its menu.
    if (selecting.peek() && isSelected(item.id)) {
      openItemMenu(item, { x: drag.x, y: drag.y, width: 0, height: 0 })
      drag = null
      return
    }
    toggle(item, drag.index)
    drag.selects = true
    drag.lastIndex = drag.index
    frame = requestAnimationFrame(scrollAtEdges)
  }

  function end(event: Event): void {
    const { target } = event
    target?.removeEventListener('touchmove', move)
    target?.removeEventListener('touchend', end)
    target?.removeEventListener('touchcancel', end)
    stop()
    // Suppresses the click, which would deselect the card.
    if (wasLongPress && event.type === 'touchend') event.preventDefault()
  }

  function move(event: Event): void {
    if (!(event instanceof TouchEvent)) return
    const [touch] = event.touches
    if (drag === null || touch === undefined) return
    if (drag.selects) {
      event.preventDefault()
      drag.x = touch.clientX
      drag.y = touch.clientY
      selectUpToFinger()
    } else if (Math.hypot(touch.clientX - drag.x, touch.clientY - drag.y) > maxMove) stop()
  }

  function stop(): void {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    drag = null
  }

  return {
    start(event: TouchEvent) {
      stop()
      wasLongPress = false
      const [touch] = event.touches
      if (touch === undefined || event.touches.length > 1) return
      const index = indexAt(touch.clientX, touch.clientY)
      if (index === null) return
      drag = { index, x: touch.clientX, y: touch.clientY, selects: false, lastIndex: index }
      timer = setTimeout(onLongPress, longPressMs)
      // Listeners of the card itself get the events even after it was scrolled away and removed from the page.
      event.target?.addEventListener('touchmove', move, { passive: false })
      event.target?.addEventListener('touchend', end)
      event.target?.addEventListener('touchcancel', end)
    },
    stop,
  }
}

/** An empty listener: `move` is added during a touch, and can prevent scrolling only if there was a listener before. */
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
