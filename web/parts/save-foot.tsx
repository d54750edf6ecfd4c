/** The foot of a dialog that saves: what was changed elsewhere meanwhile, and the buttons. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export function SaveFoot({
  late,
  action = 'Save',
  busy = false,
  disabled,
  onCancel,
  children,
}: {
  /** What somebody else has changed that was changed here too. */
  late: readonly string[]
  action?: string
  busy?: boolean
  /** There is nothing to save, or it cannot be. */
  disabled: boolean
  onCancel: () => void
  /** What else can be done, at the start. */
  children?: ReactNode
}) {
  return (
    <>
      {late.length > 0 && (
        <p className="px-6 pb-1 text-xs text-warning wrap-anywhere" role="alert">
          Changed elsewhere meanwhile: {late.join(', ')}. {action} again, and yours takes its place.
        </p>
      )}
      <footer className="flex flex-wrap justify-end gap-2 px-6 pt-2 pb-5">
        {children}
        <Button look="ghost" text="Cancel" disabled={busy} onClick={onCancel} />
        <Button type="submit" look="primary" text={action} disabled={busy || disabled} />
      </footer>
    </>
  )
}
