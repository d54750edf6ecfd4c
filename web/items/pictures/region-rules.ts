/** Boxes of people and objects on a picture that is scaled, cropped or rotated. Pure. */
import type { Size } from './zoom.ts'

/** Top left corner and size. The unit depends: thousandths of the longer edge, shares (0–1) of the picture, or pixels. */
export interface PictureBox {
  x: number
  y: number
  width: number
  height: number
}

/**
 * Converts a region in thousandths of the picture's longer edge to shares (0–1) of its width and height; null if the
 * picture's size is unknown.
 */
export function boxAsShares(region: PictureBox, picture: Size): PictureBox | null {
  if (picture.width <= 0 || picture.height <= 0) return null
  const longer = Math.max(picture.width, picture.height)
  const [across, down] = [longer / picture.width / 1000, longer / picture.height / 1000]
  return { x: region.x * across, y: region.y * down, width: region.width * across, height: region.height * down }
}

/** Where a box in shares is after the picture was rotated clockwise by 0, 90, 180 or 270 degrees. */
export function rotatedBox(box: PictureBox, degrees: number): PictureBox {
  switch (((degrees % 360) + 360) % 360) {
    case 90:
      return { x: 1 - box.y - box.height, y: box.x, width: box.height, height: box.width }
    case 180:
      return { x: 1 - box.x - box.width, y: 1 - box.y - box.height, width: box.width, height: box.height }
    case 270:
      return { x: box.y, y: 1 - box.x - box.width, width: box.height, height: box.width }
    default:
      return box
  }
}

/**
 * Converts a box in shares to pixels of a frame that the picture covers, as CSS `object-fit: cover` does; null if it is
 * outside the frame. `focus`: which part of the cropped picture is visible, as `object-position` in shares.
 */
export function boxOnCover(
  share: PictureBox,
  picture: Size,
  frame: Size,
  focus = { x: 0.5, y: 0.35 },
): PictureBox | null {
  const factor = Math.max(frame.width / picture.width, frame.height / picture.height)
  const [width, height] = [picture.width * factor, picture.height * factor]
  const left = (frame.width - width) * focus.x
  const top = (frame.height - height) * focus.y
  const box = {
    x: left + share.x * width,
    y: top + share.y * height,
    width: share.width * width,
    height: share.height * height,
  }
  const isVisible = box.x < frame.width && box.y < frame.height && box.x + box.width > 0 && box.y + box.height > 0
  return isVisible ? box : null
}

/** If a box starts outside the frame: how far its label must move from the box's corner to be visible; else null. */
export function labelShift(box: PictureBox): { left: number; top: number } | null {
  return box.x < 0 || box.y < 0 ? { left: Math.max(0, -box.x) + 6, top: Math.max(0, -box.y) + 6 } : null
}

/** Position of a label that is 26 pixels high: above its box, else below it, else inside at the top. */
export function labelPlace(box: PictureBox, frame: Size): 'above' | 'under' | 'inside' {
  if (box.y >= 28) return 'above'
  return box.y + box.height + 28 <= frame.height ? 'under' : 'inside'
}
