/** Asks before items are recycled. */
import type { Item } from '../../schema/api/items.ts'
import { pictureOf } from '../api.ts'
import { closeDialog } from '../app/dialogs.ts'
import { recycle } from '../items/selection/recycling.ts'
import { longDate } from '../kit/dates.ts'
import { Confirm } from '../kit/layers/confirm.tsx'
import { baseTexts } from '../texts/base.ts'
import { selectionTexts } from '../texts/selection.ts'

export function DeleteDialog({ items }: { items: readonly Item[] }) {
  const [first] = items
  const many = items.length > 1
  return (
    <Confirm
      title={baseTexts.delete}
      action={baseTexts.delete}
      isUsual
      onConfirm={async () => {
        void recycle(items)
        return true
      }}
      onClose={closeDialog}
    >
      <div className="flex items-center gap-4">
        {first !== undefined && first.problem === null && (
          <img src={pictureOf(first, 'tiny')} alt="" className="w-16 h-16 rounded object-cover shrink-0" />
        )}
        <div className="min-w-0">
          <p>{many ? selectionTexts.deleteQuestion({ count: items.length }) : baseTexts.deleteQuestion}</p>
          {!many && first !== undefined && (
            <p className="soft truncate" dir="auto" title={first.name}>
              {first.name} · {longDate(first.taken)}
            </p>
          )}
          <p className="soft text-xs mt-1">{many ? selectionTexts.theyGoToBin : selectionTexts.oneGoesToBin}</p>
        </div>
      </div>
    </Confirm>
  )
}
