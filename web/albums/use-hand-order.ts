/** Ordering an album by hand: a mouse drags pictures, Alt and an arrow key move the focused one. */
import { useEffect } from 'react'
import type { Album } from '../../schema/api/albums.ts'
import type { Item } from '../../schema/api/items.ts'
import { itemAt, list } from '../items/items.ts'
import { cardToFocus } from '../items/open-item.ts'
import { isSelected, selected } from '../items/selection/selection.ts'
import { moveInAlbum } from './albums.ts'

export const indexOfCard = (card: Element | null | undefined): number | null => {
  const text = card?.querySelector<HTMLElement>('[data-index]')?.dataset.index
  return text === undefined ? null : Number(text)
}

const cardAt = (x: number, y: number): Element | null =>
  document.elementFromPoint(x, y)?.closest('.album-body .card-pic') ?? null

/** The items that a drag of this one moves, in the order of the list: the selected ones if it is selected. */
function itemsToMove(item: Item): Item[] {
  if (!isSelected(item.id)) return [item]
  const loaded = [...(list.peek()?.items ?? [])].sort(([a], [b]) => a - b).map(([, one]) => one)
  return loaded.filter(({ id }) => selected.peek().has(id))
}

/** The first item from an index on that is not being moved; null at the end of the list. */
function nextUnmovedId(index: number, moved: ReadonlySet<number>): number | null {
  for (let at = index; at < (list.peek()?.total ?? 0); at++) {
    const item = itemAt(at)
    if (item !== undefined && !moved.has(item.id)) return item.id
  }
  return null
}

/** The album whose pictures are ordered by hand on the page; null if there is none. */
let orderedAlbum: Album | null = null

export const isOrdering = () => orderedAlbum !== null

/** Places dragged pictures in the order by hand; null if the page has no such order. */
export function startOrdering(item: Item) {
  const album = orderedAlbum
  if (album === null) return null
  const mark = document.createElement('div')
  mark.className = 'drop-mark'
  document.body.append(mark)
  /** The moved items are placed before the item that is at this index now. */
  let to: number | null = null
  return {
    scroller: document.querySelector('.album-body .grid-scroller'),
    /** Moves the mark to the gap that is nearest to the pointer. */
    moveTo(x: number, y: number): void {
      if (document.elementFromPoint(x, y)?.closest('.drop-albums') != null) {
        to = null
        mark.style.height = '0'
        return
      }
      const card = cardAt(x, y)
      const index = indexOfCard(card)
      if (card === null || index === null) return
      const box = card.getBoundingClientRect()
      const isRtl = getComputedStyle(card).direction === 'rtl'
      const isAfter = x > box.x + box.width / 2 !== isRtl
      to = isAfter ? index + 1 : index
      Object.assign(mark.style, {
        height: `${box.height}px`,
        translate: `${(isAfter === isRtl ? box.left - 2 : box.right + 2) - 2}px ${box.top}px`,
      })
    },
    drop(): void {
      const ids = itemsToMove(item).map(({ id }) => id)
      if (to !== null) void moveInAlbum(album, ids, nextUnmovedId(to, new Set(ids)))
    },
    end: () => mark.remove(),
  }
}

/** Moves the focused item by one; returns its new index, or null if it cannot move. */
function moveByKey(album: Album, { key, target, altKey }: KeyboardEvent): number | null {
  if (!altKey || !(target instanceof Element)) return null
  const isRtl = getComputedStyle(target).direction === 'rtl'
  const forward = isRtl ? -1 : 1
  const step = { ArrowLeft: -forward, ArrowRight: forward, ArrowUp: -1, ArrowDown: 1 }[key]
  const index = indexOfCard(target.closest('.album-body .card-pic'))
  const item = itemAt(index ?? -1)
  if (step === undefined || index === null || item === undefined) return null
  const to = index + step
  if (to < 0 || to >= (list.peek()?.total ?? 0)) return index
  const before = nextUnmovedId(step < 0 ? to : to + 1, new Set([item.id]))
  void moveInAlbum(album, [item.id], before).then(() => {
    cardToFocus.value = to
  })
  return to
}

/** `onMoved`: called with the new index of an item that was moved by key. */
export function useHandOrder(album: Album | null, onMoved: (index: number) => void): void {
  const id = album?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: the album's other fields do not matter
  useEffect(() => {
    if (album === null) return
    const stop = new AbortController()
    orderedAlbum = album
    addEventListener(
      'keydown',
      event => {
        const index = moveByKey(album, event)
        if (index === null) return
        event.preventDefault()
        event.stopPropagation()
        onMoved(index)
      },
      { signal: stop.signal, capture: true },
    )
    return () => {
      orderedAlbum = null
      stop.abort()
    }
  }, [id])
}
