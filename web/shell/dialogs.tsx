/** The open dialog of the frame, and the login over it. */
import { useSignals } from '@preact/signals-react/runtime'
import { type ReactNode, Suspense } from 'react'
import { leaveLogin } from '../account/leave-login.ts'
import { closeDialog, type Dialog, dialog, type Entrance, entrance, leaveRegister } from '../app/dialogs.ts'
import { later } from '../kit/later.tsx'
import { LoadingDialog } from '../kit/layers/loading-dialog.tsx'
import { Aside } from './boundary.tsx'

const loadLogin = () => import('../account/login-dialog.tsx')
const loadKeys = () => import('./keys-dialog.tsx')

const LoginDialog = later(async () => (await loadLogin()).LoginDialog)
const KeysDialog = later(async () => (await loadKeys()).KeysDialog)
const RegisterDialog = later(async () => (await import('../account/register-dialog.tsx')).RegisterDialog)
const OptionsDialog = later(async () => (await import('./options-dialog.tsx')).OptionsDialog)
const PinDialog = later(async () => (await import('../account/pin-dialog.tsx')).PinDialog)
const LocationDialog = later(async () => (await import('../search/filters/location-dialog.tsx')).LocationDialog)
const DeleteDialog = later(async () => (await import('../gallery/delete-dialog.tsx')).DeleteDialog)
const ManyDialog = later(async () => (await import('../admin/many-items/load.tsx')).loadManyDialog())
const ManualCopyDialog = later(async () => (await import('../sharing/manual-copy-dialog.tsx')).ManualCopyDialog)
const SearchHelpDialog = later(async () => (await import('../search/help-dialog.tsx')).SearchHelpDialog)
const UploadDialog = later(async () => (await import('../uploads/upload-dialog.tsx')).UploadDialog)
const SlideshowDialog = later(async () => (await import('../sharing/slideshow-dialog.tsx')).SlideshowDialog)
const LinkDialog = later(async () => (await import('../sharing/link-dialog.tsx')).LinkDialog)
const ProfileDialog = later(async () => (await import('../account/profile-dialog.tsx')).ProfileDialog)

/** Dialogs that are also needed while the server is down; `app.tsx` preloads them. */
export async function loadDialogs(): Promise<void> {
  await Promise.all([loadLogin(), loadKeys()])
}

function Shown({ value }: { value: Dialog }) {
  switch (value.kind) {
    case 'keys':
      return <KeysDialog />
    case 'location':
      return <LocationDialog start={value.start} />
    case 'pin':
      return <PinDialog />
    case 'search-help':
      return <SearchHelpDialog />
    case 'profile':
      return <ProfileDialog />
    case 'delete':
      return <DeleteDialog items={value.items} />
    case 'many':
      return <ManyDialog what={value.what} items={value.items} />
    case 'by-hand':
      return <ManualCopyDialog what={value.what} />
    case 'upload':
      return <UploadDialog chosen={value.chosen} />
    case 'slideshow':
      return <SlideshowDialog items={value.items} />
    case 'link':
      return <LinkDialog of={value.of} title={value.title} />
    case 'options':
      return <OptionsDialog />
  }
}

/** Shows a placeholder while a dialog's code is loading. `onGone` is called if it is cancelled or fails. */
function Part({ onGone, children }: { onGone: () => void; children: ReactNode }) {
  return (
    <Aside onFault={onGone}>
      <Suspense fallback={<LoadingDialog onClose={onGone} />}>{children}</Suspense>
    </Aside>
  )
}

function Asking({ value }: { value: Entrance }) {
  if (value.kind === 'login') {
    return (
      <Part key="login" onGone={leaveLogin}>
        <LoginDialog username={value.username} />
      </Part>
    )
  }
  return (
    <Part key="register" onGone={leaveRegister}>
      <RegisterDialog />
    </Part>
  )
}

export function Dialogs() {
  useSignals()
  const open = dialog.value
  const pending = entrance.value
  return (
    <>
      {open !== null && (
        <Part key={open.kind} onGone={closeDialog}>
          <Shown value={open} />
        </Part>
      )}
      {pending !== null && <Asking value={pending} />}
    </>
  )
}
