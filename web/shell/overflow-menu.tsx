/** The menu at the bar's end: account, and entries without a place where there is no sidebar. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  ChevronLeft,
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
  Puzzle,
  SlidersHorizontal,
  Upload,
  UserPen,
  UserPlus,
} from 'lucide-react'
import { Fragment, useEffect, useRef, useState } from 'react'
import { address, go } from '../app/address.ts'
import { filtersHere, homeAddress } from '../app/current-filter.ts'
import {
  openLogin,
  openOptions,
  openProfile,
  openRegister,
  openShares,
  openSlideshow,
  toggleKeys,
} from '../app/dialogs.ts'
import { say } from '../app/messages.ts'
import { entriesFor } from '../app/plugin-slots.ts'
import { mayRegister } from '../app/runtime.ts'
import { globalAdmin, logout, signedIn, user } from '../app/session.ts'
import { downloadCurrent } from '../items/selection/download.ts'
import { selectCurrent } from '../items/selection/selection.ts'
import { Button } from '../kit/button.tsx'
import { Popover } from '../kit/layers/popover.tsx'
import { frame, phone } from '../kit/viewport.ts'
import { menuFor, routeOf } from '../routes.ts'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'
import { mayUpload, startUpload } from '../uploads/uploads.ts'

function Entry({ icon: Icon, text, act }: { icon: typeof LogIn; text: string; act: () => void }) {
  return (
    <button type="button" role="menuitem" className="row-nav" onClick={act}>
      <Icon size={18} className="shrink-0" />
      {text}
    </button>
  )
}

/** Submenu for phones: the administration's screens. */
function AdminEntries({ close, onBack }: { close: () => void; onBack: () => void }) {
  useSignals()
  const admin = menuFor({ signedIn: signedIn.value, globalAdmin: globalAdmin.value }).find(
    ({ icon }) => icon === 'admin',
  )
  const ref = useRef<HTMLDivElement>(null)
  // The entry that opened it is gone, and with it the focus.
  useEffect(() => ref.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={ref}>
      <Entry icon={ChevronLeft} text={baseTexts.back} act={onBack} />
      {(admin?.children ?? []).map(({ name, path }) => (
        <Button
          className="row-nav ps-[40px]"
          text={name}
          key={path}
          role="menuitem"
          onClick={() => {
            close()
            go(path)
          }}
        />
      ))}
    </div>
  )
}

/** Away from the gallery, a link with the number of selected items leads back. */
async function selectHere(): Promise<void> {
  const count = await selectCurrent()
  if (count === 0 || routeOf(address.peek().path).name === 'Home') return
  say(shellTexts.itemSelectedCount({ count }), '', { text: baseTexts.show, act: () => go(homeAddress.peek()) })
}

function Entries({ close }: { close: () => void }) {
  useSignals()
  const [inAdmin, setInAdmin] = useState(false)
  const who = user.value
  const atGallery = routeOf(address.value.path).name === 'Home'
  const isFiltered = atGallery || filtersHere.value
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
  if (inAdmin) return <AdminEntries close={close} onBack={() => setInAdmin(false)} />
  return (
    <>
      {who !== null && (
        <p className="px-2.5 pt-1.5 pb-2 truncate soft text-xs" dir="auto">
          {who.name} · {who.username}
        </p>
      )}
      {who === null && mayRegister.value && entry(UserPlus, baseTexts.register, openRegister)}
      {who === null && entry(LogIn, baseTexts.login, () => openLogin())}
      {signedIn.value && entry(UserPen, baseTexts.editProfile, openProfile)}
      {frame.value !== 'sidebar' && entry(MonitorPlay, baseTexts.screenSaver, () => go('/screen-saver'))}
      {frame.value !== 'sidebar' &&
        entriesFor({ signedIn: signedIn.value, globalAdmin: globalAdmin.value }).map(({ key, label, address: to }) => (
          <Fragment key={key}>{entry(Puzzle, label, () => go(to))}</Fragment>
        ))}
      {signedIn.value && phone.value && <Entry icon={FolderCog} text={baseTexts.admin} act={() => setInAdmin(true)} />}
      {entry(SlidersHorizontal, baseTexts.options, openOptions)}
      {!phone.value && entry(Keyboard, baseTexts.keyboard, toggleKeys)}
      {signedIn.value && entry(Link2, baseTexts.myShares, openShares)}
      {atGallery && mayUpload.value && entry(Upload, baseTexts.upload, () => startUpload({ straight: phone.peek() }))}
      {isFiltered && signedIn.value && entry(Download, shellTexts.downloadCurrent, () => void downloadCurrent())}
      {atGallery && signedIn.value && entry(Clapperboard, baseTexts.slideshow, () => openSlideshow())}
      {isFiltered && entry(CircleCheckBig, baseTexts.selectCurrent, () => void selectHere())}
      {signedIn.value && entry(LogOut, baseTexts.logout, () => void logout())}
    </>
  )
}

export function OverflowMenu() {
  return (
    <Popover
      label={baseTexts.more}
      icon={<EllipsisVertical size={20} />}
      role="menu"
      className="w-56 p-1.5 overflow-menu"
    >
      {close => <Entries close={close} />}
    </Popover>
  )
}
