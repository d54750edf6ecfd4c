/** The footer of a dialog with Save. */
import type { ReactNode } from 'react'
import { baseTexts } from '../../texts/base.ts'
import { Button } from '../button.tsx'

export function SaveFoot({
  action = baseTexts.save,
  busy = false,
  disabled,
  onCancel,
  children,
}: {
  action?: string
  busy?: boolean
  /** True if there is nothing to save, or the values are invalid. */
  disabled: boolean
  onCancel: () => void
  /** Another action, at the start of the footer. */
  children?: ReactNode
}) {
  return (
    <footer className="flex flex-wrap justify-end gap-2 px-6 pt-2 pb-5">
      {children}
      <Button look="ghost" text={baseTexts.cancel} disabled={busy} onClick={onCancel} />
      <Button type="submit" look="primary" text={action} disabled={busy || disabled} />
    </footer>
  )
}
