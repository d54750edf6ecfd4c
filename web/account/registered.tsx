/** Shown after a registration; the login opens automatically, or at once on request. */
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { limits } from '../../schema/limits.ts'
import { Button } from '../kit/button.tsx'
import { accountTexts } from '../texts/account.ts'

export function Registered({ onLogin }: { onLogin: () => void }) {
  const latest = useRef(onLogin)
  latest.current = onLogin
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), limits.registeredDialogMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="grid justify-items-center text-center gap-2 py-8" role="status">
      <CircleCheck size={40} strokeWidth={1.25} className="soft mb-3" aria-hidden="true" />
      <p className="text-base font-semibold">{accountTexts.registrationSuccessful}</p>
      <p className="soft">{accountTexts.loginOpensInAMoment}</p>
      <Button look="primary" className="mt-4" text={accountTexts.loginNow} data-autofocus onClick={onLogin} />
    </div>
  )
}
