/** The layout of the tabs that tag items: the form, the table of items below it, and the footer. */
import { useSignals } from '@preact/signals-react/runtime'
import type { ReactNode } from 'react'
import { useItemTable } from '../item-table.tsx'
import { ItemTableFoot } from '../item-table-foot.tsx'
import { tagPageSize } from './tag-preview.ts'

export function TagItems({ children }: { children: ReactNode }) {
  useSignals()
  useItemTable(() => tagPageSize.value)
  return (
    <div className="item-screen">
      <div className="item-screen-scroll">{children}</div>
      <ItemTableFoot
        onSize={size => {
          tagPageSize.value = size
        }}
      />
    </div>
  )
}
