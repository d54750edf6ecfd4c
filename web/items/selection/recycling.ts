/** Moves items to the recycle bin, after asking, as one step of the history that can be undone. */
import type { Item } from '../../../schema/api/items.ts'
import type { Job } from '../../../schema/api/jobs.ts'
import { api } from '../../api.ts'
import { dialog } from '../../app/dialogs.ts'
import { followWork } from '../../app/jobs/follow-job.ts'
import { attempt, say } from '../../app/messages.ts'
import { mayUpdateAll } from '../../app/rights.ts'
import { baseTexts } from '../../texts/base.ts'
import { removeFromViews } from '../item-changes.ts'
import { closeViewer, openId, screenBelow, stepViewer } from '../open-item.ts'
import { reloadItemsAndWords } from '../reload-items-and-words.ts'
import { offerUndo } from '../undo.ts'
import { deselect } from './selection.ts'

/** Opens the dialog that asks before items are deleted; does nothing if the user may not change them. */
export function askDelete(items: readonly Item[]): void {
  if (items.length > 0 && mayUpdateAll(items)) dialog.value = { kind: 'delete', items }
}

/** Removes items from the selection and all views. */
function removeAll(ids: readonly number[]): void {
  deselect(ids)
  for (const id of ids) {
    removeFromViews(id)
    // A viewer that was not opened from the gallery goes to a neighbour, or closes.
    if (openId.peek() === id && screenBelow.peek() !== '/' && !stepViewer(1) && !stepViewer(-1)) closeViewer()
  }
}

/** Follows the job for many items, and removes those it has recycled from the views. Returns how many were recycled. */
async function follow(taskid: number, ids: readonly number[]): Promise<number> {
  let removed = 0
  // The job handles the items in this order.
  const onProgress = ({ done }: Pick<Job, 'done'>) => {
    removeAll(ids.slice(removed, done))
    removed = Math.max(removed, done)
  }
  const options = { text: baseTexts.deleting, failure: baseTexts.failedToStopDeleting, total: ids.length, onProgress }
  const job = await followWork(taskid, options)
  onProgress(job)
  if (job.state === 'failed') say(baseTexts.failedToDeleteItem, job.error ?? '')
  return job.counts.changed ?? 0
}

/** Recycles items, removes them from all views, and offers Undo. */
export async function recycle(items: readonly Item[]): Promise<void> {
  const ids = items.map(({ id }) => id)
  await attempt(baseTexts.failedToDeleteItem, async () => {
    const { taskid, step } = await api.items.removeMany({ body: { items: ids } })
    let recycled = ids.length
    if (taskid === null) removeAll(ids)
    else recycled = await follow(taskid, ids)
    if (recycled > 0) {
      offerUndo(baseTexts.itemDeletedCount({ count: recycled }), step, {
        detail: recycled === 1 ? baseTexts.isInRecycleBin : baseTexts.areInRecycleBin,
        undone: count => baseTexts.itemRestoredCount({ count }),
      })
    }
    await reloadItemsAndWords()
  })
}
