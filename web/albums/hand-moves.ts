/** Ordering an album by hand without a mouse: actions that move the chosen items by one place, or to an end. */
import { ChevronDown, ChevronsDown, ChevronsUp, ChevronUp, type LucideIcon } from 'lucide-react'
import type { Item } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { filter, filterQuery, sortQuery } from '../app/current-filter.ts'
import { attempt } from '../app/messages.ts'
import { itemAt, list } from '../items/items.ts'
import { addSelectionAction } from '../items/selection/selection-actions.ts'
import { albumsTexts } from '../texts/albums.ts'
import { mayManage, moveInAlbum, openAlbum } from './albums.ts'

type Move = 'first' | 'earlier' | 'later' | 'last'

/** The chosen items that are loaded, with their indices, in the order of the list. Reads signals. */
function positionsOf(items: readonly Item[]): { index: number; id: number }[] {
  const ids = new Set(items.map(({ id }) => id))
  return [...(list.value?.items ?? [])]
    .flatMap(([index, { id }]) => (ids.has(id) ? { index, id } : []))
    .sort((a, b) => a.index - b.index)
}

/** The id at an index of the list, which may have been dropped as far from view. */
async function idAt(index: number): Promise<number | undefined> {
  const held = itemAt(index)
  if (held !== undefined) return held.id
  const query = { ...filterQuery.peek(), ...sortQuery.peek(), limit: 1, page: index + 1 }
  const { items } = await api.items.list({ params: { collectionId: filter.peek().collection }, query })
  return items[0]?.id
}

/** The index before whose item the items at these indices are placed. */
export function targetIndex(move: Move, indices: readonly number[], total: number): number {
  if (move === 'first') return 0
  if (move === 'last') return total
  return move === 'earlier' ? Math.max(0, Math.min(...indices) - 1) : Math.min(total, Math.max(...indices) + 2)
}

async function moveItems(items: readonly Item[], move: Move): Promise<void> {
  const album = openAlbum.peek()
  if (album === null) return
  const places = positionsOf(items)
  const total = list.peek()?.total ?? 0
  const ids = [...new Set([...places.map(({ id }) => id), ...items.map(({ id }) => id)])]
  let before: number | undefined
  const found = await attempt(albumsTexts.failedToChangeItems, async () => {
    let index = targetIndex(
      move,
      places.map(place => place.index),
      total,
    )
    // The moved items cannot be placed before one of themselves.
    do before = index < total ? await idAt(index++) : undefined
    while (before !== undefined && ids.includes(before))
  })
  if (found) await moveInAlbum(album, ids, before ?? null)
}

function isMovable(items: readonly Item[]): boolean {
  const album = openAlbum.value
  const isByHand = album !== null && filter.value.sort === 'hand' && mayManage(album)
  return isByHand && positionsOf(items).length > 0
}

const moves: readonly [move: Move, text: string, icon: LucideIcon][] = [
  ['earlier', albumsTexts.moveEarlier, ChevronUp],
  ['later', albumsTexts.moveLater, ChevronDown],
  ['first', albumsTexts.moveToBeginning, ChevronsUp],
  ['last', albumsTexts.moveToEnd, ChevronsDown],
]

export function offerHandMoves(): void {
  for (const [move, text, icon] of moves)
    addSelectionAction({
      text,
      icon,
      order: 27,
      inItemMenu: true,
      offered: isMovable,
      act: items => void moveItems(items, move),
    })
}
