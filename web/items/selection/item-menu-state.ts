/** The menu of an item or of the selection: which one is open, and where. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../../schema/api/items.ts'
import type { MenuEntry } from '../../kit/layers/menu.tsx'
import type { Rect } from '../../kit/layers/menu-place.ts'

export type OpenMenu =
  /** `more`: entries of the place where the menu was opened. */
  | { kind: 'item'; item: Item; at: Rect; more: readonly MenuEntry[] }
  /** The durations of a new share, opened from the selection bar. */
  | { kind: 'share'; item: Item; at: Rect }
  /** The actions of the selection, without those with these texts, which the selection bar shows. */
  | { kind: 'selection'; at: Rect; without: ReadonlySet<string> }

export const shownMenu = signal<OpenMenu | null>(null)

export function openItemMenu(item: Item, at: Rect, more: readonly MenuEntry[] = []): void {
  shownMenu.value = { kind: 'item', item, at, more }
}

export function closeMenu(): void {
  shownMenu.value = null
}

/** The position of an event: of the pointer or, for the keyboard, of the focused element. */
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

/** Props that add a menu to a picture's link: by right click (or the browser's long press) and menu key. */
export function menuOn(item: Item) {
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
