/** The login dialog. */
import { useSignals } from '@preact/signals-react/runtime'
import { LoginForm } from '../parts/login-form.tsx'
import { Modal } from '../parts/modal.tsx'
import { closeEntrance, openRegister } from '../state/dialogs.ts'
import { leaveLogin } from '../state/leave-login.ts'
import { mayRegister } from '../state/runtime.ts'

export function LoginDialog({ username }: { username: string }) {
  useSignals()
  return (
    <Modal title="Login" onClose={leaveLogin} width={400} overAll>
      <div className="px-6 pt-4 pb-6">
        <LoginForm username={username} onDone={closeEntrance}>
          {mayRegister.value && (
            <button type="button" className="btn btn-ghost -ms-4" onClick={openRegister}>
              Register
            </button>
          )}
          <button type="button" className="btn btn-ghost ms-auto" onClick={leaveLogin}>
            Cancel
          </button>
        </LoginForm>
      </div>
    </Modal>
  )
}
