/** Position of a popup beside its marker. Pure. */
import { limits } from '../../schema/limits.ts'

const width = limits.map.popupWidth
const height = 293
/** Pixels between the popup and its marker. */
const gap = 36
/** Pixels between the popup and the map's edge. */
const inset = 12

/** Places the popup on the side with more room, and within the map if possible. */
export function popupPlace(
  at: { x: number; y: number },
  room: { width: number; height: number },
): { left: number; top: number } {
  const left = at.x > room.width / 2 ? at.x - gap - width : at.x + gap
  const keep = (value: number, most: number) => Math.max(inset, Math.min(value, most - inset))
  return { left: keep(left, room.width - width), top: keep(at.y - height / 2, room.height - height) }
}
