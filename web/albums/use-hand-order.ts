/** Ordering an album by hand: a mouse drags pictures, Alt and an arrow key move the focused one. */
import { useEffect } from 'react'
import type { Album } from '../../schema/api/albums.ts'
import type { Item } from '../../schema/api/items.ts'
import { figure } from '../../schema/figures.ts'
import { itemAt, list } from '../items/items.ts'
import { focusWanted } from '../items/open-item.ts'
import { isSelected, selected } from '../items/selection/selection.ts'
import { moveInAlbum } from './albums.ts'

/** Pixels that the pointer moves before a press becomes a drag. */
const slack = 6
/** Height in pixels of the areas at the top and bottom in which dragging scrolls, and pixels per frame. */
const edge = 60
const fastest = 14

const indexIn = (card: Element | null | undefined): number | null => {
  const text = card?.querySelector<HTMLElement>('[data-index]')?.dataset.index
  return text === undefined ? null : Number(text)
}

const cardAt = (x: number, y: number): Element | null =>
  document.elementFromPoint(x, y)?.closest('.album-body .card-pic') ?? null

/** The items that a drag of this one moves, in the order of the list: the selected ones if it is selected. */
function movedWith(item: Item): Item[] {
  if (!isSelected(item.id)) return [item]
  const loaded = [...(list.peek()?.items ?? [])].sort(([a], [b]) => a - b).map(([, one]) => one)
  return loaded.filter(({ id }) => selected.peek().has(id))
}

/** The first item from an index on that is not being moved; null at the end of the list. */
function nextStaying(index: number, moved: ReadonlySet<number>): number | null {
  for (let at = index; at < (list.peek()?.total ?? 0); at++) {
    const item = itemAt(at)
    if (item !== undefined && !moved.has(item.id)) return item.id
  }
  return null
}

interface Drag {
  items: readonly Item[]
  card: Element
  ghost: HTMLElement
  mark: HTMLElement
  /** The moved items are placed before the item that is at this index now. */
  to: number | null
}

function lift(card: Element, item: Item): Drag {
  const items = movedWith(item)
  const ghost = document.createElement('div')
  ghost.className = 'lifted'
  const picture = card.querySelector('img')
  if (picture !== null)
    ghost.append(Object.assign(new Image(), { src: picture.currentSrc, alt: '', className: 'lifted-picture' }))
  if (items.length > 1) ghost.append(Object.assign(document.createElement('b'), { textContent: figure(items.length) }))
  const mark = document.createElement('div')
  mark.className = 'drop-mark'
  document.body.append(ghost, mark)
  card.setAttribute('data-lifted', '')
  return { items, card, ghost, mark, to: null }
}

/** Moves the picture with the pointer, and the mark to the gap that is nearest to it. */
function carry(drag: Drag, x: number, y: number): void {
  drag.ghost.style.translate = `${x - 90}px ${y - 40}px`
  const card = cardAt(x, y)
  const index = indexIn(card)
  if (card === null || index === null) return
  const box = card.getBoundingClientRect()
  const isRtl = getComputedStyle(card).direction === 'rtl'
  const isAfter = x > box.x + box.width / 2 !== isRtl
  drag.to = isAfter ? index + 1 : index
  Object.assign(drag.mark.style, {
    height: `${box.height}px`,
    translate: `${(isAfter === isRtl ? box.left - 2 : box.right + 2) - 2}px ${box.top}px`,
  })
}

function drop({ ghost, mark, card }: Drag): void {
  ghost.remove()
  mark.remove()
  card.removeAttribute('data-lifted')
}

function startDragging(album: Album, signal: AbortSignal): void {
  let press: { card: Element; item: Item; x: number; y: number } | null = null
  let drag: Drag | null = null
  let pointer = { x: 0, y: 0 }
  const end = () => {
    if (drag !== null) drop(drag)
    drag = null
    press = null
  }
  const scroll = () => {
    if (drag === null) return
    const scroller = document.querySelector('.album-body .grid-scroller')
    const box = scroller?.getBoundingClientRect()
    if (scroller != null && box !== undefined) {
      if (pointer.y < box.top + edge) scroller.scrollBy(0, -fastest)
      else if (pointer.y > box.bottom - edge) scroller.scrollBy(0, fastest)
      carry(drag, pointer.x, pointer.y)
    }
    requestAnimationFrame(scroll)
  }
  addEventListener(
    'pointerdown',
    ({ target, button, pointerType, clientX: x, clientY: y }) => {
      if (button !== 0 || pointerType !== 'mouse' || !(target instanceof Element)) return
      const card = target.closest('button') === null ? target.closest('.album-body .card-pic') : null
      const item = itemAt(indexIn(card) ?? -1)
      press = card === null || item === undefined ? null : { card, item, x, y }
    },
    { signal },
  )
  // The browser would drag the link.
  addEventListener('dragstart', event => press !== null && event.preventDefault(), { signal })
  addEventListener(
    'pointermove',
    ({ clientX: x, clientY: y }) => {
      if (press === null) return
      pointer = { x, y }
      if (drag === null) {
        if (Math.hypot(x - press.x, y - press.y) < slack) return
        drag = lift(press.card, press.item)
        requestAnimationFrame(scroll)
      }
      carry(drag, x, y)
    },
    { signal },
  )
  addEventListener(
    'pointerup',
    () => {
      if (drag !== null) {
        const ids = drag.items.map(({ id }) => id)
        const { to } = drag
        if (to !== null) void moveInAlbum(album, ids, nextStaying(to, new Set(ids)))
        // The click that follows would open the picture.
        addEventListener('click', swallow, { capture: true })
        setTimeout(() => removeEventListener('click', swallow, { capture: true }))
      }
      end()
    },
    { signal },
  )
  addEventListener('pointercancel', end, { signal })
  addEventListener(
    'keydown',
    event => {
      if (event.key !== 'Escape' || drag === null) return
      event.stopPropagation()
      end()
    },
    { signal, capture: true },
  )
  signal.addEventListener('abort', end)
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

/** Moves the focused item by one; returns its new index, or null if it cannot move. */
function moveByKey(album: Album, { key, target, altKey }: KeyboardEvent): number | null {
  if (!altKey || !(target instanceof Element)) return null
  const isRtl = getComputedStyle(target).direction === 'rtl'
  const forward = isRtl ? -1 : 1
  const step = { ArrowLeft: -forward, ArrowRight: forward, ArrowUp: -1, ArrowDown: 1 }[key]
  const index = indexIn(target.closest('.album-body .card-pic'))
  const item = itemAt(index ?? -1)
  if (step === undefined || index === null || item === undefined) return null
  const to = index + step
  if (to < 0 || to >= (list.peek()?.total ?? 0)) return index
  const before = nextStaying(step < 0 ? to : to + 1, new Set([item.id]))
  void moveInAlbum(album, [item.id], before).then(() => {
    focusWanted.value = to
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
    startDragging(album, stop.signal)
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
    return () => stop.abort()
  }, [id])
}
