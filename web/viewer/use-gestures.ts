/**
 * Gestures on the picture: wheel, pinch and double click zoom around the pointer, and dragging pans. A sideways swipe
 * shows a neighbour, a swipe down closes the viewer, a swipe up opens the details, and a long press plays a live photo.
 * Only transforms change, so this runs at the screen's refresh rate.
 */
import { type RefObject, useEffect, useRef } from 'react'
import { swipeStep, type ZoomView } from '../items/pictures/zoom.ts'
import { forward, prefersReducedMotion } from '../kit/viewport.ts'
import { createZoom, type Point, type Zoom, type ZoomFrame } from './zoom-motion.ts'

export interface GestureFrame extends ZoomFrame {
  hasPrevious: boolean
  hasNext: boolean
  /** Whether a long press plays something. */
  playsOnHold: boolean
}

export interface GestureHandlers {
  step: (by: 1 | -1) => void
  close: () => void
  details: () => void
  tap: () => void
  /** A long press begins or ends. */
  hold: (on: boolean) => void
  /** Called when the zoom has stopped moving. */
  zoomed: (scale: number) => void
}

/** Pixels between neighbours while swiping, the same as in slide.tsx. */
const slideGap = 24
const slideMs = 170
const doubleTapMs = 280
/** Less than what browsers take for the long press that opens a menu. */
const holdMs = 250

type Mode = 'none' | 'pan' | 'swipe' | 'pull' | 'lift' | 'pinch' | 'hold'

interface Drag {
  mode: Mode
  start: Point
  view: ZoomView
  /** Distance between two fingers at the start, in pixels. */
  distance: number
  last: Point
  lastAt: number
  /** Pixels per millisecond. */
  speed: Point
}

/** Moves the row of pictures: sideways while swiping, down while pulling. */
function createTrack(stage: () => HTMLElement | null, track: () => HTMLElement | null) {
  function move(transform: string, ms: number): void {
    const element = track()
    if (element === null) return
    element.style.transition = ms === 0 ? 'none' : `transform ${ms}ms cubic-bezier(0.2, 0, 0, 1)`
    element.style.transform = transform
  }
  return {
    slide: (distance: number, ms = 0) => move(distance === 0 ? '' : `translateX(${distance}px)`, ms),
    pull(distance: number, ms = 0) {
      const share = Math.min(1, distance / 400)
      move(distance === 0 ? '' : `translateY(${distance}px) scale(${1 - share * 0.15})`, ms)
      stage()
        ?.closest<HTMLElement>('.viewer')
        ?.style.setProperty('--ground', String(1 - share * 0.8))
    },
  }
}

function centreAndDistance(points: readonly Point[]): { centre: Point; distance: number } {
  const [a = { x: 0, y: 0 }, b = a] = points
  return { centre: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) }
}

/** Pixels of movement before a drag is interpreted. */
const minDrag = 8

const panFrom = (dx: number, dy: number): Mode => (Math.hypot(dx, dy) < minDrag ? 'none' : 'pan')

function dragModeFor(dx: number, dy: number, touch: boolean): Mode {
  if (!touch || Math.hypot(dx, dy) < minDrag) return 'none'
  if (Math.abs(dx) > Math.abs(dy)) return 'swipe'
  return dy > 0 ? 'pull' : 'lift'
}

function createTaps(once: () => void, twice: (point: Point) => void) {
  let last: { at: number; point: Point } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    tapped(point: Point): void {
      const at = performance.now()
      clearTimeout(timer)
      const near = last !== null && Math.hypot(point.x - last.point.x, point.y - last.point.y) < 40
      if (last !== null && near && at - last.at < doubleTapMs) {
        last = null
        twice(point)
        return
      }
      last = { at, point }
      // A second tap would make it a double tap.
      timer = setTimeout(once, doubleTapMs)
    },
    end: () => clearTimeout(timer),
  }
}

/** Detects a pointer that stays in place. `begin` returns whether the hold has begun. */
function createHold(begin: () => boolean, finish: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOn = false
  return {
    wait() {
      timer = setTimeout(() => {
        isOn = begin()
      }, holdMs)
    },
    end() {
      clearTimeout(timer)
      if (isOn) finish()
      isOn = false
    },
    isOn: () => isOn,
  }
}

