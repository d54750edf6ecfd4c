/** The rail of icons: the main menu in windows too narrow for a sidebar. Submenu and filters open in side sheets. */
import { useSignals } from '@preact/signals-react/runtime'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { address } from '../app/address.ts'
import { addressOfScreen, filtered, isOnFilteredScreen } from '../app/current-filter.ts'
import { globalAdmin, signedIn } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { SideSheet } from '../kit/layers/side-sheet.tsx'
import { menuFor } from '../routes.ts'
import { FilterSheet } from '../search/filters/filter-sheet.tsx'
import { baseTexts } from '../texts/base.ts'
import { screenName } from '../texts/names.ts'
import { shellTexts } from '../texts/shell.ts'
import { icons, inGallery, isCurrentEntry } from './menu-icons.ts'

/** Shorter labels for the rail. */
const shortNames: Record<string, string> = { 'World Map': shellTexts.map }

export function Rail() {
  useSignals()
  const [open, setOpen] = useState<'admin' | 'filter' | null>(null)
  const close = () => setOpen(null)
  const routes = menuFor({ signedIn: signedIn.value, globalAdmin: globalAdmin.value })
  const admin = routes.find(({ children }) => children !== undefined)
  return (
    <aside className="rail">
      <nav aria-label={shellTexts.mainMenu}>
        {routes
          // The screen saver is in the overflow menu.
          .filter(({ icon }) => icon !== 'saver')
          .map(({ path, name: route, icon = 'admin', children }) => {
            const Icon = icons[icon]
            const name = screenName(route)
            const inside = (
              <>
                <Icon size={22} aria-hidden="true" />
                <span aria-hidden="true">{shortNames[route] ?? name}</span>
              </>
            )
            return children === undefined ? (
              <Link
                key={path}
                href={addressOfScreen(path)}
                aria-label={name}
                title={name}
                aria-current={isCurrentEntry(path) ? 'page' : undefined}
              >
                {inside}
              </Link>
            ) : (
              <Button
                text={inside}
                key={path}
                aria-label={name}
                title={name}
                aria-haspopup="dialog"
                aria-expanded={open === 'admin'}
                data-current={address.value.path.startsWith(path)}
                onClick={() => setOpen('admin')}
              />
            )
          })}
        {(inGallery() || isOnFilteredScreen.value) && (
          <button
            type="button"
            title={baseTexts.filter}
            aria-label={filtered.value ? shellTexts.filterOn : baseTexts.filter}
            aria-haspopup="dialog"
            aria-expanded={open === 'filter'}
            onClick={() => setOpen('filter')}
          >
            <span className="relative">
              <ListFilter size={22} aria-hidden="true" />
              {filtered.value && <i className="dot" />}
            </span>
            {baseTexts.filter}
          </button>
        )}
      </nav>
      {open === 'filter' && <FilterSheet onClose={close} />}
      {open === 'admin' && (
        <SideSheet label={baseTexts.admin} onClose={close}>
          <nav aria-label={baseTexts.admin} className="grid gap-0.5">
            {admin?.children?.map(({ path, name }) => (
              <Link
                key={path}
                href={addressOfScreen(path)}
                className="row-nav"
                aria-current={isCurrentEntry(path) ? 'page' : undefined}
                onClick={close}
              >
                {screenName(name)}
              </Link>
            ))}
          </nav>
        </SideSheet>
      )}
    </aside>
  )
}
