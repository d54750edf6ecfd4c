/** The profile: name, e-mail, password, PIN. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleCheck } from 'lucide-react'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { profile } from '../../schema/api/users.ts'
import { limits } from '../../schema/limits.ts'
import { closeDialog } from '../app/dialogs.ts'
import { updateProfile, user } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { Fault, useTemporaryText } from '../kit/form/form-fault.tsx'
import { useForm } from '../kit/form/use-form.ts'
import { Modal } from '../kit/layers/modal.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { accountTexts } from '../texts/account.ts'
import { baseTexts } from '../texts/base.ts'
import { profileForm } from './profile-form.ts'

function Saved() {
  useEffect(() => {
    const timer = setTimeout(closeDialog, limits.errorMessageMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="grid justify-items-center text-center gap-2 py-10" role="status">
      <CircleCheck size={40} strokeWidth={1.25} className="soft mb-3" aria-hidden="true" />
      <p className="text-base font-semibold">{accountTexts.yourProfileIsUpdated}</p>
      <Button look="quiet" className="mt-4" text={baseTexts.close} data-autofocus onClick={closeDialog} />
    </div>
  )
}

export function ProfileDialog() {
  useSignals()
  const { name = '', email = '' } = user.value ?? {}
  const initial = { name, email, password: '', newPassword: '', confirm: '', unlockPin: '' }
  const form = useForm(profileForm, initial, limits.errorMessageMs)
  const [signOutTokens, setSignOutTokens] = useState(false)
  const [fault, report] = useTemporaryText(limits.errorMessageMs)
  const { busy, run } = useBusy()
  const [saved, setSaved] = useState(false)
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    form.showAllFaults()
    const { confirm, newPassword, unlockPin, ...rest } = form.values
    if (newPassword !== confirm) {
      report(accountTexts.newPasswordAndConfirmation)
      return
    }
    if (!form.valid) return
    const changes = profile.parse({
      ...rest,
      ...(newPassword === '' ? {} : { newPassword, signOutTokens }),
      ...(unlockPin === '' ? {} : { unlockPin }),
    })
    const wrong = await run(() => updateProfile(changes))
    if (wrong === null) setSaved(true)
    else if (wrong?.field !== undefined) form.refuse({ field: wrong.field, text: wrong.text })
    else if (wrong !== undefined) report(wrong.text)
  }
  return (
    <Modal title={baseTexts.editProfile} onClose={closeDialog} width={480} busy={busy}>
      <div className="px-6 pt-4 pb-6">
        {saved ? (
          <Saved />
        ) : (
          <form onSubmit={event => void send(event)} noValidate className="grid gap-2">
            <Field label={baseTexts.name} autoComplete="name" data-autofocus {...form.field('name')} />
            <Field label={baseTexts.email} type="email" autoComplete="email" {...form.field('email')} />
            <Field
              label={accountTexts.existingPassword}
              hint={accountTexts.neededForAnyChange}
              type="password"
              autoComplete="current-password"
              {...form.field('password')}
            />
            <div className="grid sm:grid-cols-2 items-start gap-x-4 gap-y-2">
              <Field
                label={baseTexts.newPassword}
                hint={baseTexts.leaveEmptyToKeepIt}
                type="password"
                autoComplete="new-password"
                {...form.field('newPassword')}
              />
              <Field
                label={accountTexts.confirmPassword}
                type="password"
                autoComplete="new-password"
                {...form.field('confirm')}
              />
            </div>
            {form.values.newPassword !== '' && (
              <div className="pb-3">
                <label className="flex items-center gap-3 min-h-(--tap) cursor-pointer">
                  <input
                    type="checkbox"
                    className="checkbox checkbox-sm"
                    checked={signOutTokens}
                    aria-describedby="sign-out-tokens"
                    onChange={event => setSignOutTokens(event.target.checked)}
                  />
                  {accountTexts.alsoSignOutDevices}
                </label>
                <p id="sign-out-tokens" className="text-xs soft">
                  {accountTexts.otherBrowsersAreSignedOut}
                </p>
              </div>
            )}
            <Field
              label={baseTexts.unlockPin}
              hint={baseTexts.newPinHint}
              type="password"
              autoComplete="off"
              maxLength={limits.pinLength}
              {...form.field('unlockPin')}
            />
            <Fault text={fault} />
            <div className="flex justify-end gap-2">
              <Button look="ghost" text={baseTexts.cancel} onClick={closeDialog} />
              <Button type="submit" look="primary" text={baseTexts.update} aria-disabled={busy} />
            </div>
          </form>
        )}
      </div>
    </Modal>
  )
}
