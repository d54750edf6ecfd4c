/** The menu at the bar's end: account, and what has no place of its own on a phone. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  CircleCheckBig,
  Clapperboard,
  Download,
  EllipsisVertical,
  FolderCog,
  Keyboard,
  Link2,
  LogIn,
  LogOut,
  MonitorPlay,
  SlidersHorizontal,
  Upload,
  UserPen,
  UserPlus,
} from 'lucide-react'
import { routeOf } from '../routes.ts'
import { address, go } from '../state/address.ts'
import {
  openLogin,
  openOptions,
  openProfile,
  openRegister,
  openShares,
  openSlideshow,
  toggleKeys,
} from '../state/dialogs.ts'
import { downloadCurrent } from '../state/download.ts'
import { mayRegister } from '../state/runtime.ts'
import { selectCurrent } from '../state/selection.ts'
import { logout, signedIn, user } from '../state/session.ts'
import { mayUpload, startUpload } from '../state/uploads.ts'
import { phone } from '../state/viewport.ts'
import { Popover } from './popover.tsx'

function Entry({ icon: Icon, text, act }: { icon: typeof LogIn; text: string; act: () => void }) {
  return (
    <button type="button" role="menuitem" className="row-nav" onClick={act}>
      <Icon size={18} className="shrink-0" />
      {text}
    </button>
  )
}

export function OverflowMenu() {
  useSignals()
  const who = user.value
  const atGallery = routeOf(address.value.path).name === 'Home'
  return (
    <Popover label="More" icon={<EllipsisVertical size={20} />} role="menu" className="w-56 p-1.5">
      {close => {
        const entry = (icon: typeof LogIn, text: string, act: () => void) => (
          <Entry
            icon={icon}
            text={text}
            act={() => {
              close()
              act()
            }}
          />
        )
        return (
          <>
            {who !== null && (
              <p className="px-2.5 pt-1.5 pb-2 truncate soft text-xs" dir="auto">
                {who.name} · {who.username}
              </p>
            )}
            {who === null && mayRegister.value && entry(UserPlus, 'Register', openRegister)}
            {who === null && entry(LogIn, 'Login', () => openLogin())}
            {signedIn.value && entry(UserPen, 'Edit Profile', openProfile)}
            {phone.value && entry(MonitorPlay, 'Screen Saver', () => go('/screen-saver'))}
            {signedIn.value && phone.value && entry(FolderCog, 'Collections', () => go('/admin/collections'))}
            {entry(SlidersHorizontal, 'Options', openOptions)}
            {!phone.value && entry(Keyboard, 'Keyboard', toggleKeys)}
            {signedIn.value && entry(Link2, 'My shares', openShares)}
            {atGallery && mayUpload.value && entry(Upload, 'Upload', () => startUpload({ straight: phone.peek() }))}
            {atGallery && signedIn.value && entry(Download, 'Download Current', () => void downloadCurrent())}
            {atGallery && signedIn.value && entry(Clapperboard, 'Slideshow', () => openSlideshow())}
            {atGallery && entry(CircleCheckBig, 'Select Current', () => void selectCurrent())}
            {signedIn.value && entry(LogOut, 'Logout', () => void logout())}
          </>
        )
      }}
    </Popover>
  )
}
