/** Changes the height of the timeline's rows: by '+' and '-', Ctrl and the wheel, or two fingers. */
import { type RefObject, useEffect, useRef } from 'react'
import { rowHeight, rowHeights, setOptions } from '../../app/options.ts'
import { isTyping } from '../../app/use-global-keys.ts'
import { layers } from '../../kit/layers/layers.ts'
import { firstVisible } from '../arrangement.ts'
import type { GridView } from '../use-grid-view.ts'

/** Pixels of the wheel for a step. */
const wheelStep = 60
/** The fingers' distance changes by this factor for a step. */
const pinchStep = 1.3

/** Takes the next larger (1) or smaller (-1) height. */
export function stepRowHeight(by: 1 | -1): void {
  const at = rowHeights.findIndex(height => height <= rowHeight.peek())
  const next = rowHeights[at - by]
  if (next !== undefined) setOptions({ rowHeight: next })
}

/** The middle of two touches, and their distance. */
function pinchOf({ touches }: TouchEvent): { x: number; y: number; distance: number } | null {
  const [a, b] = touches
  if (a === undefined || b === undefined) return null
  const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
  return { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, distance }
}

/** Keeps the picture at this point, or the first one, in its place while the height changes. */
function stepAt(view: GridView, by: 1 | -1, point?: { x: number; y: number }): void {
  const { rows, scroll, scroller } = view
  const { position } = scroll.place.peek()
  const card = point === undefined ? undefined : document.elementFromPoint(point.x, point.y)?.closest('.card-pic')
  const found = card?.querySelector<HTMLElement>('[data-index]')?.dataset.index
  const index = found === undefined ? firstVisible(rows, position) : Number(found)
  const box = rows.boxOf(index)
  const edge = scroller.current?.getBoundingClientRect().top ?? 0
  const y = found === undefined || point === undefined ? box.top - position : point.y - edge
  view.pin({ index, share: box.height === 0 ? 0 : (position + y - box.top) / box.height, y })
  stepRowHeight(by)
}

function listenTo(root: HTMLElement, latest: RefObject<GridView>): () => void {
  let turned = 0
  let apart = 0
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    turned += event.deltaY
    if (Math.abs(turned) < wheelStep) return
    stepAt(latest.current, turned > 0 ? -1 : 1, { x: event.clientX, y: event.clientY })
    turned = 0
  }
  const onTouch = (event: TouchEvent) => {
    const pinch = pinchOf(event)
    if (pinch === null) return
    event.preventDefault()
    if (event.type === 'touchstart') apart = pinch.distance
    const factor = pinch.distance / Math.max(1, apart)
    if (factor < pinchStep && factor > 1 / pinchStep) return
    apart = pinch.distance
    stepAt(latest.current, factor > 1 ? 1 : -1, pinch)
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
      stepAt(latest.current, event.key === '+' ? 1 : -1)
    }
    addEventListener('keydown', onKey)
    const stop = listenTo(root, latest)
    return () => {
      removeEventListener('keydown', onKey)
      stop()
    }
  }, [scroller])
}
