/**
 * Hands on the picture: wheel, pinch and double click zoom round the pointer, a drag pans, a swipe goes to a neighbour,
 * down closes, up opens the details. Only transforms are written, so it runs at the screen's own rate.
 */
import { type RefObject, useEffect, useRef } from 'react'
import { doubleClickScale, fitted, kept, type Size, swipeEnd, type View, zoomedAt } from '../../state/zoom.ts'

/** What the gestures act on; read anew at each event. */
export interface GestureFrame {
  stage: Size
  /** The picture as it fits the stage, and in its own pixels. */
  fit: Size
  picture: Size
  most: number
  /** Videos and placeholders do not zoom. */
  zooms: boolean
  hasPrevious: boolean
  hasNext: boolean
}

export interface GestureActs {
  step: (by: 1 | -1) => void
  close: () => void
  details: () => void
  tap: () => void
  /** Told when the zoom has come to rest. */
  zoomed: (scale: number) => void
}

/** Space between neighbours while they are swiped. Pixels. */
export const slideGap = 24

const slideMs = 170
const doubleTapMs = 280

interface Point {
  x: number
  y: number
}

type Mode = 'none' | 'pan' | 'swipe' | 'pull' | 'lift' | 'pinch'

interface Drag {
  mode: Mode
  start: Point
  at: number
  view: View
  /** Of two fingers. */
  distance: number
  last: Point
  lastAt: number
  speed: Point
}

const stillMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

