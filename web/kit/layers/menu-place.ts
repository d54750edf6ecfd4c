/** Position of a menu: at its button or pointer, always within the window. Pure. */

export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** Margin at the window's edges, in pixels. */
const margin = 8

function within(wanted: number, size: number, room: number): number {
  return Math.max(margin, Math.min(wanted, room - size - margin))
}

/** Below the anchor and aligned with its start; without room, above or aligned with its end. */
export function menuPlace(
  anchor: Rect,
  menu: { width: number; height: number },
  window: { width: number; height: number },
  rtl = false,
): { left: number; top: number } {
  const [start, end] = [anchor.x, anchor.x + anchor.width - menu.width]
  const fits = (left: number) => left >= margin && left + menu.width <= window.width - margin
  const [first, second] = rtl ? [end, start] : [start, end]
  const left = fits(first) ? first : fits(second) ? second : within(first, menu.width, window.width)
  const gap = anchor.height > 0 ? 4 : 0
  const below = anchor.y + anchor.height + gap
  const above = anchor.y - menu.height - gap
  const top =
    below + menu.height <= window.height - margin
      ? below
      : above >= margin
        ? above
        : within(below, menu.height, window.height)
  return { left, top }
}

/** Beside its entry, on the side with room; `inset` is the entry's distance from its own menu's edge. */
export function submenuPlace(
  entry: Rect,
  menu: { width: number; height: number },
  window: { width: number; height: number },
  rtl = false,
  inset = 6,
): { left: number; top: number } {
  const after = entry.x + entry.width
  const before = entry.x - menu.width
  const fitsAfter = after + menu.width <= window.width - margin
  const fitsBefore = before >= margin
  const left = (rtl ? fitsBefore || !fitsAfter : !fitsAfter && fitsBefore) ? before : after
  return { left: within(left, menu.width, window.width), top: within(entry.y - inset, menu.height, window.height) }
}
