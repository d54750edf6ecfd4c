/** A confirmation dialog with one action; it closes when the action is done. */
import type { ReactNode } from 'react'
import { Button } from '../../kit/button.tsx'
import { useController } from '../controller-context.ts'
import { DialogFrame, type useDialogAction } from './frame.tsx'

export function ConfirmDialog({
  actionText,
  danger = false,
  disabled = false,
  dialogAction: { busy, fault, dismiss, run },
  act,
  doneText,
  ...frame
}: {
  title: string
  actionText: string
  danger?: boolean
  disabled?: boolean
  dialogAction: ReturnType<typeof useDialogAction>
  act: () => Promise<void>
  /** The message that is shown when the action is done. */
  doneText: string
  width?: number
  onClose: () => void
  children: ReactNode
}) {
  const controller = useController()
  const submit = async () => {
    if (disabled || !(await run(act))) return
    controller.showToast(doneText)
    frame.onClose()
  }
  return (
    <DialogFrame
      {...frame}
      onSubmit={() => void submit()}
      busy={busy}
      fault={fault}
      onDismissFault={dismiss}
      actions={
        <>
          <Button look="ghost" text={controller.t('cancel')} disabled={busy} onClick={frame.onClose} />
          <Button
            type="submit"
            className={danger ? 'btn btn-quiet text-error!' : 'btn btn-primary'}
            text={actionText}
            disabled={busy || disabled}
          />
        </>
      }
    />
  )
}
