/** The fields of a registration, with the specified texts. */
import type { SyntheticEvent } from 'react'
import { registration } from '../../schema/api/users.ts'
import { limits } from '../../schema/limits.ts'
import { address } from '../app/address.ts'
import { register } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { Fault, useTemporaryText } from '../kit/form/form-fault.tsx'
import { useForm } from '../kit/form/use-form.ts'
import { useBusy } from '../kit/use-busy.ts'
import { accountTexts } from '../texts/account.ts'
import { baseTexts } from '../texts/base.ts'
import type { Account } from './registered.tsx'

export function RegisterForm({ large = false, onDone }: { large?: boolean; onDone: (account: Account) => void }) {
  const empty = { username: '', name: '', email: '', password: '', unlockPin: '' }
  const form = useForm(registration, empty, limits.errorMessageMs)
  const [fault, report] = useTemporaryText(limits.errorMessageMs)
  const { busy, run } = useBusy()
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    form.showAllFaults()
    if (!form.valid) return
    const wrong = await run(() => register(registration.parse(form.values), address.peek().search))
    if (wrong === null) onDone({ username: form.values.username.trim(), password: form.values.password })
    else if (wrong?.field !== undefined) form.refuse({ field: wrong.field, text: wrong.text })
    else if (wrong !== undefined) report(wrong.text)
  }
  return (
    <form onSubmit={event => void send(event)} noValidate className="grid gap-2">
      <Field
        label={baseTexts.username}
        hint={accountTexts.atMost20Characters}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.field('username')}
      />
      <Field label={baseTexts.name} autoComplete="name" {...form.field('name')} />
      <Field label={baseTexts.email} type="email" autoComplete="email" {...form.field('email')} />
      <div className="grid grid-cols-[minmax(0,1fr)_10rem] items-start gap-4">
        <Field label={accountTexts.password} type="password" autoComplete="new-password" {...form.field('password')} />
        <Field
          label={baseTexts.unlockPin}
          hint={accountTexts.pinHint}
          type="password"
          autoComplete="off"
          maxLength={limits.pinLength}
          {...form.field('unlockPin')}
        />
      </div>
      <Fault text={fault} />
      <Button
        type="submit"
        className={`btn btn-primary ${large ? 'btn-lg text-sm' : ''}`}
        text={accountTexts.createAccount}
        aria-disabled={busy}
      />
    </form>
  )
}
