/** The buttons of a viewer with an edit mode: Edit, or Cancel and Save (or Crop). */
import { useSignals } from '@preact/signals-react/runtime'
import type { ReactNode } from 'react'
import { useController } from '../controller-context.ts'

export function EditTools({
  isEditing,
  busy,
  toggleDisabled = busy,
  toggleTitle,
  onToggle,
  canSave = true,
  onSave,
  saveLabel,
}: {
  isEditing: boolean
  busy: boolean
  /** Whether Edit (or Cancel) is disabled; `toggleTitle` may say why. */
  toggleDisabled?: boolean
  toggleTitle?: string | undefined
  onToggle: () => void
  canSave?: boolean
  onSave: () => void
  saveLabel: ReactNode
}) {
  useSignals()
  const { t } = useController()
  return (
    <>
      <button type="button" className="btn btn-ghost" disabled={toggleDisabled} title={toggleTitle} onClick={onToggle}>
        {isEditing ? t('cancel') : t('edit')}
      </button>
      {isEditing && (
        <button type="button" className="btn btn-primary" disabled={busy || !canSave} onClick={onSave}>
          {saveLabel}
        </button>
      )}
    </>
  )
}
