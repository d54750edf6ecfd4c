/** The bottom bar of phones. */
import { useSignals } from '@preact/signals-react/runtime'
import { CalendarDays, Images, ListFilter, Map as MapIcon, Upload } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { address } from '../app/address.ts'
import { addressOfScreen, filter, filtered } from '../app/current-filter.ts'
import { Button } from '../kit/button.tsx'
import { routeOf } from '../routes.ts'
import { FilterSheet } from '../search/filters/filter-sheet.tsx'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'
import { uploadsPart } from '../uploads/part.ts'
import { mayUpload } from '../uploads/targets.ts'

export function BottomBar() {
  useSignals()
  const [open, setOpen] = useState(false)
  const { name } = routeOf(address.value.path)
  const currentIf = (...names: string[]) => (names.includes(name) ? 'page' : undefined)
  return (
    <>
      <nav className="bottom-bar" aria-label={shellTexts.mainMenu}>
        <Link
          href={addressOfScreen('/')}
          aria-current={filter.value.album === 0 ? currentIf('Home', 'item') : undefined}
        >
          <Images size={22} />
          {baseTexts.home}
        </Link>
        <Link href={addressOfScreen('/on-this-day')} aria-current={currentIf('On this day')}>
          <CalendarDays size={22} />
          {baseTexts.onThisDay}
        </Link>
        <Link href={addressOfScreen('/world-map')} aria-current={currentIf('World Map')}>
          <MapIcon size={22} />
          {shellTexts.map}
        </Link>
        {mayUpload.value && (
          <Button
            icon={Upload}
            iconSize={22}
            text={baseTexts.upload}
            onClick={() => uploadsPart.peek()?.startUpload({ straight: true })}
          />
        )}
        <button type="button" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
          <span className="relative">
            <ListFilter size={22} />
            {filtered.value && <i className="dot" />}
          </span>
          {baseTexts.filter}
          {filtered.value && <span className="sr-only">{shellTexts.commaOn}</span>}
        </button>
      </nav>
      {open && <FilterSheet onClose={() => setOpen(false)} />}
    </>
  )
}
