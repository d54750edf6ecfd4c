/** Moves items to the recycle bin, after a question, as one step that can be undone. */
import type { Item } from '../../../schema/api/items.ts'
import type { Job } from '../../../schema/api/jobs.ts'
import { api } from '../../api.ts'
import { dialog } from '../../app/dialogs.ts'
import { followWork } from '../../app/jobs/follow-job.ts'
import { attempt, say } from '../../app/messages.ts'
import { mayUpdateAll } from '../../app/rights.ts'
import { baseTexts } from '../../texts/base.ts'
import { dropItem } from '../item-changes.ts'
import { closeViewer, openId, screenUnder, step as stepViewer } from '../open-item.ts'
import { reloadItemsAndWords } from '../reload-items-and-words.ts'
import { offerUndo } from '../undo.ts'
import { deselect } from './selection.ts'

/** Asks for confirmation; does nothing without the right. */
export function askDelete(items: readonly Item[]): void {
  if (items.length > 0 && mayUpdateAll(items)) dialog.value = { kind: 'delete', items }
}

/** Removes items from all views. */
function drop(ids: readonly number[]): void {
  deselect(ids)
  for (const id of ids) {
    dropItem(id)
    // A viewer that was not opened from the gallery goes to a neighbour, or closes.
    if (openId.peek() === id && screenUnder.peek() !== '/' && !stepViewer(1) && !stepViewer(-1)) closeViewer()
  }
}

/** Follows the job for many items, removing them from the views meanwhile. Returns how many were recycled. */
async function follow(taskid: number, ids: readonly number[]): Promise<number> {
  let dropped = 0
  const upTo = (done: number) => {
    drop(ids.slice(dropped, done))
    dropped = Math.max(dropped, done)
  }
  const onProgress = ({ done }: Job) => upTo(done)
  const how = { text: baseTexts.deleting, failure: baseTexts.failedToStopDeleting, total: ids.length, onProgress }
  const job = await followWork(taskid, how)
  upTo(job.done)
  if (job.state === 'failed') say(baseTexts.failedToDeleteItem, job.error ?? '')
  return job.counts.changed ?? 0
}

/** Recycles items: removes them from all views as they are recycled, and offers Undo. */
export async function recycle(items: readonly Item[]): Promise<void> {
  const ids = items.map(({ id }) => id)
  await attempt(baseTexts.failedToDeleteItem, async () => {
    const { taskid, step } = await api.items.removeMany({ body: { items: ids } })
    let recycled = ids.length
    if (taskid === null) drop(ids)
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
