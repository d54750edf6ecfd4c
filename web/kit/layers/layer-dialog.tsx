/** A `<dialog>` that Escape, Back and a press beside it close. It fills the window around its children. */
import { type DialogHTMLAttributes, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { focusWanted, isTopmost, useModal } from './native-dialog.ts'
import { useLayer } from './use-layer.ts'

interface Props extends DialogHTMLAttributes<HTMLDialogElement> {
  onClose: () => void
  /** How many presses of Back close it. */
  steps?: number
  /** It is a form: its content waits under the login when the session ends, and is not lost by a press beside it. */
  keeps?: boolean
}

export function LayerDialog({ onClose, steps = 1, keeps = false, ...rest }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayer(ref, onClose, { takesFocus: false, steps, keeps })
  useModal(ref, onClose, { keepsTyped: keeps })
  // The focused element in it was replaced.
  useEffect(() => {
    const { current } = ref
    if (current !== null && document.activeElement === document.body && isTopmost(current)) focusWanted(current)
  })
  return createPortal(<dialog ref={ref} tabIndex={-1} {...rest} />, document.body)
}
