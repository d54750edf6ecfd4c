/** A new password or PIN for a user who has forgotten theirs. */
import type { SyntheticEvent } from 'react'
import type { Account } from '../../../schema/api/users.ts'
import { limits } from '../../../schema/limits.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/form/field.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Modal } from '../../kit/layers/modal.tsx'
import { useBusy } from '../../kit/use-busy.ts'
import { usersTexts } from '../../texts/admin/users.ts'
import { baseTexts } from '../../texts/base.ts'
import { resetAccount } from '../accounts.ts'
import { resetForm } from './reset-form.ts'

export function ResetDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const form = useForm(resetForm, { password: '', unlockPin: '' })
  const { busy, run } = useBusy()
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    form.showAllFaults()
    if (!form.valid) return
    const wrong = await run(() => resetAccount(account, form.values))
    if (wrong === null) onClose()
    else if (wrong !== undefined) form.refuse(wrong)
  }
  return (
    <Modal title={usersTexts.resetPasswordOf({ username: account.username })} onClose={onClose} busy={busy}>
      <form onSubmit={event => void send(event)} noValidate className="px-6 pt-3 pb-5 grid gap-2">
        <p className="soft">{usersTexts.resetHint({ username: account.username })}</p>
        <Field
          label={baseTexts.newPassword}
          hint={baseTexts.leaveEmptyToKeepIt}
          type="password"
          autoComplete="new-password"
          data-autofocus
          {...form.field('password')}
        />
        <Field
          label={baseTexts.unlockPin}
          hint={baseTexts.newPinHint}
          type="password"
          autoComplete="off"
          maxLength={limits.pinLength}
          {...form.field('unlockPin')}
        />
        <div className="flex justify-end gap-2 pt-2">
          <Button look="ghost" text={baseTexts.cancel} disabled={busy} onClick={onClose} />
          <Button type="submit" look="primary" text={baseTexts.reset} disabled={busy} />
        </div>
      </form>
    </Modal>
  )
}
