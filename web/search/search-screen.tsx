/** The search screen of phones: the field at the top, below it chips, and suggestions or the choice of tags. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowLeft, CircleHelp } from 'lucide-react'
import { useId } from 'react'
import { filtered } from '../app/current-filter.ts'
import { openSearchHelp } from '../app/dialogs.ts'
import { isCurrent, list } from '../items/items.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { LayerDialog } from '../kit/layers/layer-dialog.tsx'
import { baseTexts } from '../texts/base.ts'
import { searchTexts } from '../texts/search.ts'
import { Chips, FacetChips } from './chips.tsx'
import { QueryFaultText } from './query-fault.tsx'
import { clearTyped, queryFault, submitTyped, typed } from './search.ts'
import { SearchField, useSuggestions } from './search-field.tsx'
import { SearchTags } from './search-tags.tsx'
import { Suggestions } from './suggestion-faces.tsx'

export function SearchScreen({ onClose }: { onClose: () => void }) {
  useSignals()
  const close = () => {
    clearTyped()
    onClose()
  }
  // Text in the field is searched for, too, even if the user has not pressed Enter.
  const show = async () => {
    if (typed.peek().trim() === '' || (await submitTyped())) close()
  }
  const suggesting = useSuggestions()
  const faultId = useId()
  const fault = queryFault.value
  const total = list.value?.total
  return (
    <LayerDialog aria-label={baseTexts.search} className="search-screen" data-search-area onClose={close}>
      <header className="app-bar px-1 gap-1">
        <IconButton icon={ArrowLeft} size={22} aria-label={searchTexts.closeTheSearch} onClick={close} />
        <search className="search-box" data-bad={fault !== null}>
          <SearchField suggesting={suggesting} faultId={faultId} autoFocus keepsPlaceholder onDone={close} />
        </search>
        <IconButton icon={CircleHelp} size={22} aria-label={baseTexts.howToSearch} onClick={openSearchHelp} />
      </header>
      <div className="search-screen-body">
        {fault !== null && <QueryFaultText fault={fault} id={faultId} />}
        {filtered.value && (
          <div className="chip-field">
            <FacetChips />
            <Chips />
          </div>
        )}
        {suggesting.list.length > 0 ? (
          <Suggestions {...suggesting} />
        ) : (
          <>
            <SearchTags />
            <p className="soft text-sm px-3">{searchTexts.searchHint}</p>
          </>
        )}
      </div>
      <div className="p-3">
        <button type="button" className="btn btn-primary btn-lg w-full text-base font-semibold" onClick={show}>
          {total === undefined || fault !== null || typed.value.trim() !== ''
            ? searchTexts.showItems
            : searchTexts.showItemCount({ count: total })}
          {!isCurrent.value && <span className="sr-only"> {searchTexts.counting}</span>}
        </button>
      </div>
    </LayerDialog>
  )
}
