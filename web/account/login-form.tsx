/** Username and password. */
import type { ReactNode, SyntheticEvent } from 'react'
import { login as loginShape } from '../../schema/api/users.ts'
import { limits } from '../../schema/limits.ts'
import { login } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { Fault, useTemporaryText } from '../kit/form/form-fault.tsx'
import { useForm } from '../kit/form/use-form.ts'
import { useBusy } from '../kit/use-busy.ts'
import { accountTexts } from '../texts/account.ts'
import { baseTexts } from '../texts/base.ts'
import { useUnmountSignal } from './use-unmount-signal.ts'

export function LoginForm({
  username,
  large = false,
  onDone,
  children,
}: {
  username: string
  large?: boolean
  onDone: () => void
  /** Actions next to the button. */
  children?: ReactNode
}) {
  const form = useForm(loginShape, { username, password: '' })
  const [fault, report] = useTemporaryText(limits.errorMessageMs)
  const { busy, run } = useBusy()
  // Closing the dialog while the login is being sent cancels the login.
  const unmounted = useUnmountSignal()
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    form.showAllFaults()
    if (!form.valid) return
    const wrong = await run(() => login(form.values.username.trim(), form.values.password, unmounted))
    if (wrong === null) onDone()
    else if (wrong !== undefined) report(wrong)
  }
  return (
    <form onSubmit={event => void send(event)} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Field
        label={baseTexts.username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus={username === '' ? true : undefined}
        {...form.field('username')}
      />
      <Field
        label={accountTexts.password}
        type="password"
        autoComplete="current-password"
        data-autofocus={username === '' ? undefined : true}
        {...form.field('password')}
      />
      <Fault text={fault} />
      <div className={large ? 'grid' : 'flex flex-wrap items-center justify-end gap-2'}>
        {children}
        <Button
          type="submit"
          className={`btn btn-primary ${large ? 'btn-lg text-sm' : ''}`}
          text={baseTexts.login}
          aria-disabled={busy}
        />
      </div>
    </form>
  )
}