function createGestures(
  elements: { stage: () => HTMLElement | null; track: () => HTMLElement | null; box: () => HTMLElement | null },
  frameNow: () => GestureFrame,
  acts: () => GestureActs,
) {
  let view: View = fitted
  let target: View = fitted
  let frame = 0
  let drag: Drag | null = null
  let lastTap: { at: number; point: Point } | null = null
  let tapTimer: ReturnType<typeof setTimeout> | undefined
  const pointers = new Map<number, Point>()

  function draw(): void {
    const box = elements.box()
    if (box === null) return
    const plain = view.scale === 1 && view.x === 0 && view.y === 0
    box.style.transform = plain ? '' : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    box.style.setProperty('--inverse', String(1 / view.scale))
  }

  /** At rest the browser may draw the picture sharp at its new size; while it moves it keeps its layer. */
  function moving(on: boolean): void {
    const box = elements.box()
    if (box !== null) box.style.willChange = on ? 'transform' : ''
  }

  function stop(): void {
    cancelAnimationFrame(frame)
    frame = 0
  }

  function set(next: View): void {
    stop()
    view = next
    target = next
    draw()
  }

  function rested(): void {
    moving(false)
    acts().zoomed(view.scale)
  }

  /** Scale and place run together in a straight line, so the point under the pointer stays where it is. */
  function towards(next: View): void {
    target = next
    moving(true)
    if (stillMotion()) {
      set(next)
      rested()
      return
    }
    if (frame !== 0) return
    const run = () => {
      const left =
        Math.abs(target.scale - view.scale) / view.scale +
        Math.abs(target.x - view.x) / 400 +
        Math.abs(target.y - view.y) / 400
      if (left < 0.002) {
        set(target)
        rested()
        return
      }
      const share = 0.32
      view = {
        scale: view.scale + (target.scale - view.scale) * share,
        x: view.x + (target.x - view.x) * share,
        y: view.y + (target.y - view.y) * share,
      }
      draw()
      frame = requestAnimationFrame(run)
    }
    frame = requestAnimationFrame(run)
  }

  function fromMiddle(client: Point): Point {
    const box = elements.stage()?.getBoundingClientRect()
    if (box === undefined) return { x: 0, y: 0 }
    return { x: client.x - box.left - box.width / 2, y: client.y - box.top - box.height / 2 }
  }

  function zoomBy(factor: number, point: Point = { x: 0, y: 0 }): void {
    const now = frameNow()
    if (now.zooms) towards(zoomedAt(target, factor, point, now))
  }

  function toggleZoom(point: Point): void {
    const now = frameNow()
    if (!now.zooms) return
    const scale = doubleClickScale(view, now.picture, now.fit, now.most)
    towards(zoomedAt(view, scale / view.scale, point, now))
  }

  function slide(distance: number, ms = 0): void {
    const track = elements.track()
    if (track === null) return
    track.style.transition = ms === 0 ? 'none' : `transform ${ms}ms cubic-bezier(0.2, 0, 0, 1)`
    track.style.transform = distance === 0 ? '' : `translateX(${distance}px)`
  }

  function pull(distance: number, ms = 0): void {
    const track = elements.track()
    const ground = elements.stage()?.closest<HTMLElement>('.viewer')
    if (track === null) return
    const share = Math.min(1, distance / 400)
    track.style.transition = ms === 0 ? 'none' : `transform ${ms}ms cubic-bezier(0.2, 0, 0, 1)`
    track.style.transform = distance === 0 ? '' : `translateY(${distance}px) scale(${1 - share * 0.15})`
    ground?.style.setProperty('--ground', String(1 - share * 0.8))
  }

  function endSwipe(distance: number, speed: number): void {
    const { stage, hasPrevious, hasNext } = frameNow()
    const by = swipeEnd(distance, speed, stage.width)
    if (by === 0 || (by === 1 && !hasNext) || (by === -1 && !hasPrevious)) {
      slide(0, slideMs)
      return
    }
    const ms = stillMotion() ? 0 : slideMs
    slide(-by * (stage.width + slideGap), ms)
    setTimeout(() => acts().step(by), ms)
  }

  function startDrag(): void {
    const [a, b] = [...pointers.values()]
    if (a === undefined) return
    const centre = b === undefined ? a : { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
    stop()
    drag = {
      mode: b === undefined ? 'none' : 'pinch',
      start: centre,
      at: performance.now(),
      view,
      distance: b === undefined ? 1 : Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)),
      last: centre,
      lastAt: performance.now(),
      speed: { x: 0, y: 0 },
    }
  }

  /** What a drag means is known once it has gone eight pixels. */
  function decide(dx: number, dy: number, touch: boolean): Mode {
    if (Math.hypot(dx, dy) < 8) return 'none'
    if (view.scale > 1.001) return 'pan'
    if (!touch) return 'none'
    if (Math.abs(dx) > Math.abs(dy)) return 'swipe'
    return dy > 0 ? 'pull' : 'lift'
  }

  function pinch(now: GestureFrame, current: Drag): void {
    const [a, b] = [...pointers.values()]
    if (a === undefined || b === undefined || !now.zooms) return
    const centre = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
    const factor = Math.hypot(a.x - b.x, a.y - b.y) / current.distance
    const zoomed = zoomedAt(current.view, factor, fromMiddle(current.start), now)
    set(
      kept(
        { ...zoomed, x: zoomed.x + centre.x - current.start.x, y: zoomed.y + centre.y - current.start.y },
        now.fit,
        now.stage,
      ),
    )
  }

  function follow(event: PointerEvent, current: Drag): void {
    const now = frameNow()
    const point = { x: event.clientX, y: event.clientY }
    const [dx, dy] = [point.x - current.start.x, point.y - current.start.y]
    const passed = Math.max(1, performance.now() - current.lastAt)
    current.speed = { x: (point.x - current.last.x) / passed, y: (point.y - current.last.y) / passed }
    current.last = point
    current.lastAt = performance.now()
    if (current.mode === 'none') {
      current.mode = decide(dx, dy, event.pointerType !== 'mouse')
      if (current.mode !== 'none') moving(current.mode === 'pan')
    }
    if (current.mode === 'pan')
      set(kept({ ...current.view, x: current.view.x + dx, y: current.view.y + dy }, now.fit, now.stage))
    else if (current.mode === 'swipe') {
      const blocked = (dx > 0 && !now.hasPrevious) || (dx < 0 && !now.hasNext)
      slide(blocked ? dx / 3 : dx)
    } else if (current.mode === 'pull') pull(Math.max(0, dy))
  }

  function endDrag(event: PointerEvent, current: Drag): void {
    const [dx, dy] = [current.last.x - current.start.x, current.last.y - current.start.y]
    if (current.mode === 'swipe') endSwipe(dx, current.speed.x)
    else if (current.mode === 'pull') {
      if (dy > 110 || (dy > 30 && current.speed.y > 0.5)) acts().close()
      else pull(0, slideMs)
    } else if (current.mode === 'lift' && dy < -50) acts().details()
    else if (current.mode === 'pan' || current.mode === 'pinch') rested()
    else if (current.mode === 'none' && event.type === 'pointerup' && event.pointerType !== 'mouse')
      tapped(current.start)
  }

  function tapped(point: Point): void {
    const now = performance.now()
    clearTimeout(tapTimer)
    if (
      lastTap !== null &&
      now - lastTap.at < doubleTapMs &&
      Math.hypot(point.x - lastTap.point.x, point.y - lastTap.point.y) < 40
    ) {
      lastTap = null
      toggleZoom(fromMiddle(point))
      return
    }
    lastTap = { at: now, point }
    // A second tap would mean the zoom.
    tapTimer = setTimeout(() => acts().tap(), doubleTapMs)
  }

  return {
    onWheel(event: WheelEvent) {
      event.preventDefault()
      const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1
      zoomBy(
        Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0022)),
        fromMiddle({ x: event.clientX, y: event.clientY }),
      )
    },
    onDoubleClick(event: MouseEvent) {
      toggleZoom(fromMiddle({ x: event.clientX, y: event.clientY }))
    },
    onPointerDown(event: PointerEvent) {
      if (event.pointerType === 'mouse' && event.button !== 0) return
      if (event.target instanceof Element && event.target.closest('button, a, video, input') !== null) return
      if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      startDrag()
    },
    onPointerMove(event: PointerEvent) {
      if (!pointers.has(event.pointerId) || drag === null) return
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      if (drag.mode === 'pinch') pinch(frameNow(), drag)
      else follow(event, drag)
    },
    onPointerEnd(event: PointerEvent) {
      if (!pointers.delete(event.pointerId) || drag === null) return
      const ended = drag
      drag = null
      endDrag(event, ended)
      if (pointers.size === 0) return
      // The finger that is left after a pinch goes on moving the picture; lifting it is no tap.
      startDrag()
      if (ended.mode === 'pinch' && drag !== null) drag.mode = 'pan'
    },
    zoomBy,
    reset: (animated: boolean) => {
      if (animated) towards(fitted)
      else {
        set(fitted)
        moving(false)
        acts().zoomed(1)
      }
    },
    /** Another picture: everything stands as at the beginning, within the same frame. */
    begin() {
      slide(0)
      pull(0)
      set(fitted)
      moving(false)
    },
    /** The stage has another size: the picture stays over it. */
    refit() {
      const now = frameNow()
      set(kept(view, now.fit, now.stage))
    },
    end: () => {
      stop()
      clearTimeout(tapTimer)
    },
  }
}

