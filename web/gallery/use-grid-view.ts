/** The visible and rendered part of the grid: its layout, its scrolling, and its position in the history. */
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { address } from '../app/address.ts'
import { itemAt, list, setVisibleRange } from '../items/items.ts'
import { openId, saveScroll } from '../items/open-item.ts'
import { useElementSize } from '../kit/use-element-size.ts'
import { type Arrangement, firstVisible, overscan, positionToShow } from './arrangement.ts'
import type { Extent } from './logical-scroll.ts'
import { type LogicalScroll, useLogicalScroll } from './use-logical-scroll.ts'

/** A range of the list: `count` items from `start`. An `endless` grid notes its position in the history entry. */
export interface GridRange {
  start: number
  count: number
  endless: boolean
}

/** The rendered cards, as indices within the range. */
interface Drawn {
  first: number
  last: number
  /** Height of the content above the spacer. */
  offset: number
}

/** A point of a card, as a share (0–1) of its height, and its distance from the top of the view in pixels. */
interface Pinned {
  index: number
  share: number
  y: number
}

interface Place {
  index: number
  /** How many pixels of its row are scrolled out of view. */
  rest: number
}

/** The first visible item. */
interface Anchor extends Place {
  id: number | null
}

export interface GridView<Rows extends Arrangement = Arrangement> {
  scroller: RefObject<HTMLDivElement | null>
  room: { width: number; height: number }
  rows: Rows
  extent: Extent
  drawn: Drawn
  scroll: LogicalScroll
  anchor: RefObject<Anchor>
  /** Keeps a point of a card (as a share of its height) at this distance from the top when the cards are arranged anew. */
  pin: (point: Pinned) => void
  /** Scrolls a card into view; `onlyIfUnseen`: only if no part is visible. */
  show: (index: number, onlyIfUnseen?: boolean) => void
}

/** The position of a place; `rest` may stem from a higher row. */
function positionOf({ index, rest }: Place, rows: Arrangement): number {
  const { top, height } = rows.boxOf(index)
  return top + Math.min(rest, height + rows.gap)
}

/** Notes a place that was just shown: a row that is not laid out yet may begin with an earlier card. */
function keepPlace({ anchor, rows }: GridView, { index, rest }: Place, start: number): void {
  if (index < rows.count) anchor.current = { index, id: itemAt(start + index)?.id ?? null, rest }
}

/** The initial position: that of the history entry, or else one that shows the open picture's card. */
function firstPlace({ start, count, endless }: GridRange, { heading }: Arrangement): Place {
  const { scroll, overGallery } = address.value.entry
  if (endless && scroll !== undefined) return { index: scroll.index - start, rest: scroll.rest }
  const open = overGallery === undefined ? -1 : overGallery.index - start
  return { index: open >= 0 && open < count ? open : 0, rest: -heading }
}

/** Keeps the same cards visible when the layout or the number of items changes. */
function useFitting(view: GridView, range: GridRange, pinned: RefObject<Pinned | null>): void {
  const { room, rows, extent, scroll, anchor } = view
  const placed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the arrangement alone
  useLayoutEffect(() => {
    if (room.height === 0) return
    const place = placed.current ? anchor.current : firstPlace(range, rows)
    placed.current = true
    const { current: pin } = pinned
    pinned.current = null
    if (pin === null) {
      scroll.fit(extent, positionOf(place, rows))
      keepPlace(view, place, range.start)
    } else {
      const { top, height } = rows.boxOf(pin.index)
      scroll.fit(extent, top + pin.share * height - pin.y)
    }
  }, [rows, room.width, room.height])
}

/** Items added before the first visible item move it down; the view follows. */
function useGrowth(view: GridView, { start }: GridRange): void {
  const { value } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the list alone
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
function useHistory(view: GridView, { start, endless }: GridRange): void {
  const { path, entry } = address.value
  const cameFrom = useRef(path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the address alone
  useEffect(() => {
    const before = cameFrom.current
    cameFrom.current = path
    // While the viewer is open, and when it closes, the grid keeps its position.
    if (!endless || path !== '/' || before !== '/' || view.room.height === 0) return
    const { index, rest } = view.anchor.current
    const scroll = entry.scroll ?? { index: start, rest: -view.rows.heading }
    if (scroll.index - start === index && Math.abs(scroll.rest - rest) < 2) return
    const place = { index: scroll.index - start, rest: scroll.rest }
    view.scroll.jump(positionOf(place, view.rows))
    keepPlace(view, place, start)
  }, [path, entry])
}

/** `arrange` makes the arrangement for a width and height; another function makes another arrangement. */
export function useGridView<Rows extends Arrangement>(
  range: GridRange,
  arrange: (width: number, height: number) => Rows,
): GridView<Rows> {
  const { start, endless } = range
  const scroller = useRef<HTMLDivElement>(null)
  const room = useElementSize(scroller)
  const [drawn, setDrawn] = useState<Drawn>({ first: 0, last: -1, offset: 0 })
  const rows = useMemo(() => arrange(room.width, room.height), [arrange, room.width, room.height])
  const anchor = useRef<Anchor>({ index: 0, id: null, rest: 0 })

  const update = () => {
    const { position, offset, speed } = scroll.place.value
    const beyond = overscan(speed, rows)
    const near = rows.within(position - beyond.above, position + room.height + beyond.below)
    const index = firstVisible(rows, position)
    anchor.current = { index, id: itemAt(start + index)?.id ?? null, rest: position - rows.boxOf(index).top }
    if (room.height > 0 && near.last >= near.first) setVisibleRange(start + near.first, start + near.last)
    if (near.first !== drawn.first || near.last !== drawn.last || offset !== drawn.offset) setDrawn({ ...near, offset })
  }
  const scroll = useLogicalScroll(
    scroller,
    // Render the uncovered area in the same frame as the scroll.
    fitting => (fitting ? update() : flushSync(update)),
    () => {
      if (endless && openId.value === null) saveScroll(start + anchor.current.index, Math.round(anchor.current.rest))
    },
  )
  const show = (index: number, onlyIfUnseen = false) => {
    const { position } = scroll.place.value
    const { top, height } = rows.boxOf(index)
    if (onlyIfUnseen && top < position + room.height && top + height > position) return
    const wanted = positionToShow(index, position, room.height, rows)
    if (wanted !== position) scroll.jump(wanted)
  }
  const extent = { content: rows.height, view: room.height }
  const pinned = useRef<Pinned | null>(null)
  const pin = (point: Pinned) => {
    pinned.current = point
  }
  const view = { scroller, room, rows, extent, drawn, scroll, anchor, pin, show }
  useFitting(view, range, pinned)
  useGrowth(view, range)
  useHistory(view, range)
  return view
}
