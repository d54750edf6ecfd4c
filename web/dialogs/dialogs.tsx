/** The dialog of the frame that is open, and what waits under the login. */
import { useSignals } from '@preact/signals-react/runtime'
import { Component, lazy, type ReactNode, Suspense } from 'react'
import { closeDialog, type Dialog, dialog, waitingDialog } from '../state/dialogs.ts'
import { report } from '../state/messages.ts'

const loadLogin = () => import('./login.tsx')
const loadKeys = () => import('./keys.tsx')

const LoginDialog = lazy(async () => ({ default: (await loadLogin()).LoginDialog }))
const KeysDialog = lazy(async () => ({ default: (await loadKeys()).KeysDialog }))
const RegisterDialog = lazy(async () => ({ default: (await import('./register.tsx')).RegisterDialog }))
const OptionsDialog = lazy(async () => ({ default: (await import('./options.tsx')).OptionsDialog }))
const PinDialog = lazy(async () => ({ default: (await import('./pin.tsx')).PinDialog }))
const LocationDialog = lazy(async () => ({ default: (await import('./location.tsx')).LocationDialog }))
const DeleteDialog = lazy(async () => ({ default: (await import('./delete.tsx')).DeleteDialog }))
const ByHandDialog = lazy(async () => ({ default: (await import('./by-hand.tsx')).ByHandDialog }))
const SearchHelpDialog = lazy(async () => ({ default: (await import('./search-help.tsx')).SearchHelpDialog }))
const UploadDialog = lazy(async () => ({ default: (await import('./upload.tsx')).UploadDialog }))
const SlideshowDialog = lazy(async () => ({ default: (await import('./slideshow.tsx')).SlideshowDialog }))
const SharesDialog = lazy(async () => ({ default: (await import('./shares.tsx')).SharesDialog }))
const ProfileDialog = lazy(async () => ({ default: (await import('./profile.tsx')).ProfileDialog }))

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

/** One whose code does not come, or that is broken, is said to be and closed: the page goes on without it. */
class Guard extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: Error) {
    report(error, 'This did not open')
    closeDialog()
  }

  override render() {
    return this.state.broken ? null : this.props.children
  }
}

export function Dialogs() {
  useSignals()
  // One that waited goes on as it was: it keeps its place among the children.
  return [waitingDialog.value, dialog.value].map(
    value =>
      value !== null && (
        <Guard key={value.kind}>
          <Suspense fallback={null}>
            <Shown value={value} />
          </Suspense>
        </Guard>
      ),
  )
}
