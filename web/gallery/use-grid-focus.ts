/** Keyboard focus in the grid: arrow keys move between cards; when the viewer closes, its card gets the focus. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { focusWanted, lastOpened, openId, saveScroll } from '../items/open-item.ts'
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

/** 'left' is the previous card, which in a page read from right to left is the one at the right. */
function stepOf({ key, currentTarget }: KeyboardEvent): FocusStep | undefined {
  const step = steps[key]
  if (step === undefined || getComputedStyle(currentTarget).direction !== 'rtl') return step
  return mirrored[step] ?? step
}

/** Returns the index of the card with the tab stop (null before any card had it), and the key handler. */
export function useGridFocus(view: GridView, { start, count, endless }: GridRange) {
  const { scroller, room, rows, extent, scroll, anchor, show } = view
  const [tabStop, setRover] = useState<number | null>(null)
  // Index of the card that will get the focus once it is rendered; null if none.
  const bound = useRef<number | null>(null)

  const focusCard = (index: number) => {
    const card = scroller.current?.querySelector<HTMLElement>(`[data-index="${start + index}"]`)
    card?.focus({ preventScroll: true })
    bound.current = card instanceof HTMLAnchorElement ? null : index
  }
  const focus = (index: number) => {
    flushSync(() => setRover(index))
    show(index)
    focusCard(index)
  }
  useEffect(() => {
    if (bound.current === null) return
    const { activeElement } = document
    // If the focus has moved elsewhere, it stays there.
    if (activeElement === document.body || activeElement?.closest('.grid-scroller') !== null) focusCard(bound.current)
    else bound.current = null
  })

  // While the viewer is open, its picture's card is scrolled into view; when the viewer closes, the card is focused.
  const open = openId.value !== null
  const inspected = open ? lastOpened.value : focusWanted.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the open picture alone
  useEffect(() => {
    const index = inspected === null ? -1 : inspected - start
    if (index < 0 || index >= count || room.height === 0) return
    setRover(index)
    show(index, true)
    if (open) return
    focusWanted.value = null
    requestAnimationFrame(() => {
      const { activeElement } = document
      // While the picture shrinks, the user may already be typing elsewhere.
      if (activeElement === document.body || activeElement?.closest('.grid-scroller') !== null) focusCard(index)
      // The grid scrolled behind the viewer; note its position, so that a reload restores it.
      if (endless) saveScroll(start + anchor.current.index, Math.round(anchor.current.rest))
    })
  }, [inspected, open, room.height])

  useGridKeys({
    scrollBy: screens => {
      scroll.jump(scroll.place.value.position + screens * Math.max(rows.pitch, room.height - 40))
    },
    scrollTo: end => scroll.jump(end === 'start' ? 0 : extent.content),
    enter: () => {
      const { position } = scroll.place.value
      focus(rows.within(position + rows.pitch / 2, position + room.height + rows.pitch).first)
    },
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return
    const at = event.target instanceof HTMLElement ? event.target.dataset.index : undefined
    if (at === undefined) return
    event.preventDefault()
    const next = rows.stepFrom(Number(at) - start, step, room.height)
    if (event.shiftKey) extendSelection(Number(at), start + next)
    focus(next)
  }
  return { tabStop: tabStop !== null && tabStop < count ? tabStop : null, onKeyDown }
}
