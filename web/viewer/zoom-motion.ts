/** Animates the picture's zoom: writes it to the element as a transform, gliding to its target. */
import { doubleClickScale, fittedView, keepOnStage, type Size, type ZoomView, zoomAt } from '../items/pictures/zoom.ts'
import { prefersReducedMotion } from '../kit/viewport.ts'

export interface Point {
  x: number
  y: number
}

/** Input of the zoom, read at each event. */
export interface ZoomFrame {
  stage: Size
  /** The picture's size when fitted into the stage. */
  fit: Size
  /** The picture's own size in pixels. */
  picture: Size
  /** The maximum scale. */
  maxScale: number
  /** Videos and placeholders do not zoom. */
  canZoom: boolean
}

/** Share of the distance that remains after a sixtieth of a second. */
const shareLeftAfterFrame = 0.68

/** Distance between two views; below 0.002 the difference is invisible. */
function distance(a: ZoomView, b: ZoomView): number {
  return Math.abs(a.scale - b.scale) / b.scale + Math.abs(a.x - b.x) / 400 + Math.abs(a.y - b.y) / 400
}

/** Moves between views frame by frame. `moving` is called at the start, `rested` at the end. */
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
    // Time-based, so that a slow screen does not slow down the zoom.
    const at = performance.now()
    const share = 1 - shareLeftAfterFrame ** Math.max(0.2, (at - before) / 16.7)
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
    /** Scale and position change in proportion, so that the point under the pointer stays in place. */
    towards(next: ZoomView): void {
      target = next
      moving()
      if (prefersReducedMotion()) arrive()
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
  /** Called when the zoom has stopped moving. */
  rested: (scale: number) => void,
) {
  function draw(view: ZoomView): void {
    const element = box()
    if (element === null) return
    const plain = view.scale === 1 && view.x === 0 && view.y === 0
    element.style.transform = plain ? '' : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    // Lines and labels over the picture keep their size.
    element.style.setProperty('--inverse', String(1 / view.scale))
  }

  /** While moving, the browser keeps the picture's layer; at rest, it may render the picture sharply at its size. */
  function keepLayer(on: boolean): void {
    const element = box()
    if (element !== null) element.style.willChange = on ? 'transform' : ''
  }

  function rest(): void {
    keepLayer(false)
    rested(glide.now().scale)
  }

  const glide = createGlide(draw, () => keepLayer(true), rest)
  const { now, stop, set, towards } = glide

  return {
    now,
    isIn: () => now().scale > 1.001,
    stop,
    keepLayer,
    rest,
    /** Moves the view: `from` is the one at the drag's start, `dx` and `dy` the distance since then in pixels. */
    pan(from: ZoomView, dx: number, dy: number) {
      const { fit, stage } = frame()
      set(keepOnStage({ ...from, x: from.x + dx, y: from.y + dy }, fit, stage))
    },
    /** Two fingers: zooms around the point where they started, and moves with them. */
    pinch(from: ZoomView, factor: number, point: Point, dx: number, dy: number) {
      const { fit, stage } = frame()
      const zoomed = zoomAt(from, factor, point, frame())
      set(keepOnStage({ ...zoomed, x: zoomed.x + dx, y: zoomed.y + dy }, fit, stage))
    },
    by(factor: number, point: Point = { x: 0, y: 0 }) {
      if (frame().canZoom) towards(zoomAt(glide.target(), factor, point, frame()))
    },
    toggle(point: Point) {
      const { canZoom, picture, fit } = frame()
      if (!canZoom) return
      const view = now()
      const scale = doubleClickScale(view, picture, fit, devicePixelRatio)
      towards(zoomAt(view, scale / view.scale, point, frame()))
    },
    fit: () => towards(fittedView),
    /** Resets the zoom for another picture or rotation. */
    begin() {
      set(fittedView)
      keepLayer(false)
    },
    /** The stage was resized; keeps the picture over it. */
    refit() {
      const { fit, stage } = frame()
      set(keepOnStage(now(), fit, stage))
    },
  }
}

export type Zoom = ReturnType<typeof createZoom>
