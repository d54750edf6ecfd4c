/** The register dialog; when it has worked it says so, and the login follows. */
import { useState } from 'react'
import { Modal } from '../parts/modal.tsx'
import { RegisterForm } from '../parts/register-form.tsx'
import { Registered } from '../parts/registered.tsx'
import { openLogin } from '../state/dialogs.ts'
import { leaveLogin } from '../state/leave-login.ts'

export function RegisterDialog() {
  const [username, setUsername] = useState<string | null>(null)
  return (
    <Modal title="Register" onClose={leaveLogin} width={440}>
      <div className="px-6 pt-4 pb-6">
        {username === null ? (
          <RegisterForm onDone={setUsername} />
        ) : (
          <Registered onLogin={() => openLogin({ username })} />
        )}
      </div>
    </Modal>
  )
}
