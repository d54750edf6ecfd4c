/** A `<dialog>` that Escape, Back and a press beside it close. It covers the window around its children. */
import { type DialogHTMLAttributes, type RefObject, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { frameAttributes, type LayerFrame } from './layer-frame.ts'
import { isTopmost, useModal } from './native-dialog.ts'
import { useLayer } from './use-layer.ts'

interface Props extends DialogHTMLAttributes<HTMLDialogElement> {
  frame?: LayerFrame | undefined
  /** The element to which the focus returns; if absent or null, the one that had it before. */
  returnTo?: (() => HTMLElement | null) | undefined
  onClose: () => void
  /** How many presses of Back close the dialog. */
  steps?: number
  /** Whether it is a form, whose content is kept under the login when the session ends. */
  keeps?: boolean
  /** Whether a press beside it does nothing once the user has typed; default: `keeps`. */
  keepsTyped?: boolean
}

const canFocus = (element: HTMLElement) => element.checkVisibility() && !element.matches(':disabled')

/**
 * Keeps the focus in the dialog. If the focused element was disabled, the dialog has the focus until it is enabled; if
 * the element was removed or hidden, the focus moves to the marked element or to a button of the footer.
 */
function useKeptFocus(ref: RefObject<HTMLDialogElement | null>) {
  const focused = useRef<HTMLElement | null>(null)
  const isLost = useRef(false)
  useEffect(() => {
    const { current: dialog } = ref
    if (dialog === null || !isTopmost(dialog)) return
    const { current: last } = focused
    if (last !== null && !canFocus(last)) isLost.current = true
    if (document.activeElement !== document.body && !isLost.current) return
    const others = ['[data-autofocus]', 'footer button:enabled'].map(name => dialog.querySelector<HTMLElement>(name))
    // While a button is disabled, its neighbour must not receive the next Enter.
    const choices = !isLost.current || last?.matches(':disabled') ? [] : [last, ...others]
    const target = choices.find(element => element !== null && canFocus(element)) ?? dialog
    target.focus({ preventScroll: true })
    // The focus stays lost until it is back on the last element or the user moves it, because more buttons may appear.
    isLost.current &&= target !== last
    focused.current = last
  })
  return (target: EventTarget) => {
    if (target === ref.current || !(target instanceof HTMLElement)) return
    focused.current = target
    isLost.current = false
  }
}

export function LayerDialog({
  onClose,
  steps = 1,
  keeps = false,
  keepsTyped = keeps,
  frame,
  returnTo,
  ...rest
}: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayer(ref, onClose, { takesFocus: false, returnTo, steps, keeps })
  useModal(ref, onClose, { keepsTyped })
  const noteFocus = useKeptFocus(ref)
  return createPortal(
    <dialog
      ref={ref}
      tabIndex={-1}
      {...frameAttributes(frame)}
      {...rest}
      onFocus={({ target }) => noteFocus(target)}
    />,
    document.body,
  )
}
