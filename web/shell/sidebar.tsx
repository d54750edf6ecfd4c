/** The sidebar: main menu, filters, and the build's date. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronDown, ChevronRight, Puzzle } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { address } from '../app/address.ts'
import { addressOfScreen, isOnFilteredScreen } from '../app/current-filter.ts'
import { entriesFor } from '../app/plugin-slots.ts'
import { buildDate } from '../app/runtime.ts'
import { globalAdmin, signedIn } from '../app/session.ts'
import { dayOf } from '../kit/dates.ts'
import { menuFor, type Route } from '../routes.ts'
import { Filters } from '../search/filters/filters.tsx'
import { screenName } from '../texts/names.ts'
import { shellTexts } from '../texts/shell.ts'
import { icons, inGallery, isCurrentEntry } from './menu-icons.ts'

function MenuGroup({ route }: { route: Route }) {
  useSignals()
  const isInside = address.value.path.startsWith(route.path)
  const [isOpened, setIsOpened] = useState(false)
  const open = isOpened || isInside
  const Icon = icons[route.icon ?? 'admin']
  const Chevron = open ? ChevronDown : ChevronRight
  return (
    <>
      <button type="button" className="row-nav" aria-expanded={open} onClick={() => setIsOpened(!open)}>
        <Icon size={20} className="shrink-0" />
        {screenName(route.name)}
        <Chevron size={18} className="ms-auto soft" />
      </button>
      {open && (route.children ?? []).map(child => <MenuLink key={child.path} route={child} />)}
    </>
  )
}

function MenuLink({ route }: { route: Route }) {
  useSignals()
  const Icon = route.icon === undefined ? null : icons[route.icon]
  return (
    <Link
      href={addressOfScreen(route.path)}
      className={`row-nav ${Icon === null ? 'ps-[42px]' : ''}`}
      aria-current={isCurrentEntry(route.path) ? 'page' : undefined}
    >
      {Icon !== null && <Icon size={20} className="shrink-0" />}
      {screenName(route.name)}
    </Link>
  )
}

function PluginLinks() {
  useSignals()
  const who = { signedIn: signedIn.value, globalAdmin: globalAdmin.value }
  return entriesFor(who).map(({ key, label, address: to }) => (
    <Link key={key} href={to} className="row-nav" aria-current={address.value.path === to ? 'page' : undefined}>
      <Puzzle size={20} className="shrink-0" />
      <span className="truncate">{label}</span>
    </Link>
  ))
}

export function Sidebar() {
  useSignals()
  const who = { signedIn: signedIn.value, globalAdmin: globalAdmin.value }
  const isFiltered = inGallery() || isOnFilteredScreen.value
  return (
    <aside className="sidebar">
      <div className="sidebar-scroll">
        <nav aria-label={shellTexts.mainMenu} className="grid gap-0.5">
          {menuFor(who).map(route =>
            route.children === undefined ? (
              <MenuLink key={route.path} route={route} />
            ) : (
              <MenuGroup key={route.path} route={route} />
            ),
          )}
          <PluginLinks />
        </nav>
        {isFiltered && <Filters />}
      </div>
      {buildDate.value !== '' && (
        <p className="text-xs soft px-[18px] py-3">{shellTexts.builtOn({ day: dayOf(buildDate.value) })}</p>
      )}
    </aside>
  )
}
