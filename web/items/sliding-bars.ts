/**
 * On a phone on its side, the bars lie over a list that leaves room for them ('.under-bars'): they slide away when it is
 * scrolled down and come back when it is scrolled up. The styles are in app.css.
 */
import { signal } from '@preact/signals-react'

/** Pixels that a list moves before the bars do. */
const least = 8

export const barsAway = signal(false)
/** Height of the upper bar in pixels, with the chips. */
export const upperBar = signal(44)
/** Room for the lower bar in pixels, with that for the gestures of the system. */
export const lowerBar = 66

/** Height of the head of an album or person, which slides with the upper bar. */
export const slidingHead = signal(0)

let last = 0

/** A list comes to lie under the bars, as after a rotation: unless it is at its start, they are away. */
export function slideOver({ scrollTop }: HTMLElement): void {
  last = scrollTop
  barsAway.value = scrollTop > 0
}

export function showBars(): void {
  barsAway.value = false
}

function onScroll({ target }: Event): void {
  if (!(target instanceof HTMLElement) || !target.matches('.under-bars')) return
  const moved = target.scrollTop - last
  if (Math.abs(moved) < least && target.scrollTop > 0) return
  last = target.scrollTop
  barsAway.value = moved > 0
}

function watchHeight(element: HTMLElement, act: (height: number) => void): () => void {
  const observer = new ResizeObserver(() => act(element.offsetHeight))
  observer.observe(element)
  return () => {
    observer.disconnect()
    act(0)
  }
}

/** The ref of a head that slides with the upper bar. */
export function watchHead(head: HTMLElement | null) {
  if (head === null) return
  return watchHeight(head, height => {
    slidingHead.value = height
  })
}

/** The ref of the frame: watches its lists and its upper bar. */
export function watchBars(frame: HTMLElement | null) {
  const upper = frame?.querySelector<HTMLElement>(':scope > .bars')
  if (frame === null || upper == null) return
  const stop = watchHeight(upper, height => {
    upperBar.value = height
  })
  frame.addEventListener('scroll', onScroll, { capture: true, passive: true })
  return () => {
    stop()
    frame.removeEventListener('scroll', onScroll, { capture: true })
  }
}
