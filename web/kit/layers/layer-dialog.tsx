/** A `<dialog>` that Escape, Back and a press beside it close. It fills the window around its children. */
import { type DialogHTMLAttributes, type RefObject, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { frameAttributes, type LayerFrame } from './layer-frame.ts'
import { isTopmost, useModal } from './native-dialog.ts'
import { useLayer } from './use-layer.ts'

interface Props extends DialogHTMLAttributes<HTMLDialogElement> {
  frame?: LayerFrame | undefined
  /** Where the focus returns; default, and if null: where it was. */
  returnTo?: (() => HTMLElement | null) | undefined
  onClose: () => void
  /** How many presses of Back close it. */
  steps?: number
  /** It is a form: its content waits under the login when the session ends. */
  keeps?: boolean
  /** A press beside it does nothing once something was typed; default: `keeps`. */
  keepsTyped?: boolean
}

/**
 * Keeps the focus in the dialog when the focused element was disabled or removed: it returns as soon as it can be
 * focused, and is at a button of the footer or at the dialog until then.
 */
function useKeptFocus(ref: RefObject<HTMLDialogElement | null>) {
  const focused = useRef<HTMLElement | null>(null)
  const isLost = useRef(false)
  useEffect(() => {
    const { current: dialog } = ref
    const { activeElement: active } = document
    if (dialog === null || !isTopmost(dialog)) return
    if (active !== document.body && !isLost.current) return
    const { current: last } = focused
    const wanted = dialog.querySelector<HTMLElement>('[data-autofocus]')
    const button = dialog.querySelector<HTMLElement>('footer button:enabled')
    for (const element of [last, wanted, button, dialog]) {
      element?.focus({ preventScroll: true })
      if (element === document.activeElement) break
    }
    focused.current = last
    isLost.current = document.activeElement !== last
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
