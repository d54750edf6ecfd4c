/** Drawing, moving and resizing boxes, in thousandths of the shown picture's longer edge. Pure. */
import type { PictureBox } from '../../../items/pictures/region-rules.ts'
import type { Size } from '../../../items/pictures/zoom.ts'

const newBoxSide = 50
const minBox = 10

/** North is the upper edge, east the right one, whatever the text direction of the page. */
export const handles = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const
export type Handle = (typeof handles)[number]

/** A picture's width and height in thousandths of the longer one; null if unknown. */
export function sidesOf({ width, height }: Size): Size | null {
  if (width <= 0 || height <= 0) return null
  const longer = Math.max(width, height)
  return { width: (width / longer) * 1000, height: (height / longer) * 1000 }
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
const roundLength = (length: number) => Math.round(length * 1000) / 1000

function roundBox({ x, y, width, height }: PictureBox): PictureBox {
  return { x: roundLength(x), y: roundLength(y), width: roundLength(width), height: roundLength(height) }
}

/** The box of a person or object that is on the picture without a place. */
export const nowhere: PictureBox = { x: 0, y: 0, width: 0, height: 0 }

export function hasNoBox({ width, height }: PictureBox): boolean {
  return width === 0 && height === 0
}

/** A new box around a point; null if the point is outside the picture, or the picture is too small for the box. */
export function newBox(point: { x: number; y: number }, sides: Size): PictureBox | null {
  const outside = point.x < 0 || point.y < 0 || point.x > sides.width || point.y > sides.height
  if (outside || sides.width < newBoxSide || sides.height < newBoxSide) return null
  return roundBox({
    x: clamp(point.x - newBoxSide / 2, 0, sides.width - newBoxSide),
    y: clamp(point.y - newBoxSide / 2, 0, sides.height - newBoxSide),
    width: newBoxSide,
    height: newBoxSide,
  })
}

/** The moved box, which stops at the picture's edges. */
export function movedBox(box: PictureBox, by: { x: number; y: number }, sides: Size): PictureBox {
  return roundBox({
    ...box,
    x: clamp(box.x + by.x, 0, Math.max(0, sides.width - box.width)),
    y: clamp(box.y + by.y, 0, Math.max(0, sides.height - box.height)),
  })
}

/** Moves one end of an interval between 0 and `most`; the ends cannot swap. */
function resizedInterval(start: number, length: number, by: number, side: 'start' | 'end' | 'none', most: number) {
  const end = start + length
  // An interval that is already below the minimum does not have to grow.
  const least = Math.min(minBox, length)
  if (side === 'none') return { start, length }
  if (side === 'end') return { start, length: clamp(end + by, start + least, Math.max(most, end)) - start }
  const next = clamp(start + by, Math.min(0, start), end - least)
  return { start: next, length: end - next }
}

export function resizedBox(box: PictureBox, handle: Handle, by: { x: number; y: number }, sides: Size): PictureBox {
  const across = handle.includes('w') ? 'start' : handle.includes('e') ? 'end' : 'none'
  const down = handle.includes('n') ? 'start' : handle.includes('s') ? 'end' : 'none'
  const wide = resizedInterval(box.x, box.width, by.x, across, sides.width)
  const high = resizedInterval(box.y, box.height, by.y, down, sides.height)
  return roundBox({ x: wide.start, y: high.start, width: wide.length, height: high.length })
}

/** How far an arrow key moves a box. */
const step = 5
/** How far an arrow key moves a box with Alt. */
const fineStep = 1

const arrows: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** A box after a key: arrows move it; with Shift they move its lower right corner. Null for other keys. */
export function boxAfterKey(
  box: PictureBox,
  { key, shiftKey, altKey }: { key: string; shiftKey: boolean; altKey: boolean },
  sides: Size,
): PictureBox | null {
  const arrow = arrows[key]
  if (arrow === undefined) return null
  const far = altKey ? fineStep : step
  const by = { x: arrow.x * far, y: arrow.y * far }
  return shiftKey ? resizedBox(box, 'se', by, sides) : movedBox(box, by, sides)
}

/** A box after its picture was rotated clockwise by 0, 90, 180 or 270 degrees; `sides` is the size before. */
export function rotatedBox(box: PictureBox, degrees: number, sides: Size): PictureBox {
  if (hasNoBox(box)) return box
  const { x, y, width, height } = box
  switch (((degrees % 360) + 360) % 360) {
    case 90:
      return roundBox({ x: sides.height - y - height, y: x, width: height, height: width })
    case 180:
      return roundBox({ x: sides.width - x - width, y: sides.height - y - height, width, height })
    case 270:
      return roundBox({ x: y, y: sides.width - x - width, width: height, height: width })
    default:
      return box
  }
}

/** Whether two boxes are equal, apart from differences that come from rounding. */
export function isSamePlace(a: PictureBox, b: PictureBox): boolean {
  return (['x', 'y', 'width', 'height'] as const).every(side => Math.abs(a[side] - b[side]) < 0.01)
}

/** Position in pixels of a box's panel: below the box, else above, else beside it, and always within the stage. */
export function panelPlace(box: PictureBox, panel: Size, stage: Size): { x: number; y: number } {
  const gap = 10
  const within = (value: number, length: number, most: number) => clamp(value, 0, Math.max(0, most - length))
  const x = within(box.x, panel.width, stage.width)
  const [under, above] = [box.y + box.height + gap, box.y - gap - panel.height]
  if (under + panel.height <= stage.height) return { x, y: under }
  if (above >= 0) return { x, y: above }
  const after = box.x + box.width + gap
  const before = box.x - gap - panel.width
  const beside = after + panel.width <= stage.width ? after : before >= 0 ? before : x
  return { x: beside, y: within(under, panel.height, stage.height) }
}
