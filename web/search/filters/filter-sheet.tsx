/** The filter on screens without a sidebar: on a phone a bottom sheet, next to the rail a side sheet. */
import { useSignals } from '@preact/signals-react/runtime'
import { useRef } from 'react'
import { clearFilter, filtered } from '../../app/current-filter.ts'
import { isCurrent, list } from '../../items/items.ts'
import { Button } from '../../kit/button.tsx'
import { LayerDialog } from '../../kit/layers/layer-dialog.tsx'
import { SideSheet } from '../../kit/layers/side-sheet.tsx'
import { useDragDown } from '../../kit/layers/use-drag-down.ts'
import { phone } from '../../kit/viewport.ts'
import { baseTexts } from '../../texts/base.ts'
import { searchTexts } from '../../texts/search.ts'
import { Filters } from './filters.tsx'

function ClearAll() {
  useSignals()
  if (!filtered.value) return null
  return <Button look="link" className="ms-auto" text={baseTexts.clearAll} onClick={clearFilter} />
}

function Sheet({ onClose }: { onClose: () => void }) {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  const grip = useDragDown(ref, onClose)
  const total = list.value?.total
  return (
    <LayerDialog className="sheet-ground" aria-label={baseTexts.filter} onClose={onClose}>
      <div ref={ref} className="sheet float">
        <header {...grip} className="sheet-head">
          <h2 className="text-base font-semibold">{baseTexts.filter}</h2>
          <ClearAll />
        </header>
        <div className="sheet-body">
          <Filters />
        </div>
        <div className="p-3">
          <button type="button" className="btn btn-primary btn-lg w-full text-base font-semibold" onClick={onClose}>
            {total === undefined ? searchTexts.showItems : searchTexts.showItemCount({ count: total })}
            {!isCurrent.value && <span className="sr-only"> {searchTexts.counting}</span>}
          </button>
        </div>
      </div>
    </LayerDialog>
  )
}

export function FilterSheet({ onClose }: { onClose: () => void }) {
  useSignals()
  if (phone.value) return <Sheet onClose={onClose} />
  return (
    <SideSheet label={baseTexts.filter} head={<ClearAll />} onClose={onClose}>
      <Filters />
    </SideSheet>
  )
}
