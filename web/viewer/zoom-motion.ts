/** The picture's zoom in motion: written to the element as a transform, gliding to its target. */
import { doubleClickScale, fittedView, kept, type Size, type ZoomView, zoomedAt } from '../items/pictures/zoom.ts'

export interface Point {
  x: number
  y: number
}

/** Input of the zoom; read at each event. */
export interface ZoomFrame {
  stage: Size
  /** The fitted size of the picture, and its own pixels. */
  fit: Size
  picture: Size
  most: number
  /** Videos and placeholders do not zoom. */
  zooms: boolean
}

export const stillMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Remaining share of the way after a sixtieth of a second. */
const leftAfterFrame = 0.68

/** Distance between two views; below 0.002 it is invisible. */
function distance(a: ZoomView, b: ZoomView): number {
  return Math.abs(a.scale - b.scale) / b.scale + Math.abs(a.x - b.x) / 400 + Math.abs(a.y - b.y) / 400
}

/** Moves from view to view, frame by frame. `moving` is called when it starts, `rested` at the end. */
function createGlide(draw: (view: ZoomView) => void, moving: () => void, rested: () => void) {
  let view: ZoomView = fittedView
  let target: ZoomView = fittedView
  let running = 0

  function stop(): void {
    cancelAnimationFrame(running)
    running = 0
  }

  function set(next: ZoomView): void {
    stop()
    view = next
    target = next
    draw(view)
  }

  function arrive(): void {
    set(target)
    rested()
  }

  function run(before: number): void {
    if (distance(target, view) < 0.002) {
      arrive()
      return
    }
    // By time, so that a slow screen does not slow the zoom down.
    const at = performance.now()
    const share = 1 - leftAfterFrame ** Math.max(0.2, (at - before) / 16.7)
    view = {
      scale: view.scale + (target.scale - view.scale) * share,
      x: view.x + (target.x - view.x) * share,
      y: view.y + (target.y - view.y) * share,
    }
    draw(view)
    running = requestAnimationFrame(() => run(at))
  }

  return {
    now: () => view,
    target: () => target,
    stop,
    set,
    /** Scale and place change together in a straight line, so what is under the pointer stays there. */
    towards(next: ZoomView): void {
      target = next
      moving()
      if (stillMotion()) arrive()
      else if (running === 0) {
        const at = performance.now()
        running = requestAnimationFrame(() => run(at))
      }
    },
  }
}

export function createZoom(
  box: () => HTMLElement | null,
  frame: () => ZoomFrame,
  /** Called when it has come to rest. */
  rested: (scale: number) => void,
) {
  function draw(view: ZoomView): void {
    const element = box()
    if (element === null) return
    const plain = view.scale === 1 && view.x === 0 && view.y === 0
    element.style.transform = plain ? '' : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    // Lines and labels on the picture keep their size.
    element.style.setProperty('--inverse', String(1 / view.scale))
  }

  /** While it moves the browser keeps the picture's layer; at rest it may draw it sharp at its new size. */
  function layer(on: boolean): void {
    const element = box()
    if (element !== null) element.style.willChange = on ? 'transform' : ''
  }

  function rest(): void {
    layer(false)
    rested(glide.now().scale)
  }

  const glide = createGlide(draw, () => layer(true), rest)
  const { now, stop, set, towards } = glide

  return {
    now,
    isIn: () => now().scale > 1.001,
    stop,
    layer,
    rest,
    /** Moves the view of the drag's start by this many pixels. */
    pan(from: ZoomView, dx: number, dy: number) {
      const { fit, stage } = frame()
      set(kept({ ...from, x: from.x + dx, y: from.y + dy }, fit, stage))
    },
    /** Two fingers: zooms around where they began, and moves with them. */
    pinch(from: ZoomView, factor: number, point: Point, dx: number, dy: number) {
      const { fit, stage } = frame()
      const zoomed = zoomedAt(from, factor, point, frame())
      set(kept({ ...zoomed, x: zoomed.x + dx, y: zoomed.y + dy }, fit, stage))
    },
    by(factor: number, point: Point = { x: 0, y: 0 }) {
      if (frame().zooms) towards(zoomedAt(glide.target(), factor, point, frame()))
    },
    toggle(point: Point) {
      const { zooms, picture, fit, most } = frame()
      if (!zooms) return
      const view = now()
      const scale = doubleClickScale(view, picture, fit, most)
      towards(zoomedAt(view, scale / view.scale, point, frame()))
    },
    fit: () => towards(fittedView),
    /** Another picture or rotation: resets the zoom. */
    begin() {
      set(fittedView)
      layer(false)
    },
    /** The stage was resized: the picture stays over it. */
    refit() {
      const { fit, stage } = frame()
      set(kept(now(), fit, stage))
    },
  }
}

export type Zoom = ReturnType<typeof createZoom>
