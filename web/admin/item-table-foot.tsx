/** The footer of a screen with a table of items: the selection, and the pages. */
import { useSignals } from '@preact/signals-react/runtime'
import { limits } from '../../schema/limits.ts'
import { setPage } from '../app/current-filter.ts'
import { clearSelection, selectCurrent, selected } from '../items/selection/selection.ts'
import { currentWork, WorkProgress } from '../items/selection/work-progress.tsx'
import { Button } from '../kit/button.tsx'
import { PageBar } from '../kit/table/page-bar.tsx'
import { pageForNewSize } from '../kit/table/pages.ts'
import { useHeight } from '../kit/use-height.ts'
import { adminTexts } from '../texts/admin.ts'
import { baseTexts } from '../texts/base.ts'
import { itemTable } from './item-table-state.ts'

/** The number of selected items; select all, select none. */
function SelectionSummary({ total }: { total: number }) {
  useSignals()
  const busy = currentWork()
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
        {adminTexts.selectedOfTotal({ count, total })}
      </p>
      {total > 0 && <Button look="ghost" small text={baseTexts.selectCurrent} onClick={() => void selectCurrent()} />}
      {/* Space is reserved for the text, so that nothing moves when the first row is selected. */}
      <Button
        className={`btn btn-ghost btn-sm ${count === 0 ? 'invisible' : ''}`}
        text={adminTexts.clearSelection}
        onClick={clearSelection}
      />
    </div>
  )
}

export function ItemTableFoot({ onSize }: { onSize?: (size: number) => void }) {
  useSignals()
  const { total = 0, page = 1, size = limits.pageSize } = itemTable.value ?? {}
  // Keeps toasts above the footer.
  const ref = useHeight('--foot')
  return (
    <div ref={ref} className="item-foot">
      <PageBar
        total={total}
        page={page}
        size={size}
        onPage={number => setPage(number)}
        lead={<SelectionSummary total={total} />}
        {...(onSize === undefined
          ? {}
          : {
              onSize: (next: number) => {
                onSize(next)
                setPage(pageForNewSize(page, size, next), true)
              },
            })}
      />
    </div>
  )
}
