/** Rotates items for all users; their files stay unchanged. */
import type { Item, ItemDetails } from '../../../schema/api/items.ts'
import { api } from '../../api.ts'
import { followWork } from '../../app/jobs/follow-job.ts'
import { attempt, attemptValue, say } from '../../app/messages.ts'
import { selectionTexts } from '../../texts/selection.ts'
import { replaceItem } from '../item-changes.ts'
import { reloadItemsAndWords } from '../reload-items-and-words.ts'
import { offerUndo } from '../undo.ts'

/** Rotates an item by a quarter turn. Returns its new version, or null on failure, which is reported. */
export async function rotateItem(item: Pick<Item, 'id'>, direction: 'left' | 'right'): Promise<ItemDetails | null> {
  return attemptValue(selectionTexts.failedToRotateImage, async () => {
    const turned = await api.items.rotate({ params: { id: item.id }, query: { direction } })
    replaceItem(turned)
    return turned
  })
}

/** Rotates items. Several are rotated as one step of the history, with an offer to undo it. */
export async function rotateItems(items: readonly Item[], direction: 'left' | 'right'): Promise<void> {
  const [only] = items
  if (only !== undefined && items.length === 1) {
    await rotateItem(only, direction)
    return
  }
  await attempt(selectionTexts.failedToRotateImage, async () => {
    const { taskid, step } = await api.items.rotateMany({ body: { items: items.map(({ id }) => id), direction } })
    const options = { text: selectionTexts.rotating, failure: selectionTexts.failedToStopRotating, total: items.length }
    const job = await followWork(taskid, options)
    await reloadItemsAndWords()
    if (job.state === 'failed') say(selectionTexts.failedToRotateImage, job.error ?? '')
    const { changed = 0 } = job.counts
    if (changed > 0) {
      offerUndo(selectionTexts.itemRotatedCount({ count: changed }), step, {
        undone: count => selectionTexts.itemsRotatedBack({ count }),
      })
    }
  })
}
