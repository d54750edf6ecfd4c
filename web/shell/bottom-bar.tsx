/** The bottom bar of phones. */
import { useSignals } from '@preact/signals-react/runtime'
import { CalendarDays, Images, Map as MapIcon, Upload } from 'lucide-react'
import { Link } from 'wouter'
import { address } from '../app/address.ts'
import { addressOfScreen, filter } from '../app/current-filter.ts'
import { Button } from '../kit/button.tsx'
import { routeOf } from '../routes.ts'
import { FilterEntry } from '../search/filters/filter-entry.tsx'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'
import { uploadsPart } from '../uploads/part.ts'
import { mayUpload } from '../uploads/targets.ts'

export function BottomBar() {
  useSignals()
  const { name } = routeOf(address.value.path)
  const currentIf = (...names: string[]) => (names.includes(name) ? 'page' : undefined)
  return (
    <nav className="bottom-bar" aria-label={shellTexts.mainMenu}>
      <Link href={addressOfScreen('/')} aria-current={filter.value.album === 0 ? currentIf('Home', 'item') : undefined}>
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
      <FilterEntry />
    </nav>
  )
}
