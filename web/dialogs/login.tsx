/** The login dialog. */
import { useSignals } from '@preact/signals-react/runtime'
import { Button } from '../parts/button.tsx'
import { LoginForm } from '../parts/login-form.tsx'
import { Modal } from '../parts/modal.tsx'
import { closeEntrance, openRegister } from '../state/dialogs.ts'
import { leaveLogin } from '../state/leave-login.ts'
import { mayRegister } from '../state/runtime.ts'

export function LoginDialog({ username }: { username: string }) {
  useSignals()
  return (
    <Modal title="Login" onClose={leaveLogin} width={400}>
      <div className="px-6 pt-4 pb-6">
        <LoginForm username={username} onDone={closeEntrance}>
          {mayRegister.value && <Button look="ghost" className="-ms-4" text="Register" onClick={openRegister} />}
          <Button look="ghost" className="ms-auto" text="Cancel" onClick={leaveLogin} />
        </LoginForm>
      </div>
    </Modal>
  )
}
