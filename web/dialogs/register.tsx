/** The register dialog; when it has worked it says so, and the login follows. */
import { useState } from 'react'
import { Modal } from '../parts/modal.tsx'
import { RegisterForm } from '../parts/register-form.tsx'
import { Registered } from '../parts/registered.tsx'
import { routeOf } from '../routes.ts'
import { address, go } from '../state/address.ts'
import { closeDialog, openLogin } from '../state/dialogs.ts'
import { giveUp } from '../state/session.ts'

export function RegisterDialog() {
  const [username, setUsername] = useState<string | null>(null)
  const close = () => {
    giveUp()
    closeDialog()
    // From the login of a protected screen, which has nothing to show to visitors.
    if (routeOf(address.peek().path).requiresAuth === true) go('/', { replace: true })
  }
  return (
    <Modal title="Register" onClose={close} width={440}>
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
