/** Which menu of items is open, and where; opens and closes it. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../../schema/api/items.ts'
import type { MenuEntry } from '../../kit/layers/menu.tsx'
import type { Rect } from '../../kit/layers/menu-place.ts'

export type OpenMenu =
  /** The menu of an item. `more`: additional entries, from where it was opened. */
  | { kind: 'item'; item: Item; at: Rect; more: readonly MenuEntry[] }
  /** The choice of how long a new share is valid, from the selection bar. */
  | { kind: 'share'; item: Item; at: Rect }
  /** The actions of the selection. `without`: texts of actions that the selection bar already shows. */
  | { kind: 'selection'; at: Rect; without: ReadonlySet<string> }

export const shownMenu = signal<OpenMenu | null>(null)

export function openItemMenu(item: Item, at: Rect, more: readonly MenuEntry[] = []): void {
  shownMenu.value = { kind: 'item', item, at, more }
}

export function closeMenu(): void {
  shownMenu.value = null
}

/** Where a menu opens: at the pointer or, if a key opens it, in the element with the focus. */
export function menuPlaceOf(event: { clientX: number; clientY: number; currentTarget: Element }): Rect {
  const { x, y, width, height } = event.currentTarget.getBoundingClientRect()
  const inside = event.clientX >= x && event.clientX <= x + width && event.clientY >= y && event.clientY <= y + height
  return inside && (event.clientX !== 0 || event.clientY !== 0)
    ? { x: event.clientX, y: event.clientY, width: 0, height: 0 }
    : { x: x + Math.min(width / 3, 48), y: y + Math.min(height / 3, 48), width: 0, height: 0 }
}

interface Pressed {
  currentTarget: Element
  preventDefault: () => void
}

/** Props of a picture's link that open its menu by right click (or the browser's long press) and by the menu key. */
export function menuProps(item: Item) {
  return {
    onContextMenu(event: Pressed & { clientX: number; clientY: number }) {
      event.preventDefault()
      openItemMenu(item, menuPlaceOf(event))
    },
    onKeyDown(event: Pressed & { key: string; shiftKey: boolean }) {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
      event.preventDefault()
      openItemMenu(item, menuPlaceOf({ clientX: 0, clientY: 0, currentTarget: event.currentTarget }))
    },
  }
}
