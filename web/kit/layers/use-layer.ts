/** Layers over the page: Escape and Back close only the top one; the focus moves in, stays in, and returns. */
import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { type Layer, layers } from './layers.ts'
import { ignoreSecondPress } from './second-press.ts'

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'

let lastId = 0
export const newLayerId = (): number => ++lastId
/** The element to which a closing menu is about to return the focus; a dialog that the menu opens uses it, too. */
let returning: HTMLElement | null = null

/** The focused element, or the one to which a closing menu returns the focus. */
export function focusBefore(): Element | null {
  return document.activeElement === document.body ? returning : document.activeElement
}

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

/** Focuses the marked element, or else the first focusable one. */
function focusInto(root: HTMLElement): void {
  if (root.contains(document.activeElement)) return
  const wanted = root.matches('[data-autofocus]')
    ? root
    : (root.querySelector<HTMLElement>('[data-autofocus]') ?? root.querySelector<HTMLElement>(focusable))
  ;(wanted ?? root).focus({ preventScroll: true })
}

export interface LayerOptions {
  /** Whether the focus moves into the layer when it opens. */
  takesFocus?: boolean
  /** The element to which the focus returns; default: the one that had it before. */
  returnTo?: (() => HTMLElement | null) | undefined
  /** How many presses of Back close the layer; 0 if none do, null if it has its own address. */
  steps?: number | null
  /** Whether the content is kept under the login when the session ends. */
  keeps?: boolean
}

/** Makes an element a layer while it is mounted. Returns the layer's id in `layers`. */
export function useLayer(
  ref: RefObject<HTMLElement | null>,
  close: () => void,
  { takesFocus = true, returnTo, steps = 1, keeps = false }: LayerOptions = {},
): number {
  const key = useId()
  const ids = useRef<{ key: string; id: number } | null>(null)
  if (ids.current === null) ids.current = { key, id: newLayerId() }
  const { id } = ids.current
  const latest = useRef({ close, returnTo, steps, keeps })
  latest.current = { close, returnTo, steps, keeps }
  // A layout effect, because it runs before the component moves the focus.
  useLayoutEffect(() => {
    const root = ref.current
    const before = focusBefore()
    enterLayer({
      id,
      steps: latest.current.steps,
      keeps: latest.current.keeps,
      close: () => latest.current.close(),
    })
    if (root !== null && takesFocus) focusInto(root)
    return () => {
      leaveLayer(id)
      const target = latest.current.returnTo?.() ?? (before instanceof HTMLElement ? before : null)
      // If nested menus close at once, keep the target of the outermost.
      returning ??= target
      // A `<dialog>` itself returns the focus to where it was. If the focus has moved elsewhere, it stays there.
      requestAnimationFrame(() => {
        returning = null
        const { activeElement } = document
        const isFree = activeElement === null || activeElement === document.body || activeElement === before
        if (isFree && target?.isConnected === true) target.focus({ preventScroll: true })
      })
    }
  }, [id, takesFocus, ref])
  useEffect(() => {
    const known = layers.peek().find(layer => layer.id === id)
    if (known === undefined || known.steps === steps) return
    layers.value = layers.peek().map(layer => (layer === known ? { ...layer, steps } : layer))
  }, [id, steps])
  return id
}
