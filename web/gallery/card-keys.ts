/** Keys of the gallery, with and without a focused card. */
import type { KeyboardEvent } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { isTyping } from '../app/use-global-keys.ts'
import { favouritesPart } from '../items/favourites/part.ts'
import { itemAt } from '../items/items.ts'
import { menuPlaceOf, openItemMenu } from '../items/selection/item-menu-state.ts'
import { rate } from '../items/selection/rating.ts'
import { askDelete } from '../items/selection/recycling.ts'
import {
  clearSelection,
  selectCurrent,
  selected,
  selectProgress,
  stopSelecting,
  toggle,
} from '../items/selection/selection.ts'
import { layers } from '../kit/layers/layers.ts'

/** The items that a card's keys change: the whole selection if the card is selected, else its item alone. */
function targetsOf(item: Item): readonly Item[] {
  return selected.peek().has(item.id) ? [...selected.peek().values()] : [item]
}

/** Keys of a focused card: select, favourite, rate, delete, menu. Returns whether the key was handled. */
export function onCardKey(event: KeyboardEvent<HTMLElement>): boolean {
  const card = event.target
  if (!(card instanceof HTMLElement) || card.dataset.index === undefined) return false
  if (event.metaKey || event.ctrlKey || event.altKey) return false
  const index = Number(card.dataset.index)
  const item = itemAt(index)
  if (item === undefined) return false
  const { key } = event
  if (key === ' ' || key === 'x' || key === 'X') toggle(item, index)
  else if (key === 'f') void favouritesPart.peek()?.toggleFavourites(targetsOf(item))
  else if (/^[0-5]$/.test(key)) rate(targetsOf(item), Number(key))
  else if (key === 'Delete') askDelete(targetsOf(item))
  else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
    openItemMenu(item, menuPlaceOf({ clientX: 0, clientY: 0, currentTarget: card }))
  } else return false
  event.preventDefault()
  return true
}

/** Keys that work without a focused card: select all, deselect, and rate or delete the selection. */
export function onGalleryKey(event: globalThis.KeyboardEvent): void {
  if (event.defaultPrevented || layers.peek().length > 0 || isTyping(event.target)) return
  const items = [...selected.peek().values()]
  const command = event.metaKey || event.ctrlKey
  if (command && event.key.toLowerCase() === 'a' && !event.shiftKey && !event.altKey) void selectCurrent()
  else if (command || event.altKey) return
  else if (event.key === 'Escape' && selectProgress.peek() !== null) stopSelecting()
  else if (items.length === 0) return
  else if (event.key === 'Escape') clearSelection()
  else if (/^[0-5]$/.test(event.key)) rate(items, Number(event.key))
  else if (event.key === 'Delete') askDelete(items)
  else return
  event.preventDefault()
}
