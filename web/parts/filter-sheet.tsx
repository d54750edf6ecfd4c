/** The phone's filter: what the sidebar has, in a sheet that is drawn down to close. */
import { useSignals } from '@preact/signals-react/runtime'
import { useRef } from 'react'
import { createPortal } from 'react-dom'
import { clearFilter, filtered } from '../state/current-filter.ts'
import { plural } from '../state/dates.ts'
import { isCurrent, list } from '../state/items.ts'
import { hasDates } from '../state/timeline.ts'
import { CollectionList } from './collection-list.tsx'
import { DateFilter } from './date-filter.tsx'
import { LocationFilter } from './location-filter.tsx'
import { useDragDown } from './use-drag-down.ts'
import { useLayer } from './use-layer.ts'

export function FilterSheet({ onClose }: { onClose: () => void }) {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  useLayer(ref, onClose, { modal: true })
  const grip = useDragDown(ref, onClose)
  const total = list.value?.total
  return createPortal(
    <div className="sheet-ground">
      <div className="absolute inset-0" onPointerDown={onClose} />
      <div ref={ref} role="dialog" aria-modal="true" aria-label="Filter" tabIndex={-1} className="sheet float">
        <header {...grip} className="sheet-head">
          <h2 className="text-base font-semibold">Filter</h2>
          {filtered.value && (
            <button type="button" className="quiet-link ms-auto" onClick={clearFilter}>
              Clear all
            </button>
          )}
        </header>
        <div className="sheet-body">
          <CollectionList />
          {hasDates.value && <DateFilter />}
          <LocationFilter />
        </div>
        <div className="p-3">
          <button type="button" className="btn btn-primary btn-lg w-full text-base font-semibold" onClick={onClose}>
            {total === undefined ? 'Show items' : `Show ${plural(total, 'item')}`}
            {!isCurrent.value && <span className="sr-only"> (counting)</span>}
          </button>
        </div>
      </div>
    </div>,
    document.body,
  )
}
