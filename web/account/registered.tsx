/** Shown after a registration: one press signs in with what was just typed; otherwise the login opens in a moment. */
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { limits } from '../../schema/limits.ts'
import { login } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Fault, useTemporaryText } from '../kit/form/form-fault.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { accountTexts } from '../texts/account.ts'
import { useUnmountSignal } from './use-unmount-signal.ts'

export interface Account {
  username: string
  password: string
}

export function Registered({
  account: { username, password },
  onSignedIn,
  onLogin,
}: {
  account: Account
  onSignedIn: () => void
  /** Opens the login. */
  onLogin: () => void
}) {
  const [fault, report] = useTemporaryText(limits.errorMessageMs)
  const { busy, run } = useBusy()
  const unmounted = useUnmountSignal()
  const latest = useRef(onLogin)
  latest.current = onLogin
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), limits.registeredDialogMs)
    return () => clearTimeout(timer)
  }, [])
  const signIn = async () => {
    const wrong = await run(() => login(username, password, unmounted))
    if (wrong === null) onSignedIn()
    else if (wrong !== undefined) report(wrong)
  }
  return (
    <div className="grid justify-items-center text-center gap-2 py-8" role="status">
      <CircleCheck size={40} strokeWidth={1.25} className="soft mb-3" aria-hidden="true" />
      <p className="text-base font-semibold">{accountTexts.registrationSuccessful}</p>
      <p className="soft">{accountTexts.loginOpensInAMoment}</p>
      <Fault text={fault} />
      <Button
        look="primary"
        className="mt-4"
        text={accountTexts.loginNow}
        data-autofocus
        aria-disabled={busy}
        onClick={() => void signIn()}
      />
    </div>
  )
}
