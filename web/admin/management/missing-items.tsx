/** Tab Missing Items: items without their file on the disk, and forgetting them. */
import { useSignals } from '@preact/signals-react/runtime'
import { FileQuestionMark, X } from 'lucide-react'
import { shortDate } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { managementTexts } from '../../texts/admin/management.ts'
import { baseTexts } from '../../texts/base.ts'
import { removeGoneItem, removeMissing } from './gone-items.ts'
import { GoneTable } from './gone-table.tsx'
import { useGoneItems } from './use-gone.ts'

export function MissingItems() {
  useSignals()
  const gone = useGoneItems('missing')
  const { shown, collection } = gone
  const total = shown?.total ?? 0
  return (
    <GoneTable
      gone={gone}
      caption={managementTexts.missingItems}
      summary={
        <>
          <span aria-live="polite">{baseTexts.itemCount({ count: total })}.</span>{' '}
          {total === 1 ? managementTexts.itsFileIsGone : managementTexts.theirFilesAreGone}
        </>
      }
      columns={[
        {
          name: 'taken',
          head: managementTexts.taken,
          width: 140,
          cell: item => <span className="soft">{shortDate(item.taken)}</span>,
        },
      ]}
      actionsWidth={60}
      removeAll={{
        icon: X,
        text: managementTexts.removeAll,
        hint:
          collection === 0
            ? managementTexts.removeAllHint
            : managementTexts.removeAllOfHint({ name: gone.nameOf(collection) }),
        act: () => removeMissing(collection),
      }}
      removeOne={item => ({
        icon: X,
        text: baseTexts.remove,
        name: item.path,
        hint: managementTexts.removeItemHint,
        act: () => removeGoneItem('missing', item),
      })}
      empty={
        <Empty icon={FileQuestionMark} title={managementTexts.noMissingItems}>
          {managementTexts.noMissingItemsHint}
        </Empty>
      }
    />
  )
}
