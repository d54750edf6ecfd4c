/** The picture's zoom as it moves: written to the element as a transform, gliding to where it is wanted. */
import { doubleClickScale, fitted, kept, type Size, type View, zoomedAt } from '../items/pictures/zoom.ts'

export interface Point {
  x: number
  y: number
}

/** What the zoom has to do with; read anew at each event. */
export interface ZoomFrame {
  stage: Size
  /** The picture as it fits the stage, and in its own pixels. */
  fit: Size
  picture: Size
  most: number
  /** Videos and placeholders do not zoom. */
  zooms: boolean
}

export const stillMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Share of the way that is left after a sixtieth of a second. */
const leftAfterFrame = 0.68

/** How far two views are from each other; below 0.002 nobody sees it. */
function distance(a: View, b: View): number {
  return Math.abs(a.scale - b.scale) / b.scale + Math.abs(a.x - b.x) / 400 + Math.abs(a.y - b.y) / 400
}

export function createZoom(
  box: () => HTMLElement | null,
  frame: () => ZoomFrame,
  /** Told when it has come to rest. */
  rested: (scale: number) => void,
) {
  let view: View = fitted
  let target: View = fitted
  let running = 0

  function draw(): void {
    const element = box()
    if (element === null) return
    const plain = view.scale === 1 && view.x === 0 && view.y === 0
    element.style.transform = plain ? '' : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    // Lines and labels on the picture keep their own size.
    element.style.setProperty('--inverse', String(1 / view.scale))
  }

  /** While it moves the browser keeps the picture's layer; at rest it may draw it sharp at its new size. */
  function layer(on: boolean): void {
    const element = box()
    if (element !== null) element.style.willChange = on ? 'transform' : ''
  }

  function stop(): void {
    cancelAnimationFrame(running)
    running = 0
  }

  function set(next: View): void {
    stop()
    view = next
    target = next
    draw()
  }

  function rest(): void {
    layer(false)
    rested(view.scale)
  }

  /** Scale and place run together in a straight line, so what is under the pointer stays there. */
  function towards(next: View): void {
    target = next
    layer(true)
    if (stillMotion()) {
      set(next)
      rest()
      return
    }
    if (running !== 0) return
    let before = performance.now()
    const run = () => {
      if (distance(target, view) < 0.002) {
        set(target)
        rest()
        return
      }
      // By time, so that a slow screen is not a slow zoom.
      const at = performance.now()
      const glide = 1 - leftAfterFrame ** Math.max(0.2, (at - before) / 16.7)
      before = at
      view = {
        scale: view.scale + (target.scale - view.scale) * glide,
        x: view.x + (target.x - view.x) * glide,
        y: view.y + (target.y - view.y) * glide,
      }
      draw()
      running = requestAnimationFrame(run)
    }
    running = requestAnimationFrame(run)
  }

  return {
    now: () => view,
    isIn: () => view.scale > 1.001,
    stop,
    layer,
    rest,
    /** From a view that a drag began with, by so many pixels. */
    pan(from: View, dx: number, dy: number) {
      const { fit, stage } = frame()
      set(kept({ ...from, x: from.x + dx, y: from.y + dy }, fit, stage))
    },
    /** Two fingers: zoomed round where they began, and moved with them. */
    pinch(from: View, factor: number, point: Point, dx: number, dy: number) {
      const now = frame()
      const zoomed = zoomedAt(from, factor, point, now)
      set(kept({ ...zoomed, x: zoomed.x + dx, y: zoomed.y + dy }, now.fit, now.stage))
    },
    by(factor: number, point: Point = { x: 0, y: 0 }) {
      const now = frame()
      if (now.zooms) towards(zoomedAt(target, factor, point, now))
    },
    toggle(point: Point) {
      const now = frame()
      if (!now.zooms) return
      const scale = doubleClickScale(view, now.picture, now.fit, now.most)
      towards(zoomedAt(view, scale / view.scale, point, now))
    },
    fit: () => towards(fitted),
    /** Another picture, or another turn of it: it stands as at the beginning within the same frame. */
    begin() {
      set(fitted)
      layer(false)
    },
    /** The stage has another size: the picture stays over it. */
    refit() {
      const { fit, stage } = frame()
      set(kept(view, fit, stage))
    },
  }
}

export type Zoom = ReturnType<typeof createZoom>
