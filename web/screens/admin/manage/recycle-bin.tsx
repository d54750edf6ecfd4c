/** Tab Recycle Bin: what was deleted, until when it can be brought back, and deleting it for good. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Item } from '../../../../schema/api/items.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { DataTable } from '../../../parts/data-table.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { RowAction } from '../../../parts/row-action.tsx'
import { ScanProgress } from '../../../parts/scan-progress.tsx'
import { hurry } from '../../../realtime.ts'
import { administered } from '../../../state/collections.ts'
import { momentText, plural } from '../../../state/dates.ts'
import { emptyBin, removeGone, restoreItem } from '../../../state/gone-items.ts'
import { activeJobs } from '../../../state/jobs.ts'
import { recycledAt, willBeDeleted } from '../../../state/management.ts'
import { runtime } from '../../../state/runtime.ts'
import { CollectionChoice } from './collection-choice.tsx'
import { GoneName } from './gone-name.tsx'
import { useGone } from './use-gone.ts'

function deletedText(item: Item): string {
  const at = recycledAt(item)
  return at === null ? '' : momentText(new Date(at * 1000).toISOString())
}

function willBeText(item: Item, keep: number | null | undefined): string {
  const at = recycledAt(item)
  return at === null ? '' : willBeDeleted(at, Date.now() / 1000, keep)
}

export function RecycleBin() {
  useSignals()
  const gone = useGone('deleted')
  const { shown, collection } = gone
  const [asking, setAsking] = useState<Item | 'all' | null>(null)
  const purge = activeJobs.value.find(({ kind }) => kind === 'purge')
  const mayEmpty = administered.value.some(({ id }) => collection === 0 || id === collection)
  const keep = runtime.value?.recycleSeconds
  const total = shown?.total ?? 0
  return (
    <>
      <div className="table-tools">
        <p className="soft">{total > 0 && <span aria-live="polite">{plural(total, 'item')}</span>}</p>
        <CollectionChoice value={collection} onChange={gone.chooseCollection} />
        {mayEmpty && total > 0 && (
          <button
            type="button"
            className="btn btn-ghost btn-sm text-error"
            disabled={purge !== undefined}
            onClick={() => setAsking('all')}
          >
            <Trash2 size={18} aria-hidden="true" />
            Delete all
          </button>
        )}
      </div>
      {purge !== undefined && (
        <div className="pb-3">
          <ScanProgress job={purge} wide />
        </div>
      )}
      <DataTable
        caption="Recycle Bin"
        columns={[
          { name: 'name', head: 'Name', cell: item => <GoneName item={item} /> },
          {
            name: 'collection',
            head: 'Collection',
            width: '20%',
            from: 1100,
            cell: item => (
              <span className="block truncate soft" dir="auto" title={gone.nameOf(item.collection_id)}>
                {gone.nameOf(item.collection_id)}
              </span>
            ),
          },
          {
            name: 'deleted',
            head: 'Deleted',
            width: '160px',
            from: 760,
            cell: item => <span className="soft">{deletedText(item)}</span>,
          },
          { name: 'until', head: 'Will be deleted', width: '136px', cell: item => willBeText(item, keep) },
        ]}
        rows={shown?.items ?? []}
        keyOf={({ id }) => id}
        actionsWidth="96px"
        actions={item => (
          <>
            <RowAction icon={ArchiveRestore} text="Restore" of={item.name} onClick={() => void restoreItem(item)} />
            {gone.rightsOn(item.collection_id)?.admin === true && (
              <RowAction icon={Trash2} text="Delete" of={item.name} onClick={() => setAsking(item)} />
            )}
          </>
        )}
        empty={
          <Empty icon={Trash2} title="Recycle bin is empty">
            What is deleted in the gallery waits here, and can be brought back.
          </Empty>
        }
        loading={gone.loading}
        {...(gone.failed ? { onRetry: gone.retry } : {})}
        paging={gone.paging}
      />
      {asking === 'all' && (
        <Confirm
          title="Delete all"
          action="Delete all"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            const begun = await emptyBin(collection)
            if (begun) hurry()
            return begun
          }}
        >
          <p>
            {total === 1
              ? 'Are you sure you wish to delete this item'
              : `Are you sure you wish to delete these ${plural(total, 'item')}`}
          </p>
          <p className="soft text-xs mt-1">
            {collection === 0 ? 'In the collections that you look after they' : `Those of ${gone.nameOf(collection)}`}{' '}
            go for good, with their files where the collection is not read-only. They cannot be brought back.
          </p>
        </Confirm>
      )}
      {asking !== null && asking !== 'all' && (
        <Confirm
          title="Delete"
          action="Delete"
          onClose={() => setAsking(null)}
          onConfirm={() => removeGone('deleted', asking)}
        >
          <p>Are you sure you wish to delete this item</p>
          <p className="soft truncate" dir="auto" title={asking.name}>
            {asking.name}
          </p>
          <p className="soft text-xs mt-1">
            {gone.isReadonly(asking.collection_id)
              ? 'It cannot be brought back. Its collection is read-only: the file stays where it is.'
              : 'It cannot be brought back: its file is deleted too.'}
          </p>
        </Confirm>
      )}
    </>
  )
}
