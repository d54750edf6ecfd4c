/** The dialog of the frame that is open. */
import { useSignals } from '@preact/signals-react/runtime'
import { dialog } from '../state/dialogs.ts'
import { KeysDialog } from './keys.tsx'
import { LoginDialog } from './login.tsx'
import { OptionsDialog } from './options.tsx'
import { RegisterDialog } from './register.tsx'

export function Dialogs() {
  useSignals()
  const { value } = dialog
  switch (value?.kind) {
    case 'login':
      return <LoginDialog guard={value.guard} username={value.username} />
    case 'register':
      return <RegisterDialog />
    case 'keys':
      return <KeysDialog />
    case 'options':
      return <OptionsDialog />
    default:
      return null
  }
}
