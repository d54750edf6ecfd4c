/** Tab Missing Items: items whose file is gone from the disk, and forgetting them. */
import { useSignals } from '@preact/signals-react/runtime'
import { FileQuestionMark, X } from 'lucide-react'
import { useState } from 'react'
import type { Item } from '../../../../schema/api/items.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { DataTable } from '../../../parts/data-table.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { RowAction } from '../../../parts/row-action.tsx'
import { plural, shortDate } from '../../../state/dates.ts'
import { removeGone, removeMissing } from '../../../state/gone-items.ts'
import { CollectionChoice } from './collection-choice.tsx'
import { GoneName } from './gone-name.tsx'
import { useGone } from './use-gone.ts'

export function MissingItems() {
  useSignals()
  const gone = useGone('missing')
  const { shown, collection } = gone
  const [asking, setAsking] = useState<Item | 'all' | null>(null)
  const total = shown?.total ?? 0
  return (
    <>
      <div className="table-tools">
        <p className="soft">
          {total > 0 && (
            <>
              <span aria-live="polite">{plural(total, 'item')}.</span>{' '}
              {total === 1
                ? 'Its file is gone from the disk; a scan that finds it again brings it back.'
                : 'Their files are gone from the disk; a scan that finds them again brings them back.'}
            </>
          )}
        </p>
        <CollectionChoice value={collection} onChange={gone.chooseCollection} />
        {total > 0 && (
          <button type="button" className="btn btn-ghost btn-sm text-error" onClick={() => setAsking('all')}>
            <X size={18} aria-hidden="true" />
            Remove all
          </button>
        )}
      </div>
      <DataTable
        caption="Missing Items"
        columns={[
          { name: 'name', head: 'Name', cell: item => <GoneName item={item} /> },
          {
            name: 'collection',
            head: 'Collection',
            width: '22%',
            from: 900,
            cell: item => (
              <span className="block truncate soft" dir="auto" title={gone.nameOf(item.collection_id)}>
                {gone.nameOf(item.collection_id)}
              </span>
            ),
          },
          {
            name: 'taken',
            head: 'Taken',
            width: '140px',
            cell: item => <span className="soft">{shortDate(item.taken)}</span>,
          },
        ]}
        rows={shown?.items ?? []}
        keyOf={({ id }) => id}
        actionsWidth="64px"
        actions={item => <RowAction icon={X} text="Remove" of={item.name} onClick={() => setAsking(item)} />}
        empty={
          <Empty icon={FileQuestionMark} title="No missing items">
            Items whose file is gone from the disk are listed here.
          </Empty>
        }
        loading={gone.loading}
        {...(gone.failed ? { onRetry: gone.retry } : {})}
        paging={gone.paging}
      />
      {asking === 'all' && (
        <Confirm
          title="Remove all"
          action="Remove all"
          onClose={() => setAsking(null)}
          onConfirm={() => removeMissing(collection)}
        >
          <p>
            {total === 1
              ? 'Are you sure you wish to delete this item'
              : `Are you sure you wish to delete these ${plural(total, 'item')}`}
          </p>
          <p className="soft text-xs mt-1">
            {collection !== 0 && `Those of ${gone.nameOf(collection)}. `}Their tags are forgotten. An item whose file is
            back is shown again instead.
          </p>
        </Confirm>
      )}
      {asking !== null && asking !== 'all' && (
        <Confirm
          title="Remove"
          action="Remove"
          onClose={() => setAsking(null)}
          onConfirm={() => removeGone('missing', asking)}
        >
          <p>Are you sure you wish to delete this item</p>
          <p className="soft truncate" dir="auto" title={asking.path}>
            {asking.name}
          </p>
          <p className="soft text-xs mt-1">Its tags are forgotten. If its file is back, it is shown again instead.</p>
        </Confirm>
      )}
    </>
  )
}
