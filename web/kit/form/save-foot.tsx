/** The foot of a dialog that saves. */
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'

export function SaveFoot({
  action = 'Save',
  busy = false,
  disabled,
  onCancel,
  children,
}: {
  action?: string
  busy?: boolean
  /** There is nothing to save, or it cannot be. */
  disabled: boolean
  onCancel: () => void
  /** What else can be done, at the start. */
  children?: ReactNode
}) {
  return (
    <footer className="flex flex-wrap justify-end gap-2 px-6 pt-2 pb-5">
      {children}
      <Button look="ghost" text="Cancel" disabled={busy} onClick={onCancel} />
      <Button type="submit" look="primary" text={action} disabled={busy || disabled} />
    </footer>
  )
}
