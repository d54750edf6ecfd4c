/** How this browser likes to see the library. Every change applies at once. */
import { useSignals } from '@preact/signals-react/runtime'
import { SlidersHorizontal } from 'lucide-react'
import { limits, type SearchableTag, searchableTags } from '../../schema/limits.ts'
import { address } from '../state/address.ts'
import { page, setPage } from '../state/current-filter.ts'
import { paged } from '../state/items.ts'
import {
  pageSize,
  rotation,
  rotations,
  searchTags,
  setOptions,
  theme,
  themes,
  view,
  viewModes,
} from '../state/options.ts'
import { pageAfterResize } from '../state/pages.ts'
import { phone } from '../state/viewport.ts'
import { Popover } from './popover.tsx'
import { Segmented } from './segmented.tsx'

/** Another page size shows the page that has what was first on this one. */
export function choosePageSize(size: number): void {
  const number = pageAfterResize(page.value, pageSize.value, size)
  setOptions({ pageSize: size })
  if (paged.value && address.value.path === '/') setPage(number, true)
}

function toggleTag(tag: SearchableTag): void {
  const known = searchTags.value
  const next = known.includes(tag)
    ? known.filter(one => one !== tag)
    : searchableTags.filter(one => one === tag || known.includes(one))
  // Looking nowhere finds nothing: the last one stays.
  if (next.length > 0) setOptions({ searchTags: next })
}

export function OptionsForm() {
  useSignals()
  return (
    <div className="grid gap-5">
      {!phone.value && (
        <Segmented label="View" choices={viewModes} value={view.value} onChange={mode => setOptions({ view: mode })} />
      )}
      <Segmented label="Items per page" choices={limits.pageSizes} value={pageSize.value} onChange={choosePageSize} />
      <fieldset>
        <legend className="text-xs font-semibold mb-2">Search in</legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-1">
          {searchableTags.map(tag => (
            <label key={tag} className="flex items-center gap-2.5 min-h-(--tap) cursor-pointer">
              <input
                type="checkbox"
                className="checkbox checkbox-sm"
                checked={searchTags.value.includes(tag)}
                onChange={() => toggleTag(tag)}
              />
              {tag}
            </label>
          ))}
        </div>
      </fieldset>
      <Segmented
        label="Theme"
        choices={themes}
        value={theme.value}
        onChange={name => setOptions({ theme: name })}
        text={name => (name === 'dark' ? 'Dark' : 'Light')}
      />
      <Segmented
        label="Show pictures rotated by"
        choices={rotations}
        value={rotation.value}
        onChange={degrees => setOptions({ rotation: degrees })}
        text={degrees => `${degrees}°`}
      />
    </div>
  )
}

export function OptionsPopover() {
  return (
    <Popover label="Options" icon={<SlidersHorizontal size={20} />} className="w-84 p-5">
      {() => <OptionsForm />}
    </Popover>
  )
}
