/** A sheet beside the rail, from the bar to the foot. */
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useLayer } from './use-layer.ts'

export function SideSheet({
  label,
  head,
  onClose,
  children,
}: {
  label: string
  /** Beside the title. */
  head?: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  useLayer(ref, onClose, { modal: true })
  return createPortal(
    <div className="sheet-ground">
      <div className="absolute inset-0" onPointerDown={onClose} />
      <div ref={ref} role="dialog" aria-modal="true" aria-label={label} tabIndex={-1} className="side-sheet float">
        <header className="flex items-center gap-2 ps-2.5">
          <h2 className="text-base font-semibold">{label}</h2>
          {head}
          <button
            type="button"
            className={`icon-button ${head === undefined ? 'ms-auto' : ''}`}
            aria-label="Close"
            onClick={onClose}
          >
            <X size={20} />
          </button>
        </header>
        <div className="grid gap-6 content-start">{children}</div>
      </div>
    </div>,
    document.body,
  )
}
