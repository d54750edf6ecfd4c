/** A confirmation before an action with consequences. */
import type { ReactNode } from 'react'
import { baseTexts } from '../../texts/base.ts'
import { Button } from '../button.tsx'
import { useBusy } from '../use-busy.ts'
import { Modal } from './modal.tsx'

export function Confirm({
  title,
  action,
  danger = true,
  isUsual = !danger,
  disabled = false,
  width,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  action: string
  danger?: boolean
  /** Whether Enter confirms, as for actions that can be undone. */
  isUsual?: boolean
  /** True if something must be chosen first. */
  disabled?: boolean
  /** Pixels. */
  width?: number
  /** Returns false on failure; the question then stays open. */
  onConfirm: () => Promise<boolean>
  onClose: () => void
  children: ReactNode
}) {
  const { busy, run } = useBusy()
  return (
    <Modal title={title} onClose={onClose} width={width}>
      <form
        className="px-6 pt-2 pb-5 grid grid-cols-[minmax(0,1fr)] gap-5"
        onSubmit={event => {
          event.preventDefault()
          if (!disabled) void run(onConfirm).then(done => done && onClose())
        }}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-pretty">{children}</div>
        <div className="flex justify-end gap-2">
          <Button look="ghost" text={baseTexts.cancel} data-autofocus={isUsual ? undefined : true} onClick={onClose} />
          <Button
            type="submit"
            className={danger ? 'btn btn-quiet text-error!' : 'btn btn-primary'}
            text={action}
            data-autofocus={isUsual ? true : undefined}
            disabled={busy || disabled}
          />
        </div>
      </form>
    </Modal>
  )
}
