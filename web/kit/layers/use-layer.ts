/** Things that lie over the page: Escape and Back close the top one only, focus goes in, stays in, and comes back. */
import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { type Layer, layers } from './layers.ts'
import { ignoreSecondPress } from './second-press.ts'

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'

let lastId = 0
export const newLayerId = (): number => ++lastId
/** Where the focus is about to go back to: a dialog that a menu's entry opens gives it back there too. */
let returning: HTMLElement | null = null

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || document.fullscreenElement !== null) return
  const top = layers.value.at(-1)
  if (top === undefined) return
  event.preventDefault()
  event.stopPropagation()
  top.close()
}

export function enterLayer(layer: Layer): void {
  if (layers.value.length === 0) {
    addEventListener('keydown', onKey)
  }
  layers.value = [...layers.value, layer]
}

export function leaveLayer(id: number): void {
  layers.value = layers.value.filter(layer => layer.id !== id)
  if (layers.value.length === 0) removeEventListener('keydown', onKey)
  ignoreSecondPress()
}

/** To what wants it in there, or else the first that takes it. */
function focusInto(root: HTMLElement): void {
  if (root.contains(document.activeElement)) return
  const wanted = root.matches('[data-autofocus]')
    ? root
    : (root.querySelector<HTMLElement>('[data-autofocus]') ?? root.querySelector<HTMLElement>(focusable))
  ;(wanted ?? root).focus({ preventScroll: true })
}

/** A coarse pointer's keyboard must not jump up with a dialog that was opened for something else. */
export interface LayerOptions {
  modal: boolean
  /** Focus goes in when it opens; else it stays where it is. */
  takesFocus?: boolean
  /** Where the focus goes when it closes; else where it was. */
  returnTo?: () => HTMLElement | null
  /** How often Back has to be pressed until it is closed; 0 where it cannot be, null where it has an address of its own. */
  steps?: number | null
  /** What is in it waits under the login when the session ends. */
  keeps?: boolean
}

/** Makes an element a layer for as long as it is mounted. Returns the layer's id, for `topModal`. */
export function useLayer(
  ref: RefObject<HTMLElement | null>,
  close: () => void,
  { modal, takesFocus = true, returnTo, steps = 1, keeps = false }: LayerOptions,
): number {
  const key = useId()
  const ids = useRef<{ key: string; id: number } | null>(null)
  if (ids.current === null) ids.current = { key, id: newLayerId() }
  const { id } = ids.current
  const latest = useRef({ close, returnTo, steps, keeps })
  latest.current = { close, returnTo, steps, keeps }
  // Before what shows it has moved the focus.
  useLayoutEffect(() => {
    const root = ref.current
    const before = document.activeElement === document.body ? returning : document.activeElement
    enterLayer({
      id,
      modal,
      steps: latest.current.steps,
      keeps: latest.current.keeps,
      close: () => latest.current.close(),
    })
    if (root !== null && takesFocus) focusInto(root)
    return () => {
      leaveLayer(id)
      const target = latest.current.returnTo?.() ?? (before instanceof HTMLElement ? before : null)
      // Of nested menus that close at once, the outermost knows it.
      returning ??= target
      // What lay below is still inert until the next drawing. Whoever has gone elsewhere stays there.
      requestAnimationFrame(() => {
        returning = null
        const { activeElement } = document
        const isFree = activeElement === null || activeElement === document.body
        if (isFree && target?.isConnected === true) target.focus({ preventScroll: true })
      })
    }
  }, [id, modal, takesFocus, ref])
  useEffect(() => {
    const known = layers.peek().find(layer => layer.id === id)
    if (known === undefined || known.steps === steps) return
    layers.value = layers.peek().map(layer => (layer === known ? { ...layer, steps } : layer))
  }, [id, steps])
  return id
}
