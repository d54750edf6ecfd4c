/** The first-start page, which creates the first administrator's account. */
import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useRef, useState } from 'react'
import { product } from '../../schema/limits.ts'
import { address } from '../app/address.ts'
import { Logo } from '../app/logo.tsx'
import { endFirstStart, setupKey } from '../app/session.ts'
import { accountTexts } from '../texts/account.ts'
import { baseTexts } from '../texts/base.ts'
import { LoginForm } from './login-form.tsx'
import { RegisterForm } from './register-form.tsx'
import { type Account, Registered } from './registered.tsx'

const createCommand = 'keepsake user create NAME --admin'

/** Replaces the form if the page was opened without the set-up link's key, which the first account requires. */
function WithoutKey() {
  return (
    <div>
      <p className="text-base font-semibold text-pretty">{accountTexts.openSetupLink}</p>
      <p className="soft mt-2 text-pretty">{accountTexts.orRunCommand}</p>
      <code className="block mt-2 font-mono break-words">{createCommand}</code>
    </div>
  )
}

export function FirstStart() {
  useSignals()
  const [step, setStep] = useState<'register' | 'done' | 'login'>('register')
  const [account, setAccount] = useState<Account>({ username: '', password: '' })
  const ref = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has its own first field
  useEffect(() => ref.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [step])
  return (
    <main ref={ref} className="calm-light h-dvh overflow-y-auto grid place-items-center px-6 py-10">
      <div className="w-full max-w-[400px] pb-6">
        <p className="flex items-center gap-3 text-base font-semibold mb-6">
          <Logo />
          {product}
        </p>
        {step === 'register' && (
          <>
            <h1 className="text-xl font-semibold">{accountTexts.whoManagesThisLibrary}</h1>
            <p className="soft mt-1 mb-6 text-pretty">{accountTexts.firstAccountHint}</p>
            {setupKey(address.value.search) === undefined ? (
              <WithoutKey />
            ) : (
              <>
                <RegisterForm
                  large
                  onDone={created => {
                    setAccount(created)
                    setStep('done')
                  }}
                />
                <p className="text-xs soft text-center mt-4">{accountTexts.nextChooseTheFolder}</p>
              </>
            )}
          </>
        )}
        {step === 'done' && (
          <Registered account={account} onSignedIn={() => void endFirstStart()} onLogin={() => setStep('login')} />
        )}
        {step === 'login' && (
          <>
            <h1 className="text-xl font-semibold mb-6">{baseTexts.login}</h1>
            <LoginForm large username={account.username} onDone={() => void endFirstStart()} />
          </>
        )}
      </div>
    </main>
  )
}
