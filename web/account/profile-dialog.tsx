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
import { Fault, useBriefly } from '../kit/form/form-fault.tsx'
import { useForm } from '../kit/form/use-form.ts'
import { Modal } from '../kit/layers/modal.tsx'
import { profileForm } from './profile-form.ts'

function Saved() {
  useEffect(() => {
    const timer = setTimeout(closeDialog, limits.errorMessageMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="grid justify-items-center text-center gap-2 py-10" role="status">
      <CircleCheck size={40} strokeWidth={1.25} className="soft mb-3" aria-hidden="true" />
      <p className="text-base font-semibold">Your profile is updated</p>
      <Button look="quiet" className="mt-4" text="Close" data-autofocus onClick={closeDialog} />
    </div>
  )
}

export function ProfileDialog() {
  useSignals()
  const { name = '', email = '' } = user.value ?? {}
  const known = { name, email, password: '', newPassword: '', confirm: '', unlockPin: '' }
  const form = useForm(profileForm, known, limits.errorMessageMs)
  const [signOutTokens, setSignOutTokens] = useState(false)
  const [fault, report] = useBriefly(limits.errorMessageMs)
  const [busy, setBusy] = useState(false)
  const [saved, setSaved] = useState(false)
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    form.leaveAll()
    const { confirm, newPassword, unlockPin, ...rest } = form.values
    if (newPassword !== confirm) {
      report('New password and confirmation do not match.')
      return
    }
    if (!form.valid || busy) return
    setBusy(true)
    const wrong = await updateProfile(
      profile.parse({
        ...rest,
        ...(newPassword === '' ? {} : { newPassword, signOutTokens }),
        ...(unlockPin === '' ? {} : { unlockPin }),
      }),
    )
    setBusy(false)
    if (wrong === null) setSaved(true)
    else if (wrong.field === undefined) report(wrong.text)
    else form.refuse({ field: wrong.field, text: wrong.text })
  }
  return (
    <Modal title="Edit Profile" onClose={closeDialog} width={480} busy={busy}>
      <div className="px-6 pt-4 pb-6">
        {saved ? (
          <Saved />
        ) : (
          <form onSubmit={event => void send(event)} noValidate className="grid gap-2">
            <Field label="Name" autoComplete="name" data-autofocus {...form.field('name')} />
            <Field label="E-mail" type="email" autoComplete="email" {...form.field('email')} />
            <Field
              label="Existing password"
              hint="Needed for any change"
              type="password"
              autoComplete="current-password"
              {...form.field('password')}
            />
            <div className="grid sm:grid-cols-2 items-start gap-x-4 gap-y-2">
              <Field
                label="New password"
                hint="Leave empty to keep it"
                type="password"
                autoComplete="new-password"
                {...form.field('newPassword')}
              />
              <Field label="Confirm password" type="password" autoComplete="new-password" {...form.field('confirm')} />
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
                  Also sign out devices and scripts
                </label>
                <p id="sign-out-tokens" className="text-xs soft">
                  Other browsers are signed out in any case. Devices have to be registered again then.
                </p>
              </div>
            )}
            <Field
              label="Unlock Pin"
              hint="Up to 4 characters. Leave empty to keep it"
              type="password"
              autoComplete="off"
              maxLength={limits.pinLength}
              {...form.field('unlockPin')}
            />
            <Fault text={fault} />
            <div className="flex justify-end gap-2">
              <Button look="ghost" text="Cancel" onClick={closeDialog} />
              <Button type="submit" look="primary" text="Update" aria-disabled={busy} />
            </div>
          </form>
        )}
      </div>
    </Modal>
  )
}
