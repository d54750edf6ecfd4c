/** Geometry of the viewer: fit, zoom around a point, pan, swipe; in pixels from the stage's centre. Pure. */

export interface Size {
  width: number
  height: number
}

/** Scale 1 fits the stage; x and y move the picture's centre. */
export interface ZoomView {
  scale: number
  x: number
  y: number
}

export const fittedView: ZoomView = { scale: 1, x: 0, y: 0 }

/** Small pictures are enlarged at most to twice their own pixels; more would only show grain. */
const maxEnlarged = 2

/** Size of a picture fitted into a stage. A picture of unknown size fills the stage. `density`: see `coveredPart`. */
export function fitWithin(picture: Size, stage: Size, density = 1): Size {
  if (picture.width <= 0 || picture.height <= 0) return { width: stage.width, height: stage.height }
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height, maxEnlarged / density)
  return { width: picture.width * factor, height: picture.height * factor }
}

/**
 * The part of a box that a picture may cover: all of it or, if that would enlarge the picture too much, the area of
 * twice its own pixels. `density`: device pixels for each pixel of the box.
 */
export function coveredPart(picture: Size, box: Size, density: number): Size {
  if (picture.width <= 0 || picture.height <= 0) return box
  const most = maxEnlarged / density
  if (Math.max(box.width / picture.width, box.height / picture.height) <= most) return box
  return { width: Math.min(box.width, picture.width * most), height: Math.min(box.height, picture.height * most) }
}

/** A quarter turn swaps width and height. */
export function turnedSize(picture: Size, degrees: number): Size {
  return degrees % 180 === 0 ? picture : { width: picture.height, height: picture.width }
}

/** The maximum scale: twice the picture's own pixels; 4 if its size is unknown. */
export function maxScale(picture: Size, fit: Size, density = 1): number {
  if (picture.width <= 0 || fit.width <= 0) return 4
  return Math.max(1, (maxEnlarged * picture.width) / fit.width / density)
}

/** Keeps the picture over the stage: no gap on any side while it is larger, centred while it is smaller. */
export function kept(view: ZoomView, fit: Size, stage: Size): ZoomView {
  const roomX = Math.max(0, (fit.width * view.scale - stage.width) / 2)
  const roomY = Math.max(0, (fit.height * view.scale - stage.height) / 2)
  return {
    scale: view.scale,
    x: Math.min(Math.max(view.x, -roomX), roomX),
    y: Math.min(Math.max(view.y, -roomY), roomY),
  }
}

/** Zooms by a factor around a fixed point. */
export function zoomedAt(
  view: ZoomView,
  factor: number,
  point: { x: number; y: number },
  frame: { fit: Size; stage: Size; most: number },
): ZoomView {
  const scale = Math.min(Math.max(view.scale * factor, 1), frame.most)
  const ratio = scale / view.scale
  const moved = { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio }
  return kept(moved, frame.fit, frame.stage)
}

/**
 * A double click zooms in to 1:1, a pixel of the picture on each pixel of the screen, or back out. A picture that the
 * stage already shows as large is enlarged to the maximum. `density`: device pixels for each pixel of the stage.
 */
export function doubleClickScale(view: ZoomView, picture: Size, fit: Size, density: number): number {
  if (view.scale > 1.01) return 1
  const most = maxScale(picture, fit, density)
  const own = most / maxEnlarged
  return own > 1.05 ? own : most
}

/** What a swipe leads to: 1 is the next picture, -1 the previous one, 0 none. To the left, speed is negative. */
export function swipeEnd(distance: number, speed: number, width: number): -1 | 0 | 1 {
  const far = Math.abs(distance) > width * 0.3
  const quick = Math.abs(speed) > 0.4 && Math.abs(distance) > 20 && Math.sign(speed) === Math.sign(distance)
  if (!far && !quick) return 0
  return distance < 0 ? 1 : -1
}
