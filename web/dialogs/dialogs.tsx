/** The dialog of the frame that is open. */
import { useSignals } from '@preact/signals-react/runtime'
import { lazy, Suspense } from 'react'
import { dialog } from '../state/dialogs.ts'
import { KeysDialog } from './keys.tsx'
import { LoginDialog } from './login.tsx'
import { OptionsDialog } from './options.tsx'
import { PinDialog } from './pin.tsx'
import { RegisterDialog } from './register.tsx'

const LocationDialog = lazy(async () => ({ default: (await import('./location.tsx')).LocationDialog }))
const DeleteDialog = lazy(async () => ({ default: (await import('./delete.tsx')).DeleteDialog }))
const ByHandDialog = lazy(async () => ({ default: (await import('./by-hand.tsx')).ByHandDialog }))
const SearchHelpDialog = lazy(async () => ({ default: (await import('./search-help.tsx')).SearchHelpDialog }))

const UploadDialog = lazy(async () => ({ default: (await import('./upload.tsx')).UploadDialog }))
const SlideshowDialog = lazy(async () => ({ default: (await import('./slideshow.tsx')).SlideshowDialog }))
const SharesDialog = lazy(async () => ({ default: (await import('./shares.tsx')).SharesDialog }))

const ProfileDialog = lazy(async () => ({ default: (await import('./profile.tsx')).ProfileDialog }))

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
    case 'location':
      return (
        <Suspense fallback={null}>
          <LocationDialog start={value.start} />
        </Suspense>
      )
    case 'pin':
      return <PinDialog />
    case 'search-help':
      return (
        <Suspense fallback={null}>
          <SearchHelpDialog />
        </Suspense>
      )
    case 'profile':
      return (
        <Suspense fallback={null}>
          <ProfileDialog />
        </Suspense>
      )
    case 'delete':
      return (
        <Suspense fallback={null}>
          <DeleteDialog items={value.items} />
        </Suspense>
      )
    case 'by-hand':
      return (
        <Suspense fallback={null}>
          <ByHandDialog what={value.what} />
        </Suspense>
      )
    case 'upload':
      return (
        <Suspense fallback={null}>
          <UploadDialog chosen={value.chosen} />
        </Suspense>
      )
    case 'slideshow':
      return (
        <Suspense fallback={null}>
          <SlideshowDialog items={value.items} />
        </Suspense>
      )
    case 'shares':
      return (
        <Suspense fallback={null}>
          <SharesDialog />
        </Suspense>
      )
    case 'options':
      return <OptionsDialog />
    default:
      return null
  }
}
