/** Drags pictures of the gallery onto albums, and within the order by hand. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import { signedIn } from '../app/session.ts'
import { itemAt } from '../items/items.ts'
import { deselect, isSelected, selected } from '../items/selection/selection.ts'
import { phone } from '../kit/viewport.ts'
import { albumDialog } from './album-dialogs.ts'
import { addableAlbums, addToAlbum } from './albums.ts'
import type { DragSource } from './mouse-drag.ts'
import { indexOfCard, isOrdering, startOrdering } from './use-hand-order.ts'

/** The items that are being dragged. */
export const draggedItems = signal<readonly Item[]>([])

function dropOn(target: Element, items: readonly Item[]): void {
  const id = Number(target.getAttribute('data-into'))
  const album = addableAlbums.peek().find(one => one.id === id)
  if (id === 0) albumDialog.value = { kind: 'edit', album: null, items }
  else if (album !== undefined) void addToAlbum(album, items).then(done => done && deselect(items.map(item => item.id)))
}

/** Starts to drag the pressed picture, with all selected ones if it is selected. */
export function dragSourceOfItem(pressed: Element): (() => DragSource) | null {
  const card = pressed.closest('button') === null ? pressed.closest('.gallery .card-pic') : null
  const item = itemAt(indexOfCard(card) ?? -1)
  if (card === null || item === undefined || !signedIn.peek()) return null
  // A phone has no sidebar to drop on.
  if (phone.peek() && !isOrdering()) return null
  return () => {
    const items = isSelected(item.id) ? [...selected.peek().values()] : [item]
    const ordering = startOrdering(item)
    draggedItems.value = items
    return {
      from: card,
      name: item.name,
      count: items.length,
      targetAt: element => element.closest('[data-into]'),
      moveTo: ordering?.moveTo,
      scroller: ordering?.scroller,
      drop: target => (target === null ? ordering?.drop() : dropOn(target, items)),
      end() {
        draggedItems.value = []
        ordering?.end()
      },
    }
  }
}
