/** The foot of a screen with a table of items: what is selected, and the pages. */
import { useSignals } from '@preact/signals-react/runtime'
import { figure } from '../../schema/figures.ts'
import { limits } from '../../schema/limits.ts'
import { setPage } from '../state/current-filter.ts'
import { itemTable } from '../state/item-table.ts'
import { pageAfterResize } from '../state/pages.ts'
import { clearSelection, selectCurrent, selected } from '../state/selection.ts'
import { Button } from './button.tsx'
import { PageBar } from './pager.tsx'
import { useHeight } from './use-height.ts'
import { underway, WorkProgress } from './work-progress.tsx'

/** How many are selected; selecting everything, and nothing. */
function Chosen({ total }: { total: number }) {
  useSignals()
  const busy = underway()
  const count = selected.value.size
  if (busy !== null) {
    return (
      <div className="item-foot-lead">
        <WorkProgress {...busy} />
      </div>
    )
  }
  return (
    <div className="item-foot-lead">
      <p role="status" className="whitespace-nowrap">
        <b className="font-semibold">{figure(count)}</b> of {figure(total)} selected
      </p>
      {total > 0 && <Button look="ghost" small text="Select Current" onClick={() => void selectCurrent()} />}
      {/* Its room is kept, so that nothing moves when the first row is selected. */}
      <Button
        className={`btn btn-ghost btn-sm ${count === 0 ? 'invisible' : ''}`}
        text="Clear"
        onClick={clearSelection}
      />
    </div>
  )
}

export function ItemTableFoot({ onSize }: { onSize?: (size: number) => void }) {
  useSignals()
  const { total = 0, page = 1, size = limits.pageSize } = itemTable.value ?? {}
  // Toasts keep above it.
  const ref = useHeight('--foot')
  return (
    <div ref={ref} className="item-foot">
      <PageBar
        total={total}
        page={page}
        size={size}
        onPage={number => setPage(number)}
        lead={<Chosen total={total} />}
        {...(onSize === undefined
          ? {}
          : {
              onSize: (next: number) => {
                onSize(next)
                setPage(pageAfterResize(page, size, next), true)
              },
            })}
      />
    </div>
  )
}
