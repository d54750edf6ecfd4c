/** Placeholder for a dialog whose code is loading; it appears after a moment. Back and Escape cancel the dialog. */

import { baseTexts } from '../../texts/base.ts'
import { LayerDialog } from './layer-dialog.tsx'

export function LoadingDialog({ onClose }: { onClose: () => void }) {
  return (
    <LayerDialog className="modal-ground modal-coming" aria-label={baseTexts.loading} onClose={onClose}>
      <div role="status" aria-label={baseTexts.loading} className="modal-sheet float">
        <div className="coming-line w-2/5" />
        <div className="coming-line" />
        <div className="coming-line w-4/5" />
      </div>
    </LayerDialog>
  )
}
