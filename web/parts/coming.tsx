/** Stands for a dialog whose code is on its way: Back and Escape take it back, and what takes long is seen to come. */
import { useRef } from 'react'
import { createPortal } from 'react-dom'
import { useLayer } from './use-layer.ts'

export function Coming({ onClose, overAll = false }: { onClose: () => void; overAll?: boolean }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayer(ref, onClose, { modal: true, overAll })
  return createPortal(
    <div className="modal-ground modal-coming" data-over-all={overAll || undefined}>
      <div ref={ref} role="status" aria-label="Loading" tabIndex={-1} className="modal-sheet float">
        <div className="coming-line w-2/5" />
        <div className="coming-line" />
        <div className="coming-line w-4/5" />
      </div>
    </div>,
    document.body,
  )
}
