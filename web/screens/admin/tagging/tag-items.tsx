/** The screen round a form for items: the form above, the table that they are chosen from below it, the foot that stays. */
import { useSignals } from '@preact/signals-react/runtime'
import type { ReactNode } from 'react'
import { useItemTable } from '../../../parts/item-table.tsx'
import { ItemTableFoot } from '../../../parts/item-table-foot.tsx'
import { tagPageSize } from '../../../state/tag-preview.ts'

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
