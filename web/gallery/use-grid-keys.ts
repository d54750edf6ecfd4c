/** Keys that scroll the gallery while nothing has the focus; the browser itself would scroll only within the spacer. */
import { useEffect, useRef } from 'react'
import { layers } from '../kit/layers/layers.ts'

export interface GridMoves {
  /** Number of screens; positive is downwards. */
  scrollBy: (screens: number) => void
  scrollTo: (end: 'start' | 'end') => void
  /** Focuses the first visible card. */
  enter: () => void
}

export function useGridKeys(moves: GridMoves): void {
  const latest = useRef(moves)
  latest.current = moves
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { activeElement } = document
      const nowhere =
        activeElement === null || activeElement === document.body || activeElement.classList.contains('grid-scroller')
      if (!nowhere || layers.value.length > 0 || event.metaKey || event.ctrlKey || event.altKey) return
      const { scrollBy, scrollTo, enter } = latest.current
      const acts = new Map([
        ['PageDown', () => scrollBy(1)],
        ['PageUp', () => scrollBy(-1)],
        [' ', () => scrollBy(event.shiftKey ? -1 : 1)],
        ['Home', () => scrollTo('start')],
        ['End', () => scrollTo('end')],
        ['ArrowDown', enter],
        ['ArrowUp', enter],
        ['ArrowLeft', enter],
        ['ArrowRight', enter],
      ])
      const act = acts.get(event.key)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
