/** Drags a chip to another group with mouse, pen or finger; the group under the pointer is highlighted. */
import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react'
import type { ChipPosition } from './filter-groups.ts'
import { moveEntry } from './search.ts'

/** A pointer that moves less than this, in pixels, clicks; beyond that it drags. */
const clickRadius = 6

function groupUnder(x: number, y: number): number | null {
  const found = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-group]')
  return found?.dataset.group === undefined ? null : Number(found.dataset.group)
}

function createGhost(chip: HTMLElement): HTMLElement {
  const ghost = document.createElement('span')
  ghost.className = `${chip.className} chip-ghost`
  ghost.textContent = chip.querySelector('.chip-text')?.textContent ?? ''
  ghost.setAttribute('aria-hidden', 'true')
  document.body.append(ghost)
  return ghost
}

export function useChipDrag() {
  const [over, setOver] = useState<number | null>(null)
  const [dragged, setDragged] = useState<ChipPosition | null>(null)
  const stop = useRef<() => void>(() => {})
  useEffect(() => () => stop.current(), [])

  function begin(event: ReactPointerEvent<HTMLElement>, position: ChipPosition): void {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest('.chip-x') !== null)) return
    const chip = event.currentTarget
    const [startX, startY] = [event.clientX, event.clientY]
    let ghost: HTMLElement | null = null
    let target: number | null = null

    const onMove = (moving: PointerEvent) => {
      const { clientX: x, clientY: y } = moving
      if (ghost === null) {
        if (Math.hypot(x - startX, y - startY) < clickRadius) return
        ghost = createGhost(chip)
        setDragged(position)
      }
      ghost.style.transform = `translate(${x - 16}px, ${y - 14}px)`
      target = groupUnder(x, y)
      setOver(target)
    }
    const end = () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener, true)
      ghost?.remove()
      setOver(null)
      setDragged(null)
      stop.current = () => {}
    }
    const onUp = () => {
      if (ghost !== null) {
        // The end of a drag does not count as a click.
        addEventListener('click', suppress, { capture: true, once: true })
        setTimeout(() => removeEventListener('click', suppress, true))
        if (target !== null) moveEntry(position, target)
      }
      end()
    }
    const onKey = (pressed: Event) => {
      if (!(pressed instanceof KeyboardEvent) || pressed.key !== 'Escape' || ghost === null) return
      pressed.preventDefault()
      pressed.stopPropagation()
      end()
    }
    const suppress = (click: Event) => {
      click.preventDefault()
      click.stopPropagation()
    }
    const listeners: Record<string, (event: Event) => void> = {
      pointermove: moving => moving instanceof PointerEvent && onMove(moving),
      pointerup: onUp,
      pointercancel: end,
      keydown: onKey,
    }
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener, true)
    stop.current = end
  }

  return { begin, over, dragged }
}
