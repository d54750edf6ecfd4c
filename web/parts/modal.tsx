/** A dialog over the page: title, content, actions. */
import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { topModal } from '../state/dialogs.ts'
import { useLayer } from './use-layer.ts'

export function Modal({
  title,
  onClose,
  children,
  width = 440,
  busy = false,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  /** Pixels. */
  width?: number
  /** Something is being saved: it stays until that is done, for what goes wrong is said in it. */
  busy?: boolean
}) {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const close = () => {
    if (!busy) onClose()
  }
  const id = useLayer(ref, close, { modal: true })
  return createPortal(
    <div className="modal-ground" inert={topModal.value !== null && topModal.value !== id}>
      <div className="absolute inset-0" onPointerDown={close} />
      <div
        ref={ref}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        className="modal-sheet float"
        style={{ maxWidth: width }}
      >
        <header className="flex items-center gap-4 px-6 pt-5 pb-1">
          <h2 id={titleId} className="text-base font-semibold min-w-0 truncate">
            {title}
          </h2>
          <button type="button" className="icon-button ms-auto -me-2" aria-label="Close" onClick={close}>
            <X size={20} />
          </button>
        </header>
        {children}
      </div>
    </div>,
    document.body,
  )
}
