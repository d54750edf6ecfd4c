/** Changes the height of the timeline's rows with the keys + and -, Ctrl and the wheel, or two fingers. */
import { type RefObject, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { rowHeight, rowHeights, setOptions } from '../../app/options.ts'
import { isTyping } from '../../app/use-global-keys.ts'
import { layers } from '../../kit/layers/layers.ts'
import { prefersReducedMotion } from '../../kit/viewport.ts'
import { firstVisible } from '../arrangement.ts'
import type { GridView } from '../use-grid-view.ts'

/** Pixels that the wheel must move for one step. */
const wheelStep = 60
/** Factor by which the distance of two fingers must change for one step. */
const pinchStep = 1.3

/** Chooses the next larger (1) or smaller (-1) height. */
export function stepRowHeight(by: 1 | -1): void {
  const at = rowHeights.findIndex(height => height <= rowHeight.peek())
  const next = rowHeights[at - by]
  if (next !== undefined) setOptions({ rowHeight: next })
}

/** The middle of two touches, and their distance; null if there is only one touch. */
function pinchOf({ touches }: TouchEvent): { x: number; y: number; distance: number } | null {
  const [a, b] = touches
  if (a === undefined || b === undefined) return null
  const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
  return { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, distance }
}

interface Point {
  x: number
  y: number
}

/**
 * Index of the card at a point, in pixels from the edge at which rows start and from the top of the view. Beside the cards
 * of a row, the nearest one; null between rows.
 */
function cardAt({ rows, scroll }: GridView, { x, y }: Point): number | null {
  const position = scroll.place.peek().position + y
  const { first, last } = rows.within(position, position + 1)
  for (let index = last; index >= first; index--) if (rows.boxOf(index).left <= x || index === first) return index
  return null
}

/** Changes the height by a step. The picture at this point of the window, or else the first one, stays in its place. */
function stepAt(view: GridView, by: 1 | -1, point?: Point): void {
  const { rows, scroll, scroller } = view
  const { position } = scroll.place.peek()
  const { current: root } = scroller
  let pointed: number | null = null
  let y = 0
  if (root !== null && point !== undefined) {
    const { left, right, top } = root.getBoundingClientRect()
    y = point.y - top
    pointed = cardAt(view, { x: getComputedStyle(root).direction === 'rtl' ? right - point.x : point.x - left, y })
  }
  const index = pointed ?? firstVisible(rows, position)
  const box = rows.boxOf(index)
  if (pointed === null) y = box.top - position
  view.pin({ index, share: box.height === 0 ? 0 : (position + y - box.top) / box.height, y })
  stepRowHeight(by)
}

let lastTransition: ViewTransition | null = null

/** Cross-fades from the old rows to the new ones, where the browser has view transitions and motion is not reduced. */
function crossFadeRows(change: () => void): void {
  if (prefersReducedMotion() || typeof document.startViewTransition !== 'function') {
    change()
    return
  }
  const { classList } = document.documentElement
  classList.add('tl-crossing')
  const transition = document.startViewTransition(() => flushSync(change))
  lastTransition = transition
  // It rejects if the next step ends this transition, which is no error.
  transition.ready.catch(() => {})
  void transition.finished
    .catch(() => {})
    .then(() => {
      if (lastTransition === transition) classList.remove('tl-crossing')
    })
}

function listenTo(root: HTMLElement, latest: RefObject<GridView>): () => void {
  let wheelSum = 0
  let startDistance = 0
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    wheelSum += event.deltaY
    if (Math.abs(wheelSum) < wheelStep) return
    // Without a cross-fade: during one, the browser sends the wheel to the whole page, and would zoom it.
    stepAt(latest.current, wheelSum > 0 ? -1 : 1, { x: event.clientX, y: event.clientY })
    wheelSum = 0
  }
  const onTouch = (event: TouchEvent) => {
    const pinch = pinchOf(event)
    if (pinch === null) return
    event.preventDefault()
    if (event.type === 'touchstart') startDistance = pinch.distance
    const factor = pinch.distance / Math.max(1, startDistance)
    if (factor < pinchStep && factor > 1 / pinchStep) return
    startDistance = pinch.distance
    crossFadeRows(() => stepAt(latest.current, factor > 1 ? 1 : -1, pinch))
  }
  root.addEventListener('wheel', onWheel, { passive: false })
  root.addEventListener('touchstart', onTouch, { passive: false })
  root.addEventListener('touchmove', onTouch, { passive: false })
  return () => {
    root.removeEventListener('wheel', onWheel)
    root.removeEventListener('touchstart', onTouch)
    root.removeEventListener('touchmove', onTouch)
  }
}

/** Listens for the keys, the wheel and the fingers. */
export function useRowHeight(view: GridView): void {
  const latest = useRef(view)
  latest.current = view
  const { scroller } = view
  useEffect(() => {
    const { current: root } = scroller
    if (root === null) return
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || layers.peek().length > 0) return
      if (event.key !== '+' && event.key !== '-') return
      event.preventDefault()
      crossFadeRows(() => stepAt(latest.current, event.key === '+' ? 1 : -1))
    }
    addEventListener('keydown', onKey)
    const stop = listenTo(root, latest)
    return () => {
      removeEventListener('keydown', onKey)
      stop()
    }
  }, [scroller])
}
