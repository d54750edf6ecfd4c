/** The visible part of the list: its layout, and its scroll position when entries change. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import type { Controller } from '../controller.ts'
import { type Layout, topOf } from './rows-in-view.ts'

/** Pixels. A row of the list is higher if it has two lines. */
const sizes = { list: 40, listOfTwo: 56, cell: 120, gridRow: 126, gridInset: 12, narrowInset: 4, listInset: 0 }
/** Widths below this are phones. */
export const narrowPx = 600
export function layoutOf({
  width,
  count,
  isGrid,
  twoLines,
}: {
  width: number
  count: number
  isGrid: boolean
  twoLines: boolean
}): Layout {
  if (!isGrid) {
    return {
      count,
      columns: 1,
      row: twoLines ? sizes.listOfTwo : sizes.list,
      cell: width,
      inset: sizes.listInset,
    }
  }
  const inset = width < narrowPx ? sizes.narrowInset : sizes.gridInset
  const room = Math.max(0, width - 2 * inset)
  const columns = Math.max(1, Math.floor(room / sizes.cell))
  return { count, columns, row: sizes.gridRow, cell: room / columns, inset }
}

/** Tracks the size and scroll position of the list. */
export function useView(controller: Controller) {
  const ref = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ width: 0, height: 0, top: 0 })
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    const read = () => {
      const { clientWidth: width, clientHeight: height, scrollTop: top } = current
      setView(before =>
        before.width === width && before.height === height && before.top === top ? before : { width, height, top },
      )
    }
    const observer = new ResizeObserver(read)
    observer.observe(current)
    current.addEventListener('scroll', read, { passive: true })
    read()
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', read)
    }
  }, [])
  // Another folder or search starts at the top.
  const place = `${controller.listing.value?.dirname ?? ''}?${controller.shownSearch.value}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the folder or search changes
  useLayoutEffect(() => {
    if (ref.current !== null) ref.current.scrollTop = 0
  }, [place])
  return { ref, view }
}

/** Keeps the first visible entry in place when the list is refreshed in the background. */
export function useKeptScrollPosition(controller: Controller, ref: RefObject<HTMLElement | null>, layout: Layout) {
  const held = useRef<{ nodes: readonly FileNode[]; first: number; below: number }>({ nodes: [], first: 0, below: 0 })
  const known = useRef(controller.listing.value)
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    const nodes = controller.nodes.peek()
    const listing = controller.listing.peek()
    const isRenewed = known.current !== listing && controller.renewedListing.peek() === listing
    known.current = listing
    if (isRenewed && current.scrollTop > 0) {
      const { nodes: old, first, below } = held.current
      const places = new Map(nodes.map(({ path }, at) => [path, at]))
      // The first visible row or, if it was removed, the next remaining one.
      const still = old.findIndex(({ path }, at) => at >= first && places.has(path))
      const at = places.get(old[still]?.path ?? '')
      if (at !== undefined) current.scrollTop = topOf(layout, at) + (still === first ? below : 0)
    }
    const first = Math.max(0, Math.floor((current.scrollTop - layout.inset) / layout.row)) * layout.columns
    held.current = { nodes, first, below: current.scrollTop - topOf(layout, first) }
  })
}

/** Scrolls to a new list's focused entry, such as a created one; focuses a folder picker when its list is loaded. */
export function useScrollToFocused(
  controller: Controller,
  ref: RefObject<HTMLElement | null>,
  isMeasured: boolean,
  show: (at: number) => void,
) {
  const { onlyFolders } = controller.driver
  const hasList = controller.listing.value !== null
  useEffect(() => {
    if (onlyFolders && hasList) ref.current?.focus({ preventScroll: true })
  }, [onlyFolders, hasList, ref])
  const shown = useRef<unknown>(null)
  useEffect(() => {
    if (shown.current === controller.listing.value || !isMeasured) return
    shown.current = controller.listing.value
    const { active } = controller.choice.peek()
    if (active >= 0 && controller.renewedListing.peek() !== shown.current) show(active)
  })
}
