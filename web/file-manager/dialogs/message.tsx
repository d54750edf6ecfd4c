/** A dialog with a message that the user must confirm. */
import { useEffect, useRef } from 'react'
import { useController } from '../controller-context.ts'
import { DialogFrame } from './frame.tsx'

export function MessageDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const { t, localized, preferences } = useController()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <DialogFrame
      title={t('message')}
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <button ref={button} type="submit" className="btn btn-primary">
          {t('close')}
        </button>
      }
    >
      <p dir={preferences.directionOfMessage(text)}>{localized(text)}</p>
    </DialogFrame>
  )
}
