/** The phone's bar under the thumb. */
import { useSignals } from '@preact/signals-react/runtime'
import { Images, ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { address } from '../state/address.ts'
import { filtered, homeAddress } from '../state/current-filter.ts'
import { FilterSheet } from './filter-sheet.tsx'

export function BottomBar() {
  useSignals()
  const [open, setOpen] = useState(false)
  const home = !address.value.path.startsWith('/admin')
  return (
    <>
      <nav className="bottom-bar" aria-label="Main menu">
        <Link href={homeAddress.value} aria-current={home ? 'page' : undefined}>
          <Images size={22} />
          Home
        </Link>
        <button type="button" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
          <span className="relative">
            <ListFilter size={22} />
            {filtered.value && <i className="dot" />}
          </span>
          Filter
          {filtered.value && <span className="sr-only">, on</span>}
        </button>
      </nav>
      {open && <FilterSheet onClose={() => setOpen(false)} />}
    </>
  )
}
