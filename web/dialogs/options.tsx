/** The options, where a phone has no room for them at their button. */
import { Modal } from '../parts/modal.tsx'
import { OptionsForm } from '../parts/options-popover.tsx'
import { closeDialog } from '../state/dialogs.ts'

export function OptionsDialog() {
  return (
    <Modal title="Options" onClose={closeDialog}>
      <div className="px-6 pt-3 pb-6">
        <OptionsForm />
      </div>
    </Modal>
  )
}
