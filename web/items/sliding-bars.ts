/**
 * The bars of a phone on its side. They cover parts of a list that leaves room for them ('.under-bars'), slide out of view
 * when the list is scrolled down, and back when it is scrolled up. The styles are in app.css.
 */
import { signal } from '@preact/signals-react'

/** Pixels that a list must be scrolled before the bars move. */
const minMove = 8

/** Whether the bars are out of view. */
export const barsHidden = signal(false)
/** Height in pixels of the upper bar, with the chips of the filter. */
export const upperBarHeight = signal(44)
/** Height in pixels of the lower bar, with the room for gestures of the system. */
export const lowerBarHeight = 66

/** Height in pixels of the head of an album or person, which moves with the upper bar; 0 if there is none. */
export const headHeight = signal(0)

/** `scrollTop` of the list from which the next movement is measured. */
let lastTop = 0

/** Called when a list gets under the bars, for example because the phone was rotated: hides them unless it is at its start. */
export function placeUnderBars({ scrollTop }: HTMLElement): void {
  lastTop = scrollTop
  barsHidden.value = scrollTop > 0
}

export function showBars(): void {
  barsHidden.value = false
}

function onScroll({ target }: Event): void {
  if (!(target instanceof HTMLElement) || !target.matches('.under-bars')) return
  const moved = target.scrollTop - lastTop
  if (Math.abs(moved) < minMove && target.scrollTop > 0) return
  lastTop = target.scrollTop
  barsHidden.value = moved > 0
}

/** Calls `act` with the element's height now, when it changes, and with 0 at the end. Returns the function that ends it. */
function watchHeight(element: HTMLElement, act: (height: number) => void): () => void {
  const observer = new ResizeObserver(() => act(element.offsetHeight))
  observer.observe(element)
  return () => {
    observer.disconnect()
    act(0)
  }
}

/** React ref of the head of an album or person. */
export function watchHead(head: HTMLElement | null) {
  if (head === null) return
  return watchHeight(head, height => {
    headHeight.value = height
  })
}

/** React ref of the page's frame: watches its upper bar and its lists. */
export function watchBars(frame: HTMLElement | null) {
  const upper = frame?.querySelector<HTMLElement>(':scope > .bars')
  if (frame === null || upper == null) return
  const stop = watchHeight(upper, height => {
    upperBarHeight.value = height
  })
  frame.addEventListener('scroll', onScroll, { capture: true, passive: true })
  return () => {
    stop()
    frame.removeEventListener('scroll', onScroll, { capture: true })
  }
}
