/** A confirmation dialog with one action; it closes when the action is done. */
import type { ReactNode } from 'react'
import { Button } from '../../kit/button.tsx'
import { useController } from '../controller-context.ts'
import { Frame, type useDoing } from './frame.tsx'

export function Question({
  action,
  danger = false,
  disabled = false,
  doing: { busy, fault, dismiss, run },
  act,
  said,
  ...frame
}: {
  title: string
  action: string
  danger?: boolean
  disabled?: boolean
  doing: ReturnType<typeof useDoing>
  act: () => Promise<void>
  /** The message that is shown when the action is done. */
  said: string
  width?: number
  onClose: () => void
  children: ReactNode
}) {
  const controller = useController()
  const submit = async () => {
    if (disabled || !(await run(act))) return
    controller.say(said)
    frame.onClose()
  }
  return (
    <Frame
      {...frame}
      onSubmit={() => void submit()}
      busy={busy}
      fault={fault}
      onDismiss={dismiss}
      actions={
        <>
          <Button look="ghost" text={controller.t('cancel')} disabled={busy} onClick={frame.onClose} />
          <Button
            type="submit"
            className={danger ? 'btn btn-quiet text-error!' : 'btn btn-primary'}
            text={action}
            disabled={busy || disabled}
          />
        </>
      }
    />
  )
}
