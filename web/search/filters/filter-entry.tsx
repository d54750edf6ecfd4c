/** The entry of a phone's bottom bar that opens the filter. */
import { useSignals } from '@preact/signals-react/runtime'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { filtered } from '../../app/current-filter.ts'
import { baseTexts } from '../../texts/base.ts'
import { shellTexts } from '../../texts/shell.ts'
import { FilterSheet } from './filter-sheet.tsx'

export function FilterEntry() {
  useSignals()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <span className="relative">
          <ListFilter size={22} />
          {filtered.value && <i className="dot" />}
        </span>
        {baseTexts.filter}
        {filtered.value && <span className="sr-only">{shellTexts.commaOn}</span>}
      </button>
      {open && <FilterSheet onClose={() => setOpen(false)} />}
    </>
  )
}
