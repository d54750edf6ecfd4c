/** Drives a native scroller through a space of any length; see logical-scroll.ts for the arithmetic. */
import { type ReadonlySignal, signal } from '@preact/signals-react'
import { type RefObject, useEffect, useRef } from 'react'
import { type Extent, lastPosition, placementOf, positionOf, runsOut } from './logical-scroll.ts'

/** Milliseconds without events after which scrolling has stopped. */
const restAfter = 150

interface ScrollPlace {
  position: number
  /** The maximum position: the content's height minus the view's. */
  last: number
  /** The height of the content above the spacer. */
  offset: number
  /** Pixels per millisecond, positive downwards; 0 at rest. */
  speed: number
}

export interface LogicalScroll {
  place: ReadonlySignal<ScrollPlace>
  jump: (position: number) => void
  /** Sets new heights, and the position that is shown then. */
  fit: (extent: Extent, position?: number) => void
}

interface Held {
  extent: Extent
  offset: number
  movedAt: number
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Stops scrolling, because the momentum would move away from a jump's target. */
function halt(root: HTMLElement | null): void {
  if (root === null) return
  root.style.overflowY = 'hidden'
  // The browser applies this at the next layout.
  root.getBoundingClientRect()
  root.style.overflowY = ''
}

function createScroll(element: () => HTMLElement | null, onMove: (fitting: boolean) => void, onRest: () => void) {
  const held: Held = { extent: { content: 0, view: 0 }, offset: 0, movedAt: 0, timer: undefined }
  const current = signal<ScrollPlace>({ position: 0, last: 0, offset: 0, speed: 0 })

  function publish(position: number, speed: number, fitting = false): void {
    current.value = { position, last: lastPosition(held.extent), offset: held.offset, speed }
    onMove(fitting)
  }

  /** Moves the scroller to a position. Browsers round scrollTop, so the result is read back. */
  function put(position: number, speed: number, fitting = false): void {
    const root = element()
    const wanted = placementOf(position, held.extent)
    held.offset = wanted.offset
    if (root !== null) root.scrollTop = wanted.scrollTop
    publish(
      positionOf({ offset: held.offset, scrollTop: root?.scrollTop ?? wanted.scrollTop }, held.extent),
      speed,
      fitting,
    )
  }

  function rest(): void {
    const { position } = current.value
    if (placementOf(position, held.extent).offset !== held.offset) put(position, 0)
    else if (current.value.speed !== 0) publish(position, 0)
    onRest()
  }

  return {
    place: current,
    jump(position: number) {
      clearTimeout(held.timer)
      if (current.value.speed !== 0) halt(element())
      put(position, 0)
      held.timer = setTimeout(rest, restAfter)
    },
    fit(extent: Extent, position = current.value.position) {
      held.extent = extent
      put(position, 0, true)
    },
    onScroll() {
      const root = element()
      if (root === null) return
      const where = { offset: held.offset, scrollTop: root.scrollTop }
      const position = positionOf(where, held.extent)
      const time = performance.now()
      const moved = position - current.value.position
      const speed = moved / Math.max(8, time - held.movedAt)
      held.movedAt = time
      clearTimeout(held.timer)
      held.timer = setTimeout(rest, restAfter)
      // Our own scrolling also causes an event, which does not count as movement.
      if (Math.abs(moved) < 0.5) return
      if (runsOut(where, held.extent)) put(position, speed)
      else publish(position, speed)
    },
    stop: () => clearTimeout(held.timer),
  }
}

/**
 * `onMove` is called after each move. If `fitting` is true, React renders anyway, because `fit` caused the move; if
 * not, the caller must render at once, in the same frame. `onRest` is called when scrolling has stopped.
 */
export function useLogicalScroll(
  scroller: RefObject<HTMLElement | null>,
  onMove: (fitting: boolean) => void,
  onRest: () => void,
): LogicalScroll {
  const latest = useRef({ onMove, onRest })
  latest.current = { onMove, onRest }
  const ref = useRef<ReturnType<typeof createScroll> | null>(null)
  ref.current ??= createScroll(
    () => scroller.current,
    fitting => latest.current.onMove(fitting),
    () => latest.current.onRest(),
  )
  const scroll = ref.current
  useEffect(() => {
    const root = scroller.current
    root?.addEventListener('scroll', scroll.onScroll, { passive: true })
    return () => {
      root?.removeEventListener('scroll', scroll.onScroll)
      scroll.stop()
    }
  }, [scroller, scroll])
  return scroll
}
