/** Geometry of the viewer: fitting, zooming, moving and swiping a picture. Points are pixels from the stage's centre. Pure. */

export interface Size {
  width: number
  height: number
}

/** How a picture is shown: at scale 1 it fits the stage; x and y are the position of its centre. */
export interface ZoomView {
  scale: number
  x: number
  y: number
}

export const fittedView: ZoomView = { scale: 1, x: 0, y: 0 }

/** Pictures are enlarged to at most this many times their own pixels; more would only show grain. */
const maxEnlargement = 2

/** Size of a picture fitted into a stage. A picture of unknown size fills the stage. `density`: device pixels per pixel. */
export function fitWithin(picture: Size, stage: Size, density = 1): Size {
  if (picture.width <= 0 || picture.height <= 0) return { width: stage.width, height: stage.height }
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height, maxEnlargement / density)
  return { width: picture.width * factor, height: picture.height * factor }
}

/**
 * Size of the area of a box that a picture covers: the whole box (the same object) or, if that would enlarge the picture
 * too much, at most twice its own pixels. `density`: device pixels for each pixel of the box.
 */
export function coveredPart(picture: Size, box: Size, density: number): Size {
  if (picture.width <= 0 || picture.height <= 0) return box
  const max = maxEnlargement / density
  if (Math.max(box.width / picture.width, box.height / picture.height) <= max) return box
  return { width: Math.min(box.width, picture.width * max), height: Math.min(box.height, picture.height * max) }
}

/** Size of a picture after a rotation by a multiple of 90 degrees. */
export function turnedSize(picture: Size, degrees: number): Size {
  return degrees % 180 === 0 ? picture : { width: picture.height, height: picture.width }
}

/** The maximum scale, which shows a picture at twice its own pixels; 4 if its size is unknown. */
export function maxScale(picture: Size, fit: Size, density = 1): number {
  if (picture.width <= 0 || fit.width <= 0) return 4
  return Math.max(1, (maxEnlargement * picture.width) / fit.width / density)
}

/** Moves the picture so that it leaves no gap in the stage where it is larger, and is centred where it is smaller. */
export function keepOnStage(view: ZoomView, fit: Size, stage: Size): ZoomView {
  const roomX = Math.max(0, (fit.width * view.scale - stage.width) / 2)
  const roomY = Math.max(0, (fit.height * view.scale - stage.height) / 2)
  return {
    scale: view.scale,
    x: Math.min(Math.max(view.x, -roomX), roomX),
    y: Math.min(Math.max(view.y, -roomY), roomY),
  }
}

/** Zooms by a factor; the part of the picture at `point` stays there. */
export function zoomAt(
  view: ZoomView,
  factor: number,
  point: { x: number; y: number },
  frame: { fit: Size; stage: Size; maxScale: number },
): ZoomView {
  const scale = Math.min(Math.max(view.scale * factor, 1), frame.maxScale)
  const ratio = scale / view.scale
  const moved = { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio }
  return keepOnStage(moved, frame.fit, frame.stage)
}

/**
 * The scale after a double click. It zooms in to 1:1 (one pixel of the picture for each device pixel), or back out. A
 * picture that is already that large when fitted is enlarged to the maximum. `density`: device pixels for each pixel of
 * the stage.
 */
export function doubleClickScale(view: ZoomView, picture: Size, fit: Size, density: number): number {
  if (view.scale > 1.01) return 1
  const max = maxScale(picture, fit, density)
  const actualPixels = max / maxEnlargement
  return actualPixels > 1.05 ? actualPixels : max
}

/**
 * Which picture a swipe leads to: 1 is the next one, -1 the previous one, 0 the same. `distance` in pixels and `speed` in
 * pixels per millisecond are negative for a swipe to the left, or to the right in a page read from right to left.
 */
export function swipeStep(distance: number, speed: number, width: number): -1 | 0 | 1 {
  const isFar = Math.abs(distance) > width * 0.3
  const isFast = Math.abs(speed) > 0.4 && Math.abs(distance) > 20 && Math.sign(speed) === Math.sign(distance)
  if (!isFar && !isFast) return 0
  return distance < 0 ? 1 : -1
}
