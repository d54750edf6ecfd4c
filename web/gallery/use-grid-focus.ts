/** Keyboard focus in the gallery: keys move between cards, and when the viewer closes, the card of its item gets the focus. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { cardToFocus, lastOpenedIndex, openId, savePosition } from '../items/open-item.ts'
import { extendSelection } from '../items/selection/selection.ts'
import type { FocusStep } from './arrangement.ts'
import { useGridKeys } from './use-grid-keys.ts'
import type { GridRange, GridView } from './use-grid-view.ts'

const steps: Record<string, FocusStep> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'home',
  End: 'end',
}

const mirrored: Partial<Record<FocusStep, FocusStep>> = { left: 'right', right: 'left' }

/** The step of a key. In a page read from right to left, the right arrow key goes to the previous card ('left'). */
function stepOf({ key, currentTarget }: KeyboardEvent): FocusStep | undefined {
  const step = steps[key]
  if (step === undefined || getComputedStyle(currentTarget).direction !== 'rtl') return step
  return mirrored[step] ?? step
}

/** Returns the index of the card with the tab stop (null before a card has had the focus), and the handler of keys. */
export function useGridFocus(view: GridView, { start, count, endless }: GridRange) {
  const { scroller, size, rows, extent, scroll, anchor, scrollToCard } = view
  const [tabStop, setTabStop] = useState<number | null>(null)
  // Index of the card that gets the focus as soon as its item is loaded; null if none.
  const pendingFocus = useRef<number | null>(null)

  const focusCard = (index: number) => {
    const card = scroller.current?.querySelector<HTMLElement>(`[data-index="${start + index}"]`)
    card?.focus({ preventScroll: true })
    pendingFocus.current = card instanceof HTMLAnchorElement ? null : index
  }
  const focus = (index: number) => {
    flushSync(() => setTabStop(index))
    scrollToCard(index)
    focusCard(index)
  }
  useEffect(() => {
    if (pendingFocus.current === null) return
    const { activeElement } = document
    // Only if the user has not moved the focus elsewhere.
    if (activeElement === document.body || activeElement?.closest('.grid-scroller') !== null)
      focusCard(pendingFocus.current)
    else pendingFocus.current = null
  })

  // While the viewer is open, the card of its item is scrolled into view; when the viewer closes, it gets the focus.
  const open = openId.value !== null
  const shownIndex = open ? lastOpenedIndex.value : cardToFocus.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the open item changes or the grid gets its size
  useEffect(() => {
    const index = shownIndex === null ? -1 : shownIndex - start
    if (index < 0 || index >= count || size.height === 0) return
    setTabStop(index)
    scrollToCard(index, true)
    if (open) return
    cardToFocus.value = null
    requestAnimationFrame(() => {
      const { activeElement } = document
      // While the picture shrinks into its card, the user may already be typing elsewhere.
      if (activeElement === document.body || activeElement?.closest('.grid-scroller') !== null) focusCard(index)
      // The grid may have scrolled behind the viewer; save its position, so that a reload restores it.
      if (endless) savePosition(start + anchor.current.index, Math.round(anchor.current.rest))
    })
  }, [shownIndex, open, size.height])

  useGridKeys({
    scrollBy: screens => {
      scroll.jump(scroll.place.value.position + screens * Math.max(rows.pitch, size.height - 40))
    },
    scrollTo: end => scroll.jump(end === 'start' ? 0 : extent.content),
    focusFirst: () => {
      const { position } = scroll.place.value
      focus(rows.within(position + rows.pitch / 2, position + size.height + rows.pitch).first)
    },
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return
    const at = event.target instanceof HTMLElement ? event.target.dataset.index : undefined
    if (at === undefined) return
    event.preventDefault()
    const next = rows.stepFrom(Number(at) - start, step, size.height)
    if (event.shiftKey) extendSelection(Number(at), start + next)
    focus(next)
  }
  return { tabStop: tabStop !== null && tabStop < count ? tabStop : null, onKeyDown }
}
