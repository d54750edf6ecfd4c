/** The display options of this browser. Every change applies at once. */
import { useSignals } from '@preact/signals-react/runtime'
import { SlidersHorizontal } from 'lucide-react'
import { limits } from '../../schema/limits.ts'
import { pageSize, rotation, rotations, setOptions, theme, themes, view, viewModes } from '../app/options.ts'
import { signedIn } from '../app/session.ts'
import { choosePageSize } from '../items/page-size.ts'
import { Popover } from '../kit/layers/popover.tsx'
import { Segmented } from '../kit/segmented.tsx'
import { phone } from '../kit/viewport.ts'
import { SearchTags } from '../search/search-tags.tsx'
import { HiddenSwitch } from './hidden-switch.tsx'
import { PluginOptions } from './plugin-options.tsx'

export function OptionsForm() {
  useSignals()
  return (
    <div className="grid gap-5">
      {!phone.value && (
        <Segmented label="View" choices={viewModes} value={view.value} onChange={mode => setOptions({ view: mode })} />
      )}
      <Segmented label="Items per page" choices={limits.pageSizes} value={pageSize.value} onChange={choosePageSize} />
      <SearchTags />
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
      {signedIn.value && <HiddenSwitch />}
      <PluginOptions />
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
