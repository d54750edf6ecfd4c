/** The foot of a dialog that changes many items. */
import { closeDialog } from '../../app/dialogs.ts'
import { Button } from '../../kit/button.tsx'
import { baseTexts } from '../../texts/base.ts'

export function ManyFoot({
  hint,
  action,
  disabled,
  onAct,
}: {
  hint: string
  action: string
  disabled: boolean
  onAct: () => void
}) {
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 px-6 pt-5 pb-5">
      <p className="soft text-xs flex-[1_1_160px]" role="status">
        {hint}
      </p>
      <Button look="ghost" text={baseTexts.cancel} onClick={closeDialog} />
      <Button look="primary" text={action} disabled={disabled} onClick={onAct} />
    </footer>
  )
}
