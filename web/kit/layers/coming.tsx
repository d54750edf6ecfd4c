/** Placeholder of a dialog whose code is loading: Back and Escape cancel it, and a slow one shows that it is coming. */
import { LayerDialog } from './layer-dialog.tsx'

export function Coming({ onClose }: { onClose: () => void }) {
  return (
    <LayerDialog className="modal-ground modal-coming" aria-label="Loading" onClose={onClose}>
      <div role="status" aria-label="Loading" className="modal-sheet float">
        <div className="coming-line w-2/5" />
        <div className="coming-line" />
        <div className="coming-line w-4/5" />
      </div>
    </LayerDialog>
  )
}
