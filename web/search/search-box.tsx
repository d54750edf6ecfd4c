/** The search box of the app bar: chips and the field, with suggestions or an error below. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleHelp, Search } from 'lucide-react'
import { useId } from 'react'
import { openSearchHelp } from '../app/dialogs.ts'
import { baseTexts } from '../texts/base.ts'
import { searchTexts } from '../texts/search.ts'
import { Chips } from './chips.tsx'
import { FoundCount } from './found-count.tsx'
import { QueryFaultText } from './query-fault.tsx'
import { queryFault, searchBoxFault } from './search.ts'
import { SearchField, useSuggestions } from './search-field.tsx'
import { Suggestions } from './suggestion-faces.tsx'

export function SearchBox() {
  useSignals()
  const suggesting = useSuggestions()
  const faultId = useId()
  const fault = searchBoxFault.value
  return (
    <search className="search-area" data-search-area>
      <div
        className="search-box"
        data-bad={queryFault.value !== null}
        onPointerDown={event => {
          if (event.target instanceof Element && event.target.closest('button, input') !== null) return
          event.preventDefault()
          event.currentTarget.querySelector('input')?.focus()
        }}
      >
        <Search size={18} className="soft shrink-0 pointer-events-none" />
        <div className="search-scroll">
          <Chips />
          <SearchField suggesting={suggesting} faultId={faultId} />
        </div>
        <FoundCount />
        <span className="search-end">
          <kbd className="search-key" title={searchTexts.pressToSearch}>
            /
          </kbd>
          <button
            type="button"
            className="search-help"
            aria-label={baseTexts.howToSearch}
            title={baseTexts.howToSearch}
            onClick={openSearchHelp}
          >
            <CircleHelp size={18} />
          </button>
        </span>
      </div>
      {fault !== null && (
        <div className="search-drop float">
          <QueryFaultText fault={fault} id={faultId} />
        </div>
      )}
      {suggesting.shown && fault === null && (
        <div className="search-drop float">
          <Suggestions {...suggesting} />
        </div>
      )}
    </search>
  )
}
