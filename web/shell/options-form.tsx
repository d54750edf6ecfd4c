/** The display options of this browser. Every change applies at once. */
import { useSignals } from '@preact/signals-react/runtime'
import { figure } from '../../schema/figures.ts'
import { limits } from '../../schema/limits.ts'
import { pageSize, rotation, rotations, setOptions, theme, themes, view, viewModes } from '../app/options.ts'
import { signedIn } from '../app/session.ts'
import { choosePageSize } from '../items/page-size.ts'
import { Segmented } from '../kit/segmented.tsx'
import { phone } from '../kit/viewport.ts'
import { SearchTags } from '../search/search-tags.tsx'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'
import { HiddenSwitch } from './hidden-switch.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { PluginOptions } from './plugin-options.tsx'
import { RowHeight, viewText } from './view-choice.tsx'

const phoneViews = ['Infinite Scroll', 'Timeline'] as const

export function OptionsForm() {
  useSignals()
  return (
    <div className="grid gap-5">
      <Segmented
        label={baseTexts.view}
        choices={phone.value ? phoneViews : viewModes}
        text={viewText}
        // On a phone, the view 'Paging' is shown as an endless gallery.
        value={phone.value && view.value === 'Paging' ? 'Infinite Scroll' : view.value}
        onChange={mode => setOptions({ view: mode })}
      />
      {view.value === 'Timeline' && <RowHeight />}
      <Segmented
        label={baseTexts.itemsPerPage}
        choices={limits.pageSizes}
        value={pageSize.value}
        onChange={choosePageSize}
        text={size => figure(size)}
      />
      <SearchTags />
      <Segmented
        label={shellTexts.theme}
        choices={themes}
        value={theme.value}
        onChange={name => setOptions({ theme: name })}
        text={name => (name === 'dark' ? shellTexts.dark : shellTexts.light)}
      />
      <LanguageChoice />
      <Segmented
        label={shellTexts.showPicturesRotatedBy}
        choices={rotations}
        value={rotation.value}
        onChange={degrees => setOptions({ rotation: degrees })}
        text={degrees => `${figure(degrees)}°`}
      />
      {signedIn.value && <HiddenSwitch />}
      <PluginOptions />
    </div>
  )
}
