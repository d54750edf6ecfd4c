/** Keys that move the focus in a menu: arrows, Home, End and first letters. */
import type { KeyboardEvent } from 'react'

export function entriesOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
}

/** Returns whether the key was handled. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): boolean {
  const all = entriesOf(event.currentTarget)
  const at = all.findIndex(entry => entry.matches(':focus'))
  const { key } = event
  const letter = key.length === 1 && key !== ' ' ? key.toLocaleLowerCase() : null
  const to =
    letter === null
      ? { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[key]
      : [...all.keys()]
          .map(place => (place + at + 1) % all.length)
          .find(place => all[place]?.textContent.toLocaleLowerCase().startsWith(letter) === true)
  if (to === undefined) return false
  all.at(to % Math.max(1, all.length))?.focus()
  return true
}
