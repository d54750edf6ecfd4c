/**
 * Moves the focus between groups: up and down lead to the faces of the previous and next group. When the focused group
 * is removed, the group in its place gets the focus.
 */
import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react'

const groupsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-row]')]

/** The first focusable element of a group's part (`data-stop`); in its foot, the first field. */
function focusTargetIn(group: HTMLElement | undefined, part: string): HTMLElement | null {
  const place = group?.querySelector(`[data-stop="${part}"]`) ?? group
  const all = [...(place?.querySelectorAll<HTMLElement>('input, button') ?? [])].filter(({ tabIndex }) => tabIndex >= 0)
  return (part === 'foot' ? all.find(one => one instanceof HTMLInputElement) : all[0]) ?? all[0] ?? null
}

export function useGroupFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const last = useRef<{ element: HTMLElement; group: number; part: string } | null>(null)
  useEffect(() => {
    const known = last.current
    const { activeElement } = document
    if (known === null || known.element.isConnected || ref.current === null) return
    if (activeElement !== null && activeElement !== document.body) return
    const groups = groupsOf(ref.current)
    focusTargetIn(groups[Math.min(known.group, groups.length - 1)], known.part)?.focus({ preventScroll: true })
  })
  const onFocus = ({ target }: FocusEvent) => {
    const group = target.closest<HTMLElement>('[data-row]')
    if (!(target instanceof HTMLElement) || ref.current === null || group === null) return
    const part = target.closest<HTMLElement>('[data-stop]')?.dataset.stop ?? 'faces'
    last.current = { element: target, group: groupsOf(ref.current).indexOf(group), part }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined || event.defaultPrevented || ref.current === null) return
    if (!(event.target instanceof HTMLElement) || event.target.dataset.face === undefined) return
    const groups = groupsOf(ref.current)
    const next = groups[groups.findIndex(group => group.contains(document.activeElement)) + by]
    const stop = next === undefined ? null : focusTargetIn(next, 'faces')
    if (stop === null) return
    event.preventDefault()
    stop.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
  }
  return { ref, onFocus, onKeyDown }
}
