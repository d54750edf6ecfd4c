/** The layout of a gallery, its scrolling, which cards are rendered, and its position in the history. */
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { address } from '../app/address.ts'
import { itemAt, list, setVisibleRange } from '../items/items.ts'
import { openId, savePosition } from '../items/open-item.ts'
import { useElementSize } from '../kit/use-element-size.ts'
import { type Arrangement, firstVisible, overscan, positionToShow } from './arrangement.ts'
import type { Extent } from './logical-scroll.ts'
import { type LogicalScroll, useLogicalScroll } from './use-logical-scroll.ts'

/** A range of the list: `count` items from `start`. An `endless` gallery saves its position in the history entry. */
export interface GridRange {
  start: number
  count: number
  endless: boolean
}

/** The rendered cards, as indices within the range. */
interface Rendered {
  first: number
  last: number
  /** Height of the content above the spacer. */
  offset: number
}

/** A point of a card (`share` of its height, 0–1) that is `y` pixels below the top of the view. */
interface Pinned {
  index: number
  share: number
  y: number
}

/** A scroll position, by the item whose row is at the top. */
interface ItemPlace {
  index: number
  /** How many pixels of its row are scrolled out of view; negative if its heading is visible. */
  rest: number
}

/** The first visible item. */
interface Anchor extends ItemPlace {
  id: number | null
}

export interface GridView<Rows extends Arrangement = Arrangement> {
  scroller: RefObject<HTMLDivElement | null>
  /** Size of the view in pixels. */
  size: { width: number; height: number }
  rows: Rows
  extent: Extent
  rendered: Rendered
  scroll: LogicalScroll
  anchor: RefObject<Anchor>
  /** Keeps this point where it is when the cards are arranged next time. */
  pin: (point: Pinned) => void
  /** Scrolls a whole card into view; `onlyIfUnseen`: only if no part of it is visible. */
  scrollToCard: (index: number, onlyIfUnseen?: boolean) => void
}

/** The scroll position of a place. If `rest` was measured in a higher row, it is cut to the height of this row. */
function positionOf({ index, rest }: ItemPlace, rows: Arrangement): number {
  const { top, height } = rows.boxOf(index)
  return top + Math.min(rest, height + rows.gap)
}

/**
 * Makes the item of a place that was just scrolled to the anchor. While the layout is a guess, its row may begin with an
 * earlier item, to which the anchor would otherwise be set.
 */
function setAnchor({ anchor, rows }: GridView, { index, rest }: ItemPlace, start: number): void {
  if (index < rows.count) anchor.current = { index, id: itemAt(start + index)?.id ?? null, rest }
}

/** The initial place: that of the history entry, or else that of the open item, or else the start. */
function initialPlace({ start, count, endless }: GridRange, { heading }: Arrangement): ItemPlace {
  const { scroll, overGallery } = address.value.entry
  if (endless && scroll !== undefined) return { index: scroll.index - start, rest: scroll.rest }
  const open = overGallery === undefined ? -1 : overGallery.index - start
  return { index: open >= 0 && open < count ? open : 0, rest: -heading }
}

/** Keeps the same items visible when the layout or the number of items changes. */
function useStablePlace(view: GridView, range: GridRange, pinned: RefObject<Pinned | null>): void {
  const { size, rows, extent, scroll, anchor } = view
  const placed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the arrangement changes
  useLayoutEffect(() => {
    if (size.height === 0) return
    const place = placed.current ? anchor.current : initialPlace(range, rows)
    placed.current = true
    const { current: pin } = pinned
    pinned.current = null
    if (pin === null) {
      scroll.fit(extent, positionOf(place, rows))
      setAnchor(view, place, range.start)
    } else {
      const { top, height } = rows.boxOf(pin.index)
      scroll.fit(extent, top + pin.share * height - pin.y)
    }
  }, [rows, size.width, size.height])
}

/** When items were inserted before the first visible item, scrolls so that it stays where it is. */
function useInsertedItems(view: GridView, { start }: GridRange): void {
  const { value } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list changes
  useLayoutEffect(() => {
    const { index, id, rest } = view.anchor.current
    if (id === null || index === 0 || itemAt(start + index)?.id === id) return
    for (const [at, item] of value?.items ?? []) {
      if (item.id !== id) continue
      view.scroll.jump(positionOf({ index: at - start, rest }, view.rows))
      return
    }
  }, [value])
}

/** Restores the history entry's position after back and forward, or when Home is opened again. */
function useHistoryPlace(view: GridView, { start, endless }: GridRange): void {
  const { path, entry } = address.value
  const lastPath = useRef(path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the address changes
  useEffect(() => {
    const before = lastPath.current
    lastPath.current = path
    // While the viewer is open, and when it closes, the grid keeps its position.
    if (!endless || path !== '/' || before !== '/' || view.size.height === 0) return
    const { index, rest } = view.anchor.current
    const scroll = entry.scroll ?? { index: start, rest: -view.rows.heading }
    if (scroll.index - start === index && Math.abs(scroll.rest - rest) < 2) return
    const place = { index: scroll.index - start, rest: scroll.rest }
    view.scroll.jump(positionOf(place, view.rows))
    setAnchor(view, place, start)
  }, [path, entry])
}

/** `arrange` returns the arrangement for a width and height. Cards are arranged again when another function is passed. */
export function useGridView<Rows extends Arrangement>(
  range: GridRange,
  arrange: (width: number, height: number) => Rows,
): GridView<Rows> {
  const { start, endless } = range
  const scroller = useRef<HTMLDivElement>(null)
  const size = useElementSize(scroller)
  const [rendered, setRendered] = useState<Rendered>({ first: 0, last: -1, offset: 0 })
  const rows = useMemo(() => arrange(size.width, size.height), [arrange, size.width, size.height])
  const anchor = useRef<Anchor>({ index: 0, id: null, rest: 0 })

  const update = () => {
    const { position, offset, speed } = scroll.place.value
    const margins = overscan(speed, rows)
    const toRender = rows.within(position - margins.above, position + size.height + margins.below)
    const index = firstVisible(rows, position)
    anchor.current = { index, id: itemAt(start + index)?.id ?? null, rest: position - rows.boxOf(index).top }
    if (size.height > 0 && toRender.last >= toRender.first)
      setVisibleRange(start + toRender.first, start + toRender.last)
    if (toRender.first !== rendered.first || toRender.last !== rendered.last || offset !== rendered.offset)
      setRendered({ ...toRender, offset })
  }
  const scroll = useLogicalScroll(
    scroller,
    // After scrolling, render the new area in the same frame.
    fitting => (fitting ? update() : flushSync(update)),
    () => {
      if (endless && openId.value === null) savePosition(start + anchor.current.index, Math.round(anchor.current.rest))
    },
  )
  const scrollToCard = (index: number, onlyIfUnseen = false) => {
    const { position } = scroll.place.value
    const { top, height } = rows.boxOf(index)
    if (onlyIfUnseen && top < position + size.height && top + height > position) return
    const wanted = positionToShow(index, position, size.height, rows)
    if (wanted !== position) scroll.jump(wanted)
  }
  const extent = { content: rows.height, view: size.height }
  const pinned = useRef<Pinned | null>(null)
  const pin = (point: Pinned) => {
    pinned.current = point
  }
  const view = { scroller, size, rows, extent, rendered, scroll, anchor, pin, scrollToCard }
  useStablePlace(view, range, pinned)
  useInsertedItems(view, range)
  useHistoryPlace(view, range)
  return view
}
