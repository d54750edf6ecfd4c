/** Asks before items go into the recycle bin. */
import type { Item } from '../../schema/api/items.ts'
import { figure } from '../../schema/figures.ts'
import { pictureOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Modal } from '../parts/modal.tsx'
import { longDate } from '../state/dates.ts'
import { closeDialog } from '../state/dialogs.ts'
import { recycle } from '../state/recycling.ts'

export function DeleteDialog({ items }: { items: readonly Item[] }) {
  const [first] = items
  const many = items.length > 1
  return (
    <Modal title="Delete" onClose={closeDialog}>
      <form
        className="px-6 pt-2 pb-5 grid grid-cols-[minmax(0,1fr)] gap-5"
        onSubmit={event => {
          event.preventDefault()
          closeDialog()
          void recycle(items)
        }}
      >
        <div className="flex items-center gap-4">
          {first !== undefined && first.problem === null && (
            <img src={pictureOf(first, 'tiny')} alt="" className="w-16 h-16 rounded object-cover shrink-0" />
          )}
          <div className="min-w-0">
            <p>
              {many
                ? `Are you sure you wish to delete these ${figure(items.length)} items`
                : 'Are you sure you wish to delete this item'}
            </p>
            {!many && first !== undefined && (
              <p className="soft truncate" dir="auto" title={first.name}>
                {first.name} · {longDate(first.taken)}
              </p>
            )}
            <p className="soft text-xs mt-1">
              {many ? 'They go' : 'It goes'} into the recycle bin and can be brought back from there.
            </p>
          </div>
        </div>
        <div className="flex justify-end gap-2">
          <Button look="ghost" text="Cancel" onClick={closeDialog} />
          <Button type="submit" look="quiet" className="text-error!" text="Delete" data-autofocus />
        </div>
      </form>
    </Modal>
  )
}