function createDrags(
  zoom: Zoom,
  track: ReturnType<typeof createTrack>,
  {
    frame,
    acts,
    fromCentre,
  }: { frame: () => GestureFrame; acts: () => GestureHandlers; fromCentre: (client: Point) => Point },
) {
  function pinch(current: Drag, points: readonly Point[]): void {
    if (!frame().canZoom) return
    const { centre, distance } = centreAndDistance(points)
    const moved = { x: centre.x - current.start.x, y: centre.y - current.start.y }
    zoom.pinch(current.view, distance / current.distance, fromCentre(current.start), moved.x, moved.y)
  }

  function continueDrag(event: PointerEvent, current: Drag): void {
    const { hasPrevious, hasNext } = frame()
    const point = { x: event.clientX, y: event.clientY }
    const [dx, dy] = [point.x - current.start.x, point.y - current.start.y]
    const passed = Math.max(1, performance.now() - current.lastAt)
    current.speed = { x: (point.x - current.last.x) / passed, y: (point.y - current.last.y) / passed }
    current.last = point
    current.lastAt = performance.now()
    if (current.mode === 'none') {
      current.mode = zoom.isIn() ? panFrom(dx, dy) : dragModeFor(dx, dy, event.pointerType !== 'mouse')
      zoom.keepLayer(current.mode === 'pan')
    }
    if (current.mode === 'pan') zoom.pan(current.view, dx, dy)
    else if (current.mode === 'swipe') {
      const back = dx * forward()
      track.slide((back > 0 && !hasPrevious) || (back < 0 && !hasNext) ? dx / 3 : dx)
    } else if (current.mode === 'pull') track.pull(Math.max(0, dy))
  }

  function endSwipe(distance: number, speed: number): void {
    const { stage, hasPrevious, hasNext } = frame()
    const by = swipeStep(distance * forward(), speed * forward(), stage.width)
    if (by === 0 || (by === 1 && !hasNext) || (by === -1 && !hasPrevious)) {
      track.slide(0, slideMs)
      return
    }
    const ms = prefersReducedMotion() ? 0 : slideMs
    track.slide(-by * forward() * (stage.width + slideGap), ms)
    setTimeout(() => acts().step(by), ms)
  }

  /** Returns whether the gesture was a tap. */
  function end(event: PointerEvent, { mode, start, last, speed }: Drag): boolean {
    const down = last.y - start.y
    if (mode === 'swipe') endSwipe(last.x - start.x, speed.x)
    else if (mode === 'pull') {
      if (down > 110 || (down > 30 && speed.y > 0.5)) acts().close()
      else track.pull(0, slideMs)
    } else if (mode === 'lift' && down < -50) acts().details()
    else if (mode === 'pan' || mode === 'pinch') zoom.rest()
    return mode === 'none' && event.type === 'pointerup' && event.pointerType !== 'mouse'
  }

  return { pinch, continueDrag, end }
}

function createGestures(
  elements: { stage: () => HTMLElement | null; track: () => HTMLElement | null; box: () => HTMLElement | null },
  frame: () => GestureFrame,
  acts: () => GestureHandlers,
) {
  const zoom: Zoom = createZoom(elements.box, frame, scale => acts().zoomed(scale))
  const track = createTrack(elements.stage, elements.track)
  const drags = createDrags(zoom, track, { frame, acts, fromCentre })
  const pointers = new Map<number, Point>()
  let drag: Drag | null = null
  const taps = createTaps(
    () => acts().tap(),
    point => zoom.toggle(fromCentre(point)),
  )

  const hold = createHold(
    () => {
      if (drag?.mode !== 'none' || !frame().playsOnHold || zoom.isIn() || prefersReducedMotion()) return false
      drag.mode = 'hold'
      acts().hold(true)
      return true
    },
    () => acts().hold(false),
  )

  function fromCentre(client: Point): Point {
    const box = elements.stage()?.getBoundingClientRect()
    if (box === undefined) return { x: 0, y: 0 }
    return { x: client.x - box.left - box.width / 2, y: client.y - box.top - box.height / 2 }
  }

  function startDrag(single: Mode = 'none'): void {
    const { centre, distance } = centreAndDistance([...pointers.values()])
    zoom.stop()
    drag = {
      mode: pointers.size > 1 ? 'pinch' : single,
      start: centre,
      view: zoom.now(),
      distance,
      last: centre,
      lastAt: performance.now(),
      speed: { x: 0, y: 0 },
    }
  }

  return {
    zoom,
    /** Whether a long press is on, so that it does not open a menu as well. */
    isHeld: hold.isOn,
    onWheel(event: WheelEvent) {
      event.preventDefault()
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1
      // Browsers report a touchpad pinch as a wheel with Ctrl, in smaller steps.
      const factor = Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0022))
      zoom.by(factor, fromCentre({ x: event.clientX, y: event.clientY }))
    },
    onDoubleClick(event: MouseEvent) {
      zoom.toggle(fromCentre({ x: event.clientX, y: event.clientY }))
    },
    onPointerDown(event: PointerEvent) {
      if (event.pointerType === 'mouse' && event.button !== 0) return
      if (event.target instanceof Element && event.target.closest('button, a, video, audio, input') !== null) return
      if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      startDrag()
      hold.end()
      if (pointers.size === 1) hold.wait()
    },
    onPointerMove(event: PointerEvent) {
      if (!pointers.has(event.pointerId) || drag === null) return
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      if (drag.mode === 'pinch') drags.pinch(drag, [...pointers.values()])
      else drags.continueDrag(event, drag)
    },
    onPointerEnd(event: PointerEvent) {
      if (!pointers.delete(event.pointerId) || drag === null) return
      hold.end()
      const ended = drag
      drag = null
      if (drags.end(event, ended)) taps.tapped(ended.start)
      if (pointers.size === 0) return
      // After a pinch, the remaining finger continues to pan; lifting it does not count as a tap.
      startDrag(ended.mode === 'pinch' ? 'pan' : 'none')
    },
    /** Resets swipe and zoom for another picture. */
    begin() {
      track.slide(0)
      track.pull(0)
      zoom.begin()
    },
    end() {
      zoom.stop()
      taps.end()
      hold.end()
    },
  }
}

export type Gestures = ReturnType<typeof createGestures>

export function useGestures(
  stage: RefObject<HTMLElement | null>,
  track: RefObject<HTMLElement | null>,
  frame: GestureFrame,
  acts: GestureHandlers,
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
    // React's wheel listeners are passive: they could not keep the page from scrolling. On the parent, because a zoomed
    // picture covers more than its stage.
    const around = root.parentElement ?? root
    around.addEventListener('wheel', onWheel, { passive: false })
    root.addEventListener('dblclick', onDoubleClick)
    root.addEventListener('pointerdown', onPointerDown)
    root.addEventListener('pointermove', onPointerMove)
    root.addEventListener('pointerup', onPointerEnd)
    root.addEventListener('pointercancel', onPointerEnd)
    return () => {
      around.removeEventListener('wheel', onWheel)
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
