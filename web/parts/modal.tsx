/** A dialog over the page: title, content, actions. */
import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { topModal } from '../state/dialogs.ts'
import { IconButton } from './icon-button.tsx'
import { focusInto, useLayer } from './use-layer.ts'

/** The longest that systems take for one. */
const doubleClickMs = 500

export function Modal({
  title,
  onClose,
  children,
  width = 440,
  busy = false,
  overAll = false,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  /** Pixels. */
  width?: number
  /** Something is being saved: it stays until that is done, for what goes wrong is said in it. */
  busy?: boolean
  /** It asks who is there: nothing that opens meanwhile covers it. */
  overAll?: boolean
}) {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const close = () => {
    if (!busy) onClose()
  }
  // A press beside it closes: not the second half of the double click that opened it, and not what was typed.
  const opened = useRef(performance.now())
  const touched = useRef(false)
  const closeBeside = () => {
    if (!touched.current && performance.now() - opened.current > doubleClickMs) close()
  }
  const id = useLayer(ref, close, { modal: true, keeps: true, overAll })
  const focused = useRef<Element | null>(null)
  // What had the focus in it has made way for something else: that has it.
  useEffect(() => {
    const isLost = focused.current?.isConnected === false && document.activeElement === document.body
    if (isLost && ref.current !== null && topModal.peek() === id) focusInto(ref.current)
  })
  return createPortal(
    <div
      className="modal-ground"
      data-over-all={overAll || undefined}
      inert={topModal.value !== null && topModal.value !== id}
    >
      <div className="absolute inset-0" onPointerDown={closeBeside} />
      <div
        ref={ref}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        className="modal-sheet float"
        style={{ maxWidth: width }}
        onFocus={event => {
          focused.current = event.target
        }}
        onInput={() => {
          touched.current = true
        }}
      >
        <header className="flex items-center gap-4 px-6 pt-5 pb-1">
          <h2 id={titleId} className="text-base font-semibold min-w-0 truncate">
            {title}
          </h2>
          <IconButton icon={X} aria-label="Close" className="ms-auto -me-2" onClick={close} />
        </header>
        {children}
      </div>
    </div>,
    document.body,
  )
}
