/** The open dialog of the frame, and login or registration over it. */
import { useSignals } from '@preact/signals-react/runtime'
import { type ReactNode, Suspense } from 'react'
import { leaveLogin } from '../account/leave-login.ts'
import { type AccountDialog, accountDialog, cancelRegister, closeDialog, type Dialog, dialog } from '../app/dialogs.ts'
import { later } from '../kit/later.tsx'
import { LoadingDialog } from '../kit/layers/loading-dialog.tsx'
import { OptionalPart } from './boundary.tsx'

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

function DialogContent({ value }: { value: Dialog }) {
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
    case 'manual-copy':
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

/** Shows a placeholder while a dialog's code is loading. `onCancel` is called if the user closes that, or loading fails. */
function LazyDialog({ onCancel, children }: { onCancel: () => void; children: ReactNode }) {
  return (
    <OptionalPart onFault={onCancel}>
      <Suspense fallback={<LoadingDialog onClose={onCancel} />}>{children}</Suspense>
    </OptionalPart>
  )
}

function AccountDialogContent({ value }: { value: AccountDialog }) {
  if (value.kind === 'login') {
    return (
      <LazyDialog key="login" onCancel={leaveLogin}>
        <LoginDialog username={value.username} />
      </LazyDialog>
    )
  }
  return (
    <LazyDialog key="register" onCancel={cancelRegister}>
      <RegisterDialog />
    </LazyDialog>
  )
}

export function Dialogs() {
  useSignals()
  const open = dialog.value
  const openOverIt = accountDialog.value
  return (
    <>
      {open !== null && (
        <LazyDialog key={open.kind} onCancel={closeDialog}>
          <DialogContent value={open} />
        </LazyDialog>
      )}
      {openOverIt !== null && <AccountDialogContent value={openOverIt} />}
    </>
  )
}