export type Gestures = ReturnType<typeof createGestures>

export function useGestures(
  stage: RefObject<HTMLElement | null>,
  track: RefObject<HTMLElement | null>,
  frame: GestureFrame,
  acts: GestureActs,
): Gestures {
  const latest = useRef({ frame, acts })
  latest.current = { frame, acts }
  const ref = useRef<Gestures | null>(null)
  ref.current ??= createGestures(
    {
      stage: () => stage.current,
      track: () => track.current,
      box: () => track.current?.querySelector<HTMLElement>('[data-open] .viewer-box') ?? null,
    },
    () => latest.current.frame,
    () => latest.current.acts,
  )
  const gestures = ref.current
  useEffect(() => {
    const root = stage.current
    if (root === null) return
    const { onWheel, onDoubleClick, onPointerDown, onPointerMove, onPointerEnd } = gestures
    root.addEventListener('wheel', onWheel, { passive: false })
    root.addEventListener('dblclick', onDoubleClick)
    root.addEventListener('pointerdown', onPointerDown)
    root.addEventListener('pointermove', onPointerMove)
    root.addEventListener('pointerup', onPointerEnd)
    root.addEventListener('pointercancel', onPointerEnd)
    return () => {
      root.removeEventListener('wheel', onWheel)
      root.removeEventListener('dblclick', onDoubleClick)
      root.removeEventListener('pointerdown', onPointerDown)
      root.removeEventListener('pointermove', onPointerMove)
      root.removeEventListener('pointerup', onPointerEnd)
      root.removeEventListener('pointercancel', onPointerEnd)
      gestures.end()
    }
  }, [stage, gestures])
  return gestures
}
