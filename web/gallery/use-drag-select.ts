/** Selecting with a finger: one that rests on a card selects it, and takes with it what it is then drawn over. */
import { type RefObject, useEffect } from 'react'
import { itemAt } from '../items/items.ts'
import { openItemMenu } from '../items/selection/item-menu-state.ts'
import { isSelected, selecting, selectRange, toggle } from '../items/selection/selection.ts'

/** Milliseconds that it rests, and pixels that it may stray meanwhile. */
const restFor = 450
const strayMost = 10
/** At the scroller's edges what is beyond comes by itself: the edge's height, and pixels a frame at most. */
const edge = 80
const fastest = 18

interface Drag {
  index: number
  x: number
  y: number
  /** It has rested: what it is drawn over is selected. */
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
  /** The finger has rested: it was no press. */
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
    // Resting on one of the selected ones requests its menu.
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
    // A press would follow, and take back what resting did.
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
    } else if (Math.hypot(touch.clientX - drag.x, touch.clientY - drag.y) > strayMost) stop()
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
      // The card that was touched may be scrolled away meanwhile: then only it hears of the finger.
      event.target?.addEventListener('touchmove', move, { passive: false })
      event.target?.addEventListener('touchend', end)
      event.target?.addEventListener('touchcancel', end)
    },
    stop,
  }
}

/** Only a listener that is there before may keep the page from scrolling. */
const mayKeep = () => {}

export function useDragSelect(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current: root } = scroller
    if (root === null) return
    const drag = createDrag(root)
    root.addEventListener('touchstart', drag.start, { passive: true })
    root.addEventListener('touchmove', mayKeep, { passive: false })
    return () => {
      drag.stop()
      root.removeEventListener('touchstart', drag.start)
      root.removeEventListener('touchmove', mayKeep)
    }
  }, [scroller])
}
