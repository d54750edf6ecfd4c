/** Keeps the focus in a table when a row is removed: moves it to the row that took its position. */
import { type FocusEvent, useEffect, useRef } from 'react'
import { layers } from '../layers/layers.ts'

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>('[data-row]')]
const controlsOf = (row: HTMLElement) => [
  ...row.querySelectorAll<HTMLElement>('button:not(:disabled), input, select, a'),
]

/** Rows have `data-row`. Reads signals: the caller uses useSignals() first. */
export function useRowFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const last = useRef<{ element: HTMLElement; row: number; control: number } | null>(null)
  // Run the effect again when a row's confirmation closes: until then the focus cannot return to the table.
  void layers.value
  useEffect(() => {
    const known = last.current
    if (known === null || known.element.isConnected) return
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document
      if (ref.current === null || (activeElement !== null && activeElement !== document.body)) return
      const rows = rowsOf(ref.current)
      const row = rows[Math.min(known.row, rows.length - 1)]
      const controls = row === undefined ? [] : controlsOf(row)
      const next = controls[known.control] ?? controls[0]
      next?.focus({ preventScroll: true })
      // While a confirmation is closing, nothing accepts the focus, so the next render tries again.
      if (next === undefined || next === document.activeElement) last.current = null
    })
    return () => cancelAnimationFrame(frame)
  })
  const onFocus = ({ target }: FocusEvent) => {
    // React events of layers opened from a row bubble up to the row, wherever they are in the page.
    if (!(target instanceof HTMLElement) || ref.current?.contains(target) !== true) return
    const row = target.closest<HTMLElement>('[data-row]')
    last.current =
      row === null
        ? null
        : { element: target, row: rowsOf(ref.current).indexOf(row), control: controlsOf(row).indexOf(target) }
  }
  return { ref, onFocus }
}
