/** The login dialog. */
import { useSignals } from '@preact/signals-react/runtime'
import { LoginForm } from '../parts/login-form.tsx'
import { Modal } from '../parts/modal.tsx'
import { routeOf } from '../routes.ts'
import { address, go } from '../state/address.ts'
import { closeDialog, openRegister } from '../state/dialogs.ts'
import { mayRegister } from '../state/runtime.ts'
import { giveUp } from '../state/session.ts'

export function LoginDialog({ guard, username }: { guard: boolean; username: string }) {
  useSignals()
  const cancel = () => {
    giveUp()
    closeDialog()
    // A protected screen has nothing to show to visitors, nor to whoever goes back to it.
    if (guard || routeOf(address.value.path).requiresAuth === true) go('/', { replace: true })
  }
  return (
    <Modal title="Login" onClose={cancel} width={400}>
      <div className="px-6 pt-4 pb-6">
        <LoginForm username={username} onDone={closeDialog}>
          {mayRegister.value && (
            <button type="button" className="btn btn-ghost -ms-4" onClick={openRegister}>
              Register
            </button>
          )}
          <button type="button" className="btn btn-ghost ms-auto" onClick={cancel}>
            Cancel
          </button>
        </LoginForm>
      </div>
    </Modal>
  )
}
