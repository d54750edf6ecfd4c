/** The dialog of the frame that is open, and what waits under the login. */
import { useSignals } from '@preact/signals-react/runtime'
import { Suspense } from 'react'
import { Aside } from '../parts/boundary.tsx'
import { Coming } from '../parts/coming.tsx'
import { later } from '../parts/later.tsx'
import { closeDialog, type Dialog, dialog, waitingDialog } from '../state/dialogs.ts'

const loadLogin = () => import('./login.tsx')
const loadKeys = () => import('./keys.tsx')

const LoginDialog = later(async () => (await loadLogin()).LoginDialog)
const KeysDialog = later(async () => (await loadKeys()).KeysDialog)
const RegisterDialog = later(async () => (await import('./register.tsx')).RegisterDialog)
const OptionsDialog = later(async () => (await import('./options.tsx')).OptionsDialog)
const PinDialog = later(async () => (await import('./pin.tsx')).PinDialog)
const LocationDialog = later(async () => (await import('./location.tsx')).LocationDialog)
const DeleteDialog = later(async () => (await import('./delete.tsx')).DeleteDialog)
const ByHandDialog = later(async () => (await import('./by-hand.tsx')).ByHandDialog)
const SearchHelpDialog = later(async () => (await import('./search-help.tsx')).SearchHelpDialog)
const UploadDialog = later(async () => (await import('./upload.tsx')).UploadDialog)
const SlideshowDialog = later(async () => (await import('./slideshow.tsx')).SlideshowDialog)
const SharesDialog = later(async () => (await import('./shares.tsx')).SharesDialog)
const ProfileDialog = later(async () => (await import('./profile.tsx')).ProfileDialog)

/** What is wanted at any moment, also when the server is away: it comes while nothing else is loading. */
export async function loadDialogs(): Promise<void> {
  await Promise.all([loadLogin(), loadKeys()])
}

function Shown({ value }: { value: Dialog }) {
  switch (value.kind) {
    case 'login':
      return <LoginDialog guard={value.guard} username={value.username} />
    case 'register':
      return <RegisterDialog />
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
    case 'by-hand':
      return <ByHandDialog what={value.what} />
    case 'upload':
      return <UploadDialog chosen={value.chosen} />
    case 'slideshow':
      return <SlideshowDialog items={value.items} />
    case 'shares':
      return <SharesDialog />
    case 'options':
      return <OptionsDialog />
  }
}

export function Dialogs() {
  useSignals()
  // One that waited goes on as it was: it keeps its place among the children.
  return [waitingDialog.value, dialog.value].map(
    value =>
      value !== null && (
        <Aside key={value.kind} onFault={closeDialog}>
          <Suspense fallback={<Coming onClose={closeDialog} />}>
            <Shown value={value} />
          </Suspense>
        </Aside>
      ),
  )
}
