/** The app bar: logo, search, view, options, notifications, menu. */
import { useSignals } from '@preact/signals-react/runtime'
import { Search, SlidersHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link } from 'wouter'
import { product } from '../../schema/limits.ts'
import { filter, filtered, isOnFilteredScreen } from '../app/current-filter.ts'
import { Logo } from '../app/logo.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { later } from '../kit/later.tsx'
import { Popover } from '../kit/layers/popover.tsx'
import { phone } from '../kit/viewport.ts'
import { Chips, FacetChips } from '../search/chips.tsx'
import { FoundCount } from '../search/found-count.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { SearchScreen } from '../search/search-screen.tsx'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'
import { Bell } from './bell.tsx'
import { inGallery } from './menu-icons.ts'
import { OverflowMenu } from './overflow-menu.tsx'

const ViewChoice = later(async () => (await import('./view-choice.tsx')).ViewChoice)
const OptionsForm = later(async () => (await import('./options-form.tsx')).OptionsForm)

function Brand() {
  return (
    <Link href="/" className="brand" aria-label={shellTexts.home({ product })}>
      <Logo />
      <span className="text-base font-semibold">{product}</span>
    </Link>
  )
}

function PhoneBar() {
  useSignals()
  const [searching, setSearching] = useState(false)
  return (
    <>
      <header className="app-bar">
        <Brand />
        <div className="ms-auto flex items-center">
          <IconButton icon={Search} size={22} aria-label={baseTexts.search} onClick={() => setSearching(true)} />
          <Bell />
          <OverflowMenu />
        </div>
      </header>
      {filtered.value && (inGallery() || filter.value.album !== 0 || isOnFilteredScreen.value) && (
        <div className="chip-row">
          <div className="search-scroll" data-search-area>
            <FacetChips />
            <Chips />
          </div>
          <FoundCount />
        </div>
      )}
      {searching && <SearchScreen onClose={() => setSearching(false)} />}
    </>
  )
}

export function AppBar() {
  useSignals()
  if (phone.value) return <PhoneBar />
  return (
    <header className="app-bar">
      <div className="brand-room">
        <Brand />
      </div>
      <SearchBox />
      <div className="ms-auto flex items-center gap-1 pe-2">
        {/* It comes first in a row that is aligned to the end, so the other buttons stay in place when it has loaded. */}
        <Suspense>{(inGallery() || filter.value.album !== 0) && <ViewChoice />}</Suspense>
        <Popover label={baseTexts.options} icon={<SlidersHorizontal size={20} />} className="w-84 p-5">
          {() => (
            <Suspense>
              <OptionsForm />
            </Suspense>
          )}
        </Popover>
        <Bell />
        <OverflowMenu />
      </div>
    </header>
  )
}
