/** The options as a dialog, opened from the overflow menu. */

import { closeDialog } from '../app/dialogs.ts'
import { Modal } from '../kit/layers/modal.tsx'
import { baseTexts } from '../texts/base.ts'
import { OptionsForm } from './options-form.tsx'

export function OptionsDialog() {
  return (
    <Modal title={baseTexts.options} onClose={closeDialog}>
      <div className="px-6 pt-3 pb-6">
        <OptionsForm />
      </div>
    </Modal>
  )
}
