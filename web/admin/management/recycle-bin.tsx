/** Tab Recycle Bin: recycled items, until when they can be restored, and deleting them for good. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import type { Item } from '../../../schema/api/items.ts'
import { administeredCollections } from '../../app/collections.ts'
import { JobProgress } from '../../app/jobs/job-progress.tsx'
import { activeJobs } from '../../app/jobs/jobs.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { runtime } from '../../app/runtime.ts'
import { momentText } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { RowAction } from '../../kit/table/row-action.tsx'
import { managementTexts } from '../../texts/admin/management.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { emptyBin, removeGoneItem, restoreItem } from './gone-items.ts'
import { GoneTable } from './gone-table.tsx'
import { deletionTimeText, recycledAt } from './management-state.ts'
import { useGoneItems } from './use-gone.ts'

function deletedText(item: Item): string {
  const at = recycledAt(item)
  return at === null ? '' : momentText(new Date(at * 1000).toISOString())
}

function deletionText(item: Item, keep: number | null | undefined): string {
  const at = recycledAt(item)
  return at === null ? '' : deletionTimeText(at, Date.now() / 1000, keep)
}

export function RecycleBin() {
  useSignals()
  const gone = useGoneItems('deleted')
  const { shown, collection } = gone
  const purge = activeJobs.value.find(({ kind }) => kind === 'purge')
  const mayEmpty = administeredCollections.value.some(({ id }) => collection === 0 || id === collection)
  const keep = runtime.value?.recycleSeconds
  return (
    <GoneTable
      gone={gone}
      caption={managementTexts.recycleBin}
      summary={<span aria-live="polite">{baseTexts.itemCount({ count: shown?.total ?? 0 })}</span>}
      columns={[
        {
          name: 'deleted',
          head: managementTexts.deleted,
          width: 160,
          drops: 2,
          cell: item => <span className="soft">{deletedText(item)}</span>,
        },
        { name: 'until', head: managementTexts.deletionTimeText, width: 136, cell: item => deletionText(item, keep) },
      ]}
      actionsWidth={106}
      actions={item => (
        <RowAction
          icon={ArchiveRestore}
          text={adminTexts.restore}
          of={item.name}
          onClick={() => void restoreItem(item)}
        />
      )}
      removeAll={
        mayEmpty
          ? {
              icon: Trash2,
              text: managementTexts.deleteAll,
              disabled: purge !== undefined,
              hint:
                collection === 0
                  ? managementTexts.deleteAllHint
                  : managementTexts.deleteAllOfHint({ name: gone.nameOf(collection) }),
              async act() {
                const started = await emptyBin(collection)
                if (started) checkServer()
                return started
              },
            }
          : null
      }
      removeOne={item =>
        gone.rightsOn(item.collection_id)?.admin === true
          ? {
              icon: Trash2,
              text: baseTexts.delete,
              name: item.name,
              hint: gone.isReadonly(item.collection_id)
                ? managementTexts.deleteKeepsFile
                : managementTexts.deleteTakesFile,
              act: () => removeGoneItem('deleted', item),
            }
          : null
      }
      empty={
        <Empty icon={Trash2} title={managementTexts.recycleBinIsEmpty}>
          {managementTexts.binIsEmptyHint}
        </Empty>
      }
    >
      {purge !== undefined && (
        <div className="pb-3">
          <JobProgress job={purge} wide />
        </div>
      )}
    </GoneTable>
  )
}
