/** Shown instead of the grid while a list loads slowly. */
import { useSignals } from '@preact/signals-react/runtime'
import { paged } from '../items/items.ts'
import { columns } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'

export function Skeleton() {
  useSignals()
  return (
    <div className={`skeleton-grid ${paged.value ? 'paged' : ''}`} role="status" aria-label={baseTexts.loading}>
      {Array.from({ length: columns.value * 3 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons without content
        <div key={at} className="card-pic" />
      ))}
    </div>
  )
}
