/** The login dialog. */
import { useSignals } from '@preact/signals-react/runtime'
import { closeAccountDialog, openRegister } from '../app/dialogs.ts'
import { mayRegister } from '../app/runtime.ts'
import { Button } from '../kit/button.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { baseTexts } from '../texts/base.ts'
import { leaveLogin } from './leave-login.ts'
import { LoginForm } from './login-form.tsx'

export function LoginDialog({ username }: { username: string }) {
  useSignals()
  return (
    <Modal title={baseTexts.login} onClose={leaveLogin} width={400}>
      <div className="px-6 pt-4 pb-6">
        <LoginForm username={username} onDone={closeAccountDialog}>
          {mayRegister.value && (
            <Button look="ghost" className="-ms-4 me-auto" text={baseTexts.register} onClick={openRegister} />
          )}
          <Button look="ghost" text={baseTexts.cancel} onClick={leaveLogin} />
        </LoginForm>
      </div>
    </Modal>
  )
}
