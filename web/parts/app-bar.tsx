/** The bar at the top: logo, search, options, notifications, menu. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowLeft, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { product } from '../../schema/limits.ts'
import { filter } from '../state/current-filter.ts'
import { phone } from '../state/viewport.ts'
import { Bell } from './bell.tsx'
import { Logo } from './logo.tsx'
import { OptionsPopover } from './options-popover.tsx'
import { OverflowMenu } from './overflow-menu.tsx'
import { Chips, SearchBox, SearchField } from './search-box.tsx'

function Brand() {
  return (
    <Link href="/" className="brand" aria-label={`${product}, home`}>
      <Logo />
      <span className="text-base font-semibold">{product}</span>
    </Link>
  )
}

function PhoneSearch({ onDone }: { onDone: () => void }) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.querySelector('input')?.focus(), [])
  return (
    <search ref={ref} className="flex grow items-center gap-1 px-1">
      <button type="button" className="icon-button" aria-label="Close the search" onClick={onDone}>
        <ArrowLeft size={22} />
      </button>
      <SearchField onDone={onDone} />
    </search>
  )
}

function PhoneBar() {
  useSignals()
  const [searching, setSearching] = useState(false)
  return (
    <>
      <header className="app-bar">
        {searching ? (
          <PhoneSearch onDone={() => setSearching(false)} />
        ) : (
          <>
            <Brand />
            <div className="ms-auto flex items-center">
              <button type="button" className="icon-button" aria-label="Search" onClick={() => setSearching(true)}>
                <Search size={22} />
              </button>
              <Bell />
              <OverflowMenu />
            </div>
          </>
        )}
      </header>
      {filter.value.words.length > 0 && (
        <div className="chip-row">
          <Chips />
        </div>
      )}
    </>
  )
}

export function AppBar() {
  useSignals()
  if (phone.value) return <PhoneBar />
  return (
    <header className="app-bar">
      <div className="w-(--side) shrink-0">
        <Brand />
      </div>
      <SearchBox />
      <div className="ms-auto flex items-center gap-1 pe-2">
        <OptionsPopover />
        <Bell />
        <OverflowMenu />
      </div>
    </header>
  )
}
