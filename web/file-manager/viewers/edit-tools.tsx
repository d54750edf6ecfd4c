/** The buttons of a viewer with an edit mode: Edit, or Cancel and Save. */
import { useSignals } from '@preact/signals-react/runtime'
import type { ReactNode } from 'react'
import { useController } from '../controller-context.ts'

export function EditTools({
  isEditing,
  busy,
  disabled = busy,
  title,
  onToggle,
  canSave = true,
  onSave,
  children,
}: {
  isEditing: boolean
  busy: boolean
  /** Whether Edit (or Cancel) is disabled; `title` may say why. */
  disabled?: boolean
  title?: string | undefined
  onToggle: () => void
  canSave?: boolean
  onSave: () => void
  children: ReactNode
}) {
  useSignals()
  const { t } = useController()
  return (
    <>
      <button type="button" className="btn btn-ghost" disabled={disabled} title={title} onClick={onToggle}>
        {isEditing ? t('cancel') : t('edit')}
      </button>
      {isEditing && (
        <button type="button" className="btn btn-primary" disabled={busy || !canSave} onClick={onSave}>
          {children}
        </button>
      )}
    </>
  )
}
