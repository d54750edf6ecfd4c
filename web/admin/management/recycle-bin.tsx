/** Tab Recycle Bin: deleted items, until when they can be restored, and deleting them for good. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import type { Item } from '../../../schema/api/items.ts'
import { plural } from '../../../schema/figures.ts'
import { administered } from '../../app/collections.ts'
import { activeJobs } from '../../app/jobs/jobs.ts'
import { ScanProgress } from '../../app/jobs/scan-progress.tsx'
import { checkServer } from '../../app/loading/recovery.ts'
import { runtime } from '../../app/runtime.ts'
import { momentText } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { RowAction } from '../../kit/table/row-action.tsx'
import { emptyBin, removeGone, restoreItem } from './gone-items.ts'
import { GoneTable } from './gone-table.tsx'
import { recycledAt, willBeDeleted } from './management-state.ts'
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
  const purge = activeJobs.value.find(({ kind }) => kind === 'purge')
  const mayEmpty = administered.value.some(({ id }) => collection === 0 || id === collection)
  const keep = runtime.value?.recycleSeconds
  return (
    <GoneTable
      gone={gone}
      caption="Recycle Bin"
      said={<span aria-live="polite">{plural(shown?.total ?? 0, 'item')}</span>}
      columns={[
        {
          name: 'deleted',
          head: 'Deleted',
          width: 160,
          drops: 2,
          cell: item => <span className="soft">{deletedText(item)}</span>,
        },
        { name: 'until', head: 'Will be deleted', width: 136, cell: item => willBeText(item, keep) },
      ]}
      actionsWidth={106}
      actions={item => (
        <RowAction icon={ArchiveRestore} text="Restore" of={item.name} onClick={() => void restoreItem(item)} />
      )}
      endAll={
        mayEmpty
          ? {
              icon: Trash2,
              text: 'Delete all',
              disabled: purge !== undefined,
              words: `${collection === 0 ? 'In the collections that you administer they' : `Those of ${gone.nameOf(collection)}`} go for good, with their files where the collection is not read-only. They cannot be restored.`,
              async act() {
                const started = await emptyBin(collection)
                if (started) checkServer()
                return started
              },
            }
          : null
      }
      endOne={item =>
        gone.rightsOn(item.collection_id)?.admin === true
          ? {
              icon: Trash2,
              text: 'Delete',
              name: item.name,
              words: gone.isReadonly(item.collection_id)
                ? 'It cannot be restored. Its collection is read-only, so its file is kept.'
                : 'It cannot be restored: its file is deleted too.',
              act: () => removeGone('deleted', item),
            }
          : null
      }
      empty={
        <Empty icon={Trash2} title="Recycle bin is empty">
          Items deleted in the gallery are kept here and can be restored.
        </Empty>
      }
    >
      {purge !== undefined && (
        <div className="pb-3">
          <ScanProgress job={purge} wide />
        </div>
      )}
    </GoneTable>
  )
}
