/** The menu at the end of the bar: account, actions and, where there is no sidebar, entries that would be there. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  BookImage,
  CircleCheckBig,
  Clapperboard,
  Download,
  EllipsisVertical,
  FileArchive,
  FolderCog,
  Keyboard,
  Link2,
  LogIn,
  LogOut,
  MapPin,
  MonitorPlay,
  Puzzle,
  SlidersHorizontal,
  Upload,
  UserPen,
  UserPlus,
  Users,
} from 'lucide-react'
import { useState } from 'react'
import { albumsPart } from '../albums/part.ts'
import { address, go } from '../app/address.ts'
import { filtered, homeAddress, isOnFilteredScreen } from '../app/current-filter.ts'
import { openLogin, openOptions, openProfile, openRegister, openSlideshow, toggleKeys } from '../app/dialogs.ts'
import { say } from '../app/messages.ts'
import { entriesFor } from '../app/plugin-slots.ts'
import { mayRegister } from '../app/runtime.ts'
import { globalAdmin, logout, signedIn, user } from '../app/session.ts'
import { list } from '../items/items.ts'
import { downloadCurrent } from '../items/selection/download.ts'
import { selectCurrent } from '../items/selection/selection.ts'
import { playSlideshow } from '../items/selection/slideshow.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { Menu, type MenuEntry } from '../kit/layers/menu.tsx'
import type { Rect } from '../kit/layers/menu-place.ts'
import { frame, phone } from '../kit/viewport.ts'
import { menuFor, routeOf } from '../routes.ts'
import { baseTexts } from '../texts/base.ts'
import { screenName } from '../texts/names.ts'
import { shellTexts } from '../texts/shell.ts'
import { uploadsPart } from '../uploads/part.ts'
import { mayUpload } from '../uploads/targets.ts'

/** Selects the items that match the filter. On other screens than Home, a message has a button that shows them there. */
async function selectCurrentItems(): Promise<void> {
  const count = await selectCurrent()
  if (count === 0 || routeOf(address.peek().path).name === 'Home') return
  say(shellTexts.itemSelectedCount({ count }), '', { text: baseTexts.show, act: () => go(homeAddress.peek()) })
}

/** The entries for this user and window. Reads signals. */
function menuEntries(): MenuEntry[] {
  const who = { signedIn: signedIn.value, globalAdmin: globalAdmin.value }
  const atGallery = routeOf(address.value.path).name === 'Home'
  const isFiltered = atGallery || isOnFilteredScreen.value
  const hasSidebar = frame.value === 'sidebar'
  const admin = menuFor(who).find(({ icon }) => icon === 'admin')
  const entries: (MenuEntry & { isShown: boolean })[] = [
    { isShown: !who.signedIn && mayRegister.value, icon: UserPlus, text: baseTexts.register, act: openRegister },
    { isShown: !who.signedIn, icon: LogIn, text: baseTexts.login, act: () => openLogin() },
    { isShown: who.signedIn, icon: UserPen, text: baseTexts.editProfile, act: openProfile },
    { isShown: phone.value, icon: BookImage, text: baseTexts.albums, act: () => go('/albums') },
    { isShown: phone.value, icon: Users, text: baseTexts.people, act: () => go('/people') },
    { isShown: phone.value, icon: MapPin, text: baseTexts.places, act: () => go('/places') },
    { isShown: !hasSidebar, icon: MonitorPlay, text: baseTexts.screenSaver, act: () => go('/screen-saver') },
    ...entriesFor(who).map(({ label, address: to }) => ({
      isShown: !hasSidebar,
      icon: Puzzle,
      text: label,
      act: () => go(to),
    })),
    {
      isShown: who.signedIn && phone.value,
      icon: FolderCog,
      text: baseTexts.admin,
      entries: admin?.children?.map(({ name, path }) => ({ text: screenName(name), act: () => go(path) })) ?? [],
    },
    { isShown: true, icon: SlidersHorizontal, text: baseTexts.options, act: openOptions },
    { isShown: !phone.value, icon: Keyboard, text: baseTexts.keyboard, act: toggleKeys },
    { isShown: who.signedIn, icon: Link2, text: baseTexts.myLinks, act: () => go('/links') },
    {
      isShown: atGallery && mayUpload.value,
      icon: Upload,
      text: baseTexts.upload,
      act: () => uploadsPart.peek()?.startUpload({ straight: phone.peek() }),
    },
    {
      isShown: isFiltered && who.signedIn,
      icon: Download,
      text: shellTexts.downloadCurrent,
      act: () => void downloadCurrent(),
    },
    {
      isShown: atGallery && (list.value?.total ?? 0) > 0,
      icon: Clapperboard,
      text: baseTexts.slideshow,
      act: () => playSlideshow('list'),
    },
    {
      isShown: atGallery && who.signedIn,
      icon: FileArchive,
      text: baseTexts.downloadAsSlideshow,
      act: () => openSlideshow(),
    },
    {
      isShown: atGallery && who.signedIn && filtered.value,
      icon: BookImage,
      text: shellTexts.saveAsAlbum,
      act: () => albumsPart.peek()?.openSaveSearchForm(),
    },
    { isShown: isFiltered, icon: CircleCheckBig, text: baseTexts.selectCurrent, act: () => void selectCurrentItems() },
    { isShown: who.signedIn, icon: LogOut, text: baseTexts.logout, act: () => void logout() },
  ]
  return entries.filter(({ isShown }) => isShown)
}

export function OverflowMenu() {
  useSignals()
  const [at, setAt] = useState<Rect | null>(null)
  const who = user.value
  return (
    <>
      <IconButton
        icon={EllipsisVertical}
        label={baseTexts.more}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        onClick={event => setAt(event.currentTarget.getBoundingClientRect())}
      />
      {at !== null && (
        <Menu
          label={baseTexts.more}
          facts={who === null ? [] : [{ head: who.username, content: <span dir="auto">{who.name}</span> }]}
          at={at}
          entries={menuEntries()}
          onClose={() => setAt(null)}
        />
      )}
    </>
  )
}
