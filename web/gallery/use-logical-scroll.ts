/** Scrolls through content of any length with a native scroller; the arithmetic is in logical-scroll.ts. */
import { type ReadonlySignal, signal } from '@preact/signals-react'
import { type RefObject, useEffect, useRef } from 'react'
import { type Extent, lastPosition, needsRecentring, placementOf, positionOf } from './logical-scroll.ts'

/** Scrolling has stopped when there was no event for this many milliseconds. */
const restMs = 150

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
  /** Scrolls to a position at once. */
  jump: (position: number) => void
  /** Sets new heights, and scrolls to `position`. */
  fit: (extent: Extent, position?: number) => void
}

interface ScrollState {
  extent: Extent
  offset: number
  /** When the scroller moved last. */
  movedAt: number
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Stops the momentum of scrolling, which would continue after a jump. */
function halt(root: HTMLElement | null): void {
  if (root === null) return
  root.style.overflowY = 'hidden'
  // The browser applies this at the next layout.
  root.getBoundingClientRect()
  root.style.overflowY = ''
}

function createScroll(element: () => HTMLElement | null, onMove: (fitting: boolean) => void, onRest: () => void) {
  const state: ScrollState = { extent: { content: 0, view: 0 }, offset: 0, movedAt: 0, timer: undefined }
  const current = signal<ScrollPlace>({ position: 0, last: 0, offset: 0, speed: 0 })

  function publish(position: number, speed: number, fitting = false): void {
    current.value = { position, last: lastPosition(state.extent), offset: state.offset, speed }
    onMove(fitting)
  }

  /** Scrolls to a position, in the middle of the spacer if possible. Browsers round scrollTop, so it is read back. */
  function scrollTo(position: number, speed: number, fitting = false): void {
    const root = element()
    const wanted = placementOf(position, state.extent)
    state.offset = wanted.offset
    if (root !== null) root.scrollTop = wanted.scrollTop
    publish(
      positionOf({ offset: state.offset, scrollTop: root?.scrollTop ?? wanted.scrollTop }, state.extent),
      speed,
      fitting,
    )
  }

  function onStop(): void {
    const { position } = current.value
    if (placementOf(position, state.extent).offset !== state.offset) scrollTo(position, 0)
    else if (current.value.speed !== 0) publish(position, 0)
    onRest()
  }

  return {
    place: current,
    jump(position: number) {
      clearTimeout(state.timer)
      if (current.value.speed !== 0) halt(element())
      scrollTo(position, 0)
      state.timer = setTimeout(onStop, restMs)
    },
    fit(extent: Extent, position = current.value.position) {
      state.extent = extent
      scrollTo(position, 0, true)
    },
    onScroll() {
      const root = element()
      if (root === null) return
      const where = { offset: state.offset, scrollTop: root.scrollTop }
      const position = positionOf(where, state.extent)
      const time = performance.now()
      const moved = position - current.value.position
      const speed = moved / Math.max(8, time - state.movedAt)
      state.movedAt = time
      clearTimeout(state.timer)
      state.timer = setTimeout(onStop, restMs)
      // Our own scrolling also causes an event, which does not count as movement.
      if (Math.abs(moved) < 0.5) return
      if (needsRecentring(where, state.extent)) scrollTo(position, speed)
      else publish(position, speed)
    },
    stop: () => clearTimeout(state.timer),
  }
}

/**
 * `onMove` is called after each move. `fitting`: the move was caused by `fit`, so React is rendering already; otherwise the
 * callback must render at once, in the same frame. `onRest` is called when scrolling has stopped.
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
