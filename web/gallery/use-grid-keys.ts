/** Keys that scroll the gallery while nothing has the focus. The browser itself would scroll only to the spacer's ends. */
import { useEffect, useRef } from 'react'
import { layers } from '../kit/layers/layers.ts'

export interface GridActions {
  /** Scrolls by a number of screens; positive is downwards. */
  scrollBy: (screens: number) => void
  scrollTo: (end: 'start' | 'end') => void
  /** Focuses the first visible card. */
  focusFirst: () => void
}

export function useGridKeys(gridActions: GridActions): void {
  const latest = useRef(gridActions)
  latest.current = gridActions
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { activeElement } = document
      const hasNoFocus =
        activeElement === null || activeElement === document.body || activeElement.classList.contains('grid-scroller')
      if (!hasNoFocus || layers.value.length > 0 || event.metaKey || event.ctrlKey || event.altKey) return
      const { scrollBy, scrollTo, focusFirst } = latest.current
      const actions = new Map([
        ['PageDown', () => scrollBy(1)],
        ['PageUp', () => scrollBy(-1)],
        [' ', () => scrollBy(event.shiftKey ? -1 : 1)],
        ['Home', () => scrollTo('start')],
        ['End', () => scrollTo('end')],
        ['ArrowDown', focusFirst],
        ['ArrowUp', focusFirst],
        ['ArrowLeft', focusFirst],
        ['ArrowRight', focusFirst],
      ])
      const act = actions.get(event.key)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
