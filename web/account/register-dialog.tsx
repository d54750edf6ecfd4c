/** The register dialog. After a registration it shows a message and then opens the login. */
import { useState } from 'react'
import { openLogin } from '../app/dialogs.ts'
import { Modal } from '../kit/layers/modal.tsx'
import { baseTexts } from '../texts/base.ts'
import { leaveLogin } from './leave-login.ts'
import { RegisterForm } from './register-form.tsx'
import { type Account, Registered } from './registered.tsx'

export function RegisterDialog() {
  const [account, setAccount] = useState<Account | null>(null)
  return (
    <Modal title={baseTexts.register} onClose={leaveLogin} width={440}>
      <div className="px-6 pt-4 pb-6">
        {account === null ? (
          <RegisterForm onDone={setAccount} />
        ) : (
          <Registered
            account={account}
            onSignedIn={leaveLogin}
            onLogin={() => openLogin({ username: account.username })}
          />
        )}
      </div>
    </Modal>
  )
}
